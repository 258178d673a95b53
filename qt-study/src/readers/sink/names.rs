//! The names of files whose times would be repeats of each other: a word that only some names have, and that is not understood, may
//! name a machine or a launch. Which of them it is, the user has to say.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use qtdec_core::listing::shortened;
use qtdec_core::{Place, Problem};
use qtdec_times::collective;

use super::known::Known;
use super::machines::MAX_LISTED;
use super::part::CollectiveTimes;
use super::telling::telling;
use crate::measurements::{Measurements, Series};
use crate::readers::advice;
use crate::readers::collective_name;
use crate::readers::has;
use crate::readers::path::PathPattern;

/// The memory use of an entry besides its texts.
const BYTES: usize = size_of::<NamedFile>() + 64;

/// Words in the names of canonical times that `qtdec verify` compares: its own commands make those of the default before and without.
const VERIFIED: &str = "after before with without";

/// The files with times, in the order of reading.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    files: Vec<NamedFile>,
    pub(super) bytes: usize,
}

#[derive(Debug)]
struct NamedFile {
    /// The number of its first program.
    first: u32,
    name: String,
    /// The words that are not understood without the times.
    words: BTreeSet<String>,
    rows: u64,
    /// Whether the file names the machine itself.
    names_machine: bool,
    dated: Option<Dated>,
}

/// The date of a file with the times of one benchmark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dated {
    /// When it was written, in seconds since a fixed date.
    pub(super) written: i64,
    /// How long the benchmark was measured, in seconds.
    pub(super) lasted: f64,
}

impl FileNames {
    /// Adds a row of the file that is read, whose programs are numbered from `first` on.
    pub(super) fn add_row(
        &mut self,
        first: u32,
        path: &str,
        known: &Known,
        names_machine: bool,
        is_canonical: bool,
        dated: Option<Dated>,
    ) {
        if let Some(file) = self.files.last_mut().filter(|file| file.first == first) {
            file.rows += 1;
            file.names_machine |= names_machine;
            return;
        }
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let mut words = telling(name);
        words.retain(|word| !is_canonical || !has(VERIFIED, word));
        let labels = known.sizes.values();
        let values = [&known.job, &known.run, &known.method, &known.collective];
        for value in values.into_iter().flatten().chain(labels) {
            words.retain(|word| !telling(value).contains(word));
        }
        self.bytes += BYTES + name.len() + words.iter().map(|word| word.len() + 64).sum::<usize>();
        self.files.push(NamedFile { first, name: name.to_owned(), words, rows: 1, names_machine, dated });
    }

    pub(super) fn dated(&self) -> impl Iterator<Item = (usize, Dated)> {
        self.files.iter().enumerate().filter_map(|(file, named)| Some((file, named.dated?)))
    }

    pub(super) fn position(&self, program: u32) -> usize {
        self.files.partition_point(|file| file.first <= program).saturating_sub(1)
    }

