//! The machines of times; times of several machines are never pooled unless the user chooses so.
//!
//! A machine is named in a column, in the header of a file, or by a folder. Any folder counts that holds times of a method of which
//! a folder with another name also holds times, except for names that number or date runs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;
use qtdec_core::listing::shortened;
use qtdec_core::{Place, Problem};
use qtdec_times::collective;

use super::known::Known;
use crate::readers::advice;
use crate::readers::argument::{Argument, is_label};
use crate::readers::collective_name;
use crate::readers::has;
use crate::readers::path::PathPattern;

/// The maximum number of names listed in a message.
pub(super) const MAX_LISTED: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Machines {
    /// The first value of each machine, by the name of the column or of the entry in the header.
    named: IndexMap<String, Named>,
    /// The folders of the first file with times of a method, each replaced by the first one there that does not only number runs.
    folders: HashMap<usize, Arc<[String]>>,
    /// The folders with different names, with the number of names in the path after each.
    apart: BTreeMap<String, usize>,
}

#[derive(Debug)]
struct Named {
    kind: Option<MachineColumn>,
    values: BTreeMap<String, String>,
}

/// The kind of a column that tells machines apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::readers) enum MachineColumn {
    /// It names machines.
    Machine,
    /// It names hosts; those of one machine have the same name, but for digits.
    Host,
}

/// The folders of a file and the methods of its times.
#[derive(Debug, Default)]
pub(super) struct FileFolders {
    folders: Arc<[String]>,
    methods: HashSet<usize>,
    last: Option<usize>,
}

impl FileFolders {
    /// Returns the folders of a file, except for those whose names are values that the path stands for.
    pub(super) fn new(path: &str, known: &Known) -> Self {
        let labels = known.sizes.values().filter(|value| is_label(value));
        let values = [&known.job, &known.run, &known.method].into_iter().flatten().chain(labels);
        let values: Vec<&str> = values.map(String::as_str).collect();
        let mut folders: Vec<&str> = path.split(['/', '\\']).collect();
        folders.pop();
        // An unknown name keeps its place, so that folders of the same depth are compared.
        let folders = folders.into_iter().map(|folder| {
            let is_known = values.iter().any(|value| !value.is_empty() && folder.contains(value))
                || collective::is_known(&collective_name(folder));
            if is_known { String::new() } else { folder.to_owned() }
        });
        Self { folders: folders.collect(), methods: HashSet::new(), last: None }
    }

    /// Leaves out the folders that are named after arguments of benchmarks.
    pub(super) fn without_arguments(&mut self) {
        let is_argument = |folder: &str| matches!(Argument::from_text(folder), Argument::Samples(_));
        let kept = |folder: &String| if is_argument(folder) { String::new() } else { folder.clone() };
        self.folders = self.folders.iter().map(kept).collect();
    }
}

impl Machines {
    pub(super) fn in_column(&mut self, name: &str, kind: MachineColumn, value: &str) {
        match kind {
            MachineColumn::Machine => self.add(name, Some(kind), value, value),
            MachineColumn::Host => {
                let first = value.split([',', '[', ' ']).next().unwrap_or_default();
                let letters: String = first.chars().filter(|letter| letter.is_alphabetic()).collect();
                self.add(name, Some(kind), &letters.to_lowercase(), value);
            }
        }
    }

    pub(super) fn add(&mut self, name: &str, kind: Option<MachineColumn>, machine: &str, value: &str) {
        if machine.is_empty() {
            return;
        }
        let new = || Named { kind, values: BTreeMap::new() };
        let Named { values, .. } = self.named.entry(name.to_owned()).or_insert_with(new);
        if values.len() <= MAX_LISTED {
            values.entry(machine.to_owned()).or_insert_with(|| value.to_owned());
        }
    }

    pub(super) fn add_times(&mut self, file: &mut FileFolders, method: usize) {
        if file.last == Some(method) {
            return;
        }
        file.last = Some(method);
        if !file.methods.insert(method) {
            return;
        }
        let Some(first) = self.folders.get_mut(&method) else {
            self.folders.insert(method, Arc::clone(&file.folders));
            return;
        };
        for at in 0..first.len().min(file.folders.len()) {
            if distinctive(&first[at]).is_empty() && !distinctive(&file.folders[at]).is_empty() {
                Arc::make_mut(first)[at].clone_from(&file.folders[at]);
            }
        }
        let apart = first.iter().zip(file.folders.iter()).enumerate().find(|(_, (one, other))| {
            let (one, other) = (distinctive(one), distinctive(other));
            !one.is_empty() && !other.is_empty() && one != other
        });
        if let Some((at, (one, other))) = apart
            && self.apart.len() <= MAX_LISTED
        {
            self.apart.insert(one.clone(), first.len() - at);
            self.apart.insert(other.clone(), file.folders.len() - at);
        }
    }

    /// Returns the faults that times of several machines were read; `repeats` are the columns that the user pools, `pattern` is that
    /// of the paths.
    pub(super) fn several(&self, repeats: &[String], pattern: Option<&PathPattern>) -> Vec<Problem> {
        let several = |(name, named): &(&String, &Named)| named.values.len() > 1 && !repeats.contains(name);
        let named = self.named.iter().filter(several).map(|(name, named)| of_names(name, named));
        named.chain(self.in_folders(pattern)).collect()
    }

    /// Returns the machine that a column names in all rows.
    pub(super) fn only(&self) -> Option<String> {
        let of_machines = self.named.values().filter(|named| named.kind == Some(MachineColumn::Machine));
        let values: BTreeSet<&String> = of_machines.flat_map(|named| named.values.values()).collect();
        values.first().filter(|_| values.len() == 1).map(|value| (*value).clone())
    }