    /// Returns the fault that files hold times of one method at one point and differ in their names; `pattern` is that of the paths.
    pub(super) fn apart<'p>(
        &self,
        parts: impl Iterator<Item = &'p CollectiveTimes>,
        pattern: Option<&PathPattern>,
    ) -> Option<Problem> {
        let mut apart: BTreeMap<BTreeSet<&str>, BTreeSet<usize>> = BTreeMap::new();
        if self.files.len() < 2 {
            return None;
        }
        for part in parts {
            let understood = understood(&part.measurements);
            let tells =
                |word: &&str| !understood.contains(*word) && !collective::is_known(&collective_name(word));
            let keys = self.files.iter().map(|file| file.words.iter().map(String::as_str).filter(tells));
            let keys: Vec<BTreeSet<&str>> = keys.map(Iterator::collect).collect();
            let mut seen = HashSet::new();
            self.pooled(part, &mut |one, other| {
                let both_name_machines = self.files[one].names_machine && self.files[other].names_machine;
                if seen.insert((one, other)) && keys[one] != keys[other] && !both_name_machines {
                    for file in [one, other] {
                        apart.entry(keys[file].clone()).or_default().insert(file);
                    }
                }
            });
        }
        (!apart.is_empty()).then(|| self.problem(&apart, pattern))
    }

    /// Calls a function with the first and each other file that has times of one method at one point.
    fn pooled(&self, part: &CollectiveTimes, pair: &mut dyn FnMut(usize, usize)) {
        for (_, _, series) in part.measurements.all_series() {
            let Series::Repeats(repeats) = series else { continue };
            let mut programs =
                repeats.chunk_by(|one, other| one.file == other.file).map(|chunk| chunk[0].file);
            let Some(first) = programs.next().map(|program| self.position(program)) else { continue };
            let others = programs.map(|program| self.position(program)).filter(|other| *other != first);
            others.for_each(|other| pair(first, other));
        }
        for (one, other) in &part.twice {
            pair(self.position(*one), self.position(*other));
        }
    }

    fn problem(
        &self,
        apart: &BTreeMap<BTreeSet<&str>, BTreeSet<usize>>,
        pattern: Option<&PathPattern>,
    ) -> Problem {
        let common = apart.keys().cloned().reduce(|one, other| &one & &other).unwrap_or_default();
        let mut groups = Vec::new();
        let mut choices: Vec<(&str, &str)> = Vec::new();
        for (words, files) in apart {
            let rows: u64 = files.iter().map(|file| self.files[*file].rows).sum();
            let rows = if rows == 1 { "1 time".to_owned() } else { format!("{rows} times") };
            let own: Vec<&str> = words.difference(&common).copied().collect();
            let example = files.first().map_or("", |file| self.files[*file].name.as_str());
            choices.push((own.first().copied().unwrap_or_default(), example));
            groups.push(if own.is_empty() {
                format!("`{}` without such a word ({rows})", shortened(example))
            } else {
                format!("`{}` ({rows})", shortened(&own.join(" ")))
            });
        }
        let more = groups.len().saturating_sub(MAX_LISTED);
        groups.truncate(MAX_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!(
            "files hold times of the same method at the same point, and their names differ in words that may be methods, machines or launches: {}{more}",
            groups.join(", ")
        );
        let help = match pattern {
            Some(_) => advice::WORDS_IN_PATTERN.to_owned(),
            None => {
                let two = choices.iter().filter_map(|(word, name)| choice_of(word, name)).take(2);
                advice::words_of_names(&two.collect::<Vec<_>>(), &pattern_of_runs(&choices))
            }
        };
        Problem::new(Place::File, message).help(help)
    }
}

/// Returns a pattern that chooses the files with a word of this name.
fn choice_of(word: &str, name: &str) -> Option<String> {
    let word = Some(word).filter(|word| word.chars().count() > 1)?;
    let at = name.to_lowercase().find(word)?;
    let word = name.get(at..at + word.len()).filter(|word| shortened(word) == **word)?;
    Some(format!("*{word}*"))
}

/// Returns a pattern in which the words name launches: at the beginning or the end of all names, else the whole names.
fn pattern_of_runs(choices: &[(&str, &str)]) -> String {
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_lowercase();
    let is_separator = |character: char| ['_', '-', '.'].contains(&character);
    let after = |(word, name): &(&str, &str)| {
        stem(name).strip_prefix(word)?.chars().next().filter(|next| is_separator(*next))
    };
    let before = |(word, name): &(&str, &str)| {
        stem(name).strip_suffix(word)?.chars().next_back().filter(|last| is_separator(*last))
    };
    let same = |found: Vec<Option<char>>| {
        found.first().copied().flatten().filter(|first| found.iter().all(|one| *one == Some(*first)))
    };
    let has_ending = choices.iter().any(|(_, name)| name.contains('.'));
    let ending = if has_ending { ".*" } else { "" };
    if let Some(separator) = same(choices.iter().map(after).collect()) {
        format!("{{run}}{separator}*")
    } else if let Some(separator) = same(choices.iter().map(before).collect()) {
        format!("*{separator}{{run}}{ending}")
    } else {
        format!("{{run}}{ending}")
    }
}

/// Returns the words of the methods and axes of times.
fn understood(measurements: &Measurements) -> BTreeSet<String> {
    let labels = measurements.axes().iter().flat_map(|axis| axis.labels.iter().flatten());
    let axes = measurements.axes().iter().map(|axis| &axis.name).chain(labels);
    let methods = measurements.methods().map(|method| &method.name);
    methods.chain(axes).flat_map(|name| telling(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_launches_by_the_place_of_the_words() {
        assert_eq!(pattern_of_runs(&[("csi", "csi_10"), ("sonic", "Sonic_10")]), "{run}_*");
        assert_eq!(pattern_of_runs(&[("csi", "t-csi.csv"), ("sonic", "t-sonic.csv")]), "*-{run}.*");
        assert_eq!(pattern_of_runs(&[("csi", "t_csi_2.csv"), ("sonic", "sonic.csv")]), "{run}.*");
        assert_eq!(pattern_of_runs(&[("no", "no-omp.csv"), ("", "omp.csv")]), "{run}.*");
        assert_eq!(choice_of("csi", "csi_10").as_deref(), Some("*csi*"));
        assert_eq!(choice_of("sonic", "Sonic_10").as_deref(), Some("*Sonic*"));
    }
}