    fn in_folders(&self, pattern: Option<&PathPattern>) -> Option<Problem> {
        let (folder, after) = self.apart.first_key_value()?;
        let names: BTreeSet<&str> = self.apart.keys().map(String::as_str).collect();
        let message = format!(
            "folders with different names hold times of the same method, perhaps of several machines: {}",
            listed(names.iter().copied())
        );
        let is_plain = names.iter().all(|name| !name.contains(['{', '}', '*']));
        let has_runs =
            pattern.is_some_and(|pattern| pattern.names().any(|name| ["job", "run"].contains(&name)));
        let one = pattern_in(folder, *after, pattern).filter(|_| is_plain);
        let runs = pattern_in("{run}", *after, pattern).filter(|_| !has_runs);
        let help = advice::one_folder(one.as_deref(), runs.as_deref());
        Some(Problem::new(Place::File, message).help(help))
    }
}

/// Returns a pattern for the paths in a folder, given the number of names after it and the pattern so far.
pub(super) fn pattern_in(folder: &str, after: usize, pattern: Option<&PathPattern>) -> Option<String> {
    let Some(pattern) = pattern.map(PathPattern::as_str) else { return Some(format!("{folder}/**")) };
    let between = "*/".repeat(after.saturating_sub(pattern.split('/').count()));
    (!pattern.contains("**")).then(|| format!("{folder}/{between}{pattern}"))
}

fn of_names(name: &str, named: &Named) -> Problem {
    let values: Vec<&str> = named.values.values().map(String::as_str).take(MAX_LISTED).collect();
    let number = match named.values.len() {
        number if number > MAX_LISTED => format!("more than {MAX_LISTED}"),
        number => number.to_string(),
    };
    let (of, help) = if named.kind.is_some() {
        let is_short = values.iter().all(|value| shortened(value) == *value);
        let choices = if is_short { &*values } else { &["NAME"] };
        (format!("by the column `{name}`"), advice::one_machine(name, choices))
    } else {
        ("by the headers of the files".to_owned(), advice::files_of_one_machine(name))
    };
    let message = format!("the times are of {number} machines {of}: {}", listed(values.iter().copied()));
    Problem::new(Place::File, message).help(help)
}

fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().map(|name| format!("`{}`", shortened(name))).collect::<Vec<_>>().join(", ")
}

/// Returns the kind of a column that tells machines apart, judging by its name and a value.
pub(in crate::readers) fn machine_column(name: &str) -> Option<MachineColumn> {
    let mut words = words(name);
    while words.len() > 1 && words.last().is_some_and(|word| has("name id", word)) {
        words.pop();
    }
    let last = words.last()?;
    if has(MACHINES, last) {
        Some(MachineColumn::Machine)
    } else if has("host hosts hostname hostnames nodename nodelist hostlist", last) {
        Some(MachineColumn::Host)
    } else {
        None
    }
}

/// Words for machines.
pub(super) const MACHINES: &str =
    "cluster machine system supercomputer computer platform site testbed architecture";

/// Words in the names of folders and files with runs.
pub(super) const RUNS: &str = "run runs rep reps repeat repeats iter trial round batch part job jobs session test tests result \
    results data raw output out measurement measurements first second third last again copy \
    backup np ppn node nodes procs ranks day night morning evening mon tue wed thu fri sat sun monday \
    sunday";

/// Months, by which dates are named.
pub(super) const MONTHS: &str = "jan feb mar apr may jun jul aug sep oct nov dec";

/// Returns the part of a folder's name that tells it from folders with runs: nothing of `run_3`, `2025-03-26` or `np64`.
fn distinctive(folder: &str) -> String {
    let words = words(folder);
    if words.iter().any(|word| has(MACHINES, word.trim_end_matches(|digit: char| digit.is_ascii_digit()))) {
        return folder.to_lowercase();
    }
    let bare = words.iter().map(|word| word.trim_matches(|digit: char| digit.is_ascii_digit()));
    let telling = bare.filter(|word| word.chars().count() > 1 && !has(RUNS, word) && !has(MONTHS, word));
    telling.collect::<Vec<_>>().join(" ")
}

pub(super) fn words(name: &str) -> Vec<String> {
    let words = name.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_runs_are_told_from_others() {
        for (one, other) in [
            ("run1", "run_2"),
            ("2025-03-26", "2025_04_01"),
            ("np64", "np128"),
            ("first_tests", "second_test"),
            ("a", "b"),
        ] {
            assert_eq!(distinctive(one), distinctive(other), "{one} {other}");
        }
        for (one, other) in [
            ("leonardo", "lumi"),
            ("Aurora", "Polaris"),
            ("cluster1", "cluster2"),
            ("system_a", "system_b"),
            ("run-hawk", "run-jean"),
        ] {
            assert_ne!(distinctive(one), distinctive(other), "{one} {other}");
        }
    }

    #[test]
    fn columns_of_machines_are_recognised() {
        for name in ["cluster", "Machine", "cluster_name", "system", "hpc_system", "platform"] {
            assert_eq!(machine_column(name), Some(MachineColumn::Machine), "{name}");
        }
        assert_eq!(machine_column("hostname"), Some(MachineColumn::Host));
        for name in ["machines", "system_time", "nodes", "method", "ppn", "name", "id"] {
            assert_eq!(machine_column(name), None, "{name}");
        }
    }
}
