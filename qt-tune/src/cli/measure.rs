//! Options for reading times and for making a map from them, shared by every command that reads times.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{IsTerminal, Read};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use indexmap::{IndexMap, IndexSet};
use indicatif::{ProgressBar, ProgressStyle};
use qtdec_core::domain::{Basis, Requirement};
use qtdec_core::{DecisionMap, Place, Problem, Problems, Syntax, visible};
use qtdec_mpi::catalogue::Library;

use super::destination::Outputs;
use super::progress::Progress;
use super::{Failure, output, sizes};
use crate::measure::measurements::{Cleaning, Measurements, RankStatistic, Statistic, TimeUnit};
use crate::measure::notes::Notes;
use crate::measure::readers::{self, Columns, Counted, PathPattern, ReadOptions};
use crate::measure::selection::{Distinction, Gaps, GridError, GridSizes, Recipe, TieRule, grid_error};
use crate::tune::collective_of_default;

/// Options for reading files with times and for making a map from them.
#[derive(Debug, Args)]
pub(super) struct MeasureArguments {
    /// Read files of this format; recognised from their content by default
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(readers::format_names()), help_heading = "Reading")]
    format: Option<String>,

    /// Map columns to their meanings. The keys method, time, segment_size, collective, run, repeat and rank have fixed meanings,
    /// any other key is an axis. Several columns joined by + name a method together; prefix an axis with `axis:` if its name is one
    /// of the fixed keys
    #[arg(long, value_name = "KEY=COLUMN,…", value_parser = Columns::parse, help_heading = "Reading")]
    columns: Option<Columns>,

    /// Read only rows in which a column has this value
    #[arg(long = "where", value_name = "COLUMN=VALUE", value_parser = pair, help_heading = "Reading")]
    filters: Vec<(String, String)>,

    /// Count rows of one point and method that differ in this column as repeats
    #[arg(long = "repeat", value_name = "COLUMN", help_heading = "Reading")]
    repeats: Vec<String>,

    /// Read method and sizes from the paths of the files, such as 'bcast/{method}_np{comm_size}.txt'
    #[arg(long, value_name = "PATTERN", value_parser = PathPattern::parse, help_heading = "Reading")]
    path: Option<PathPattern>,

    /// Set a value that is the same for all times and is not in the files: comm_size, method, segment_size or an axis
    #[arg(long, value_name = "NAME=VALUE", value_parser = fixed, help_heading = "Reading")]
    fixed: Vec<(String, String)>,

    /// Name the collective; if the files or their paths name collectives, use only the times of this one
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    collective: Option<String>,

    /// Set the unit of the times, if the files do not specify it
    #[arg(long, value_name = "UNIT", value_parser = PossibleValuesParser::new(TimeUnit::ALL.map(|(name, _)| name)), help_heading = "Reading")]
    time_unit: Option<String>,

    /// Set the size of an element in bytes, where message sizes count elements
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Reading")]
    element_size: Option<u64>,

    /// Choose which bytes msg_size counts: those of each block, of the whole buffer, or of all ranks
    #[arg(long, value_name = "BASIS", value_parser = basis, help_heading = "Reading")]
    basis: Option<Basis>,

    /// State which bytes the files count, if their format does not determine it: the bases of --basis, or `share` for the count of
    /// one rank, which is multiplied by the number of ranks where the collective has a single buffer
    #[arg(long, value_name = "BASIS", value_parser = counted, help_heading = "Reading")]
    basis_in: Option<Counted>,

    /// Combine the times of the ranks of a repeat with this statistic, if the files do not specify it
    #[arg(long, value_name = "STATISTIC", value_parser = PossibleValuesParser::new(RankStatistic::ALL.map(|(name, _)| name)), help_heading = "Reading")]
    ranks: Option<String>,

    /// Combine repeats with this statistic: median, mean, geomean, trimmed (without the fastest and slowest tenth), min, max, or a
    /// quantile such as p90 [default: median]
    #[arg(long, value_name = "STATISTIC", value_parser = statistic, help_heading = "Map")]
    statistic: Option<Statistic>,

    /// Drop this many repeats at the beginning of each run (or file) of a point and method; one of each run is always kept
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, help_heading = "Map")]
    drop_first: usize,

    /// Use only this many repeats of each point and method, after others are dropped
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Map")]
    first: Option<usize>,

    /// Drop repeats above the upper fence, 1.5 times the interquartile range above the third quartile
    #[arg(long, help_heading = "Map")]
    drop_outliers: bool,

    /// Mark a method as the library's own choice, the baseline; it is chosen where it is best
    #[arg(long, value_name = "METHOD", help_heading = "Map")]
    baseline: Vec<String>,

    /// Never choose the baseline; it still has costs for comparison
    #[arg(long, requires = "baseline", help_heading = "Map")]
    no_default: bool,

    /// Exclude a method; * matches any characters
    #[arg(long, value_name = "METHOD", help_heading = "Map")]
    exclude: Vec<String>,

    /// Restrict where a method may run: power_of_two, commutative, count>=comm_size or comm_size=N
    #[arg(long, value_name = "METHOD=WHERE", value_parser = requirement, help_heading = "Map")]
    requires: Vec<(String, Requirement)>,

    /// Keep all methods within this many per cent of the best as `ties`, from which a tree may choose freely [default: 5]
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "5", value_parser = percent, help_heading = "Map")]
    tie_tolerance: Option<f64>,

    /// Keep only ties that the rank-sum test cannot distinguish from the best at this level [default: 0.05]
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "0.05", value_parser = level, help_heading = "Map")]
    tie_test: Option<f64>,

    /// Treat cells without times this way: leave them empty, use the nearest cell's method, or interpolate each method's times
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Gaps::ALL.map(|(name, _)| name)), help_heading = "Map")]
    gaps: Option<String>,

    /// Add sizes that were not measured, such as msg_size=1..1M*2, and interpolate the times of each method there, linearly between
    /// the logarithms; the error is estimated by leaving out every other measured size
    #[arg(long, value_name = "AXIS=SIZES", value_parser = grid, help_heading = "Map")]
    grid: Vec<GridSizes>,

    /// Treat warnings as errors
    #[arg(long, help_heading = "Map")]
    strict: bool,
}

impl MeasureArguments {
    /// Reads the files and returns the measurements with the warnings; shows the progress in a terminal.
    pub(super) fn read(&self, files: &[String]) -> Result<(Measurements, Notes), Failure> {
        self.read_with(files, &self.read_options())
    }

    fn read_with(&self, files: &[String], options: &ReadOptions) -> Result<(Measurements, Notes), Failure> {
        let (read, notes) = self.read_quietly(files, options)?;
        self.print_notes(&notes)?;
        Ok((read, notes))
    }

    /// Reads the files without printing the warnings.
    fn read_quietly(
        &self,
        files: &[String],
        options: &ReadOptions,
    ) -> Result<(Measurements, Notes), Failure> {
        let bar = progress();
        let read = readers::read(files, options, &mut |name, input| {
            bar.set_message(name.to_owned());
            Box::new(bar.wrap_read(input)) as Box<dyn Read>
        });
        bar.finish_and_clear();
        let (measurements, notes) = read.map_err(|failed| failures(&failed))?;
        let cleaning =
            Cleaning { drop_first: self.drop_first, first: self.first, drop_outliers: self.drop_outliers };
        Ok((cleaning.apply(&measurements), notes))
    }

    /// Reads the files by collective: all that they contain, or only the requested one. If nothing else names the collective, it is
    /// that of the library's own choice among the methods.
    pub(super) fn read_each(&self, files: &[String], library: Library) -> Result<Vec<Measurements>, Failure> {
        let options = self.read_options();
        let found = readers::collectives(files, &options, &mut |_, input| input);
        let found = found.map_err(|failed| failures(&failed))?;
        let names: Vec<Option<String>> =
            if found.len() > 1 { found.into_iter().map(Some).collect() } else { vec![options.collective] };
        let mut all = Vec::new();
        for collective in names {
            let of = |collective| ReadOptions { collective, ..self.read_options() };
            let (read, notes) = self.read_quietly(files, &of(collective))?;
            let unnamed = read.collective.is_none();
            match collective_of_default(&read, &self.baseline, Some(library)).filter(|_| unnamed) {
                None => {
                    self.print_notes(&notes)?;
                    all.push(read);
                }
                collective => all.push(self.read_with(files, &of(collective))?.0),
            }
        }
        Ok(all)
    }

    /// Returns the outputs of a command that reads the files.
    pub(super) fn outputs(&self, files: &[String]) -> Outputs {
        Outputs::of_measurements(files.iter().map(String::as_str), self.read_options())
    }

    /// Returns the requested format.
    pub(super) fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// Returns whether the user names columns, which only files with times have.
    pub(super) fn names_columns(&self) -> bool {
        self.columns.is_some()
    }

    /// Returns the requested collective.
    pub(super) fn collective(&self) -> Option<&str> {
        self.collective.as_deref()
    }

    /// Returns the first method that is marked as the library's own choice.
    pub(super) fn baseline(&self) -> Option<&str> {
        self.baseline.first().map(String::as_str)
    }

    /// Returns what message sizes count in files that do not specify it.
    pub(super) fn basis_of_files(&self) -> Option<Counted> {
        self.basis_in
    }

    fn read_options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone().unwrap_or_default(),
            filters: self.filters.clone(),
            repeats: self.repeats.clone(),
            collective: self.collective.clone(),
            fixed: self.fixed.iter().cloned().collect::<BTreeMap<_, _>>(),
            path: self.path.clone(),
            element_size: self.element_size,
            basis_in: self.basis_in,
            basis: self.basis,
            time_unit: named(&TimeUnit::ALL, self.time_unit.as_ref()),
            ranks: named(&RankStatistic::ALL, self.ranks.as_ref()).unwrap_or_default(),
            format: self.format.clone(),
            command: Some(command_line(std::env::args_os().skip(1))),
        }
    }

    /// Returns the map and the warnings; `files` is the name of the measurements in messages.
    pub(super) fn map(
        &self,
        measurements: &Measurements,
        files: &str,
    ) -> Result<(DecisionMap, Notes), Failure> {
        let mut notes = Notes::default();
        let progress = Progress::of(1);
        progress.begin("the best methods");
        let map = reported(files, self.recipe(measurements).map(measurements, &mut notes))?;
        drop(progress);
        self.print_notes(&notes)?;
        self.report_grid_error(measurements, files)?;
        Ok((map, notes))
    }

    /// Returns a map of a part of the measurements, without repeating the warnings about the whole. If `price` is
    /// set, that statistic determines the costs and thus the best methods.
    pub(super) fn priced_map(
        &self,
        measurements: &Measurements,
        files: &str,
        price: Option<Statistic>,
    ) -> Result<DecisionMap, Failure> {
        let mut recipe = self.recipe(measurements);
        recipe.statistic = price.or(recipe.statistic);
        reported(files, recipe.map(measurements, &mut Notes::default()))
    }

    /// Returns the methods to exclude, by label; a pattern that matches none is returned unchanged.
    fn excluded(&self, measurements: &Measurements) -> Vec<String> {
        let labels: Vec<String> = measurements.methods().map(|method| method.label()).collect();
        let of_pattern = |pattern: &String| {
            let fits = |label: &&String| !labels.contains(pattern) && is_of(pattern, label);
            let found: Vec<String> = labels.iter().filter(fits).cloned().collect();
            if found.is_empty() { vec![pattern.clone()] } else { found }
        };
        self.exclude.iter().flat_map(of_pattern).collect()
    }

    /// Returns the options for making a map from measurements.
    pub(super) fn recipe(&self, measurements: &Measurements) -> Recipe {
        let distinction = self.tie_test.map(|level| Distinction { level });
        let tolerance = self.tie_tolerance.or(distinction.map(|_| TieRule::default().tolerance));
        Recipe {
            collective: self.collective.as_deref().map(str::to_lowercase),
            statistic: self.statistic,
            baseline: self.baseline.clone(),
            no_default: self.no_default,
            exclude: self.excluded(measurements),
            requires: self.requires.clone(),
            ties: tolerance.map(|tolerance| TieRule { tolerance, distinction }),
            gaps: named(&Gaps::ALL, self.gaps.as_ref()).unwrap_or_default(),
            grid: self.grid.clone(),
        }
    }

    /// Reports the error of interpolated times, estimated at measured sizes.
    fn report_grid_error(&self, measurements: &Measurements, files: &str) -> Result<(), Failure> {
        if self.grid.is_empty() {
            return Ok(());
        }
        let recipe = Recipe { grid: Vec::new(), ..self.recipe(measurements) };
        let measured = reported(files, recipe.map(measurements, &mut Notes::default()))?;
        for GridSizes { axis, .. } in &self.grid {
            let Some(GridError { cells, times, interpolated, floor }) = grid_error(&measured, axis) else {
                output::note(&format!(
                    "{axis} has fewer than three sizes: the error of its interpolation is unknown"
                ));
                continue;
            };
            output::note(&format!(
                "with every other {axis} left out ({cells} cells), interpolated times are off by {:.1} % in \
                     the median; choices based on them cost {interpolated:.2} points, and choices of the \
                     next smaller size {floor:.2}",
                100.0 * ((times / 100.0).exp() - 1.0),
            ));
        }
        Ok(())
    }

    fn print_notes(&self, notes: &Notes) -> Result<(), Failure> {
        if self.strict && !notes.is_empty() {
            return Err(Failure::Input(
                notes.lines().map(|line| visible::lines(&line).into_owned()).collect(),
            ));
        }
        for line in notes.lines() {
            output::warn(&line);
        }
        Ok(())
    }
}

/// The longest command line that a message repeats.
const LONGEST_COMMAND: usize = 400;

/// Returns the command line with these words, without `--columns`; nothing if it is long or not text.
fn command_line(words: impl Iterator<Item = OsString>) -> String {
    let words: Option<Vec<String>> = words.map(|word| word.into_string().ok()).collect();
    let mut words = words.unwrap_or_default().into_iter();
    let mut command = "qtdec".to_owned();
    while let Some(word) = words.next() {
        if word == "--columns" {
            words.next();
        } else if !word.starts_with("--columns=") {
            command.push(' ');
            command.push_str(&shlex::try_quote(&word).unwrap_or_default());
        }
    }
    if command.len() > LONGEST_COMMAND || command == "qtdec" { String::new() } else { command }
}

/// Returns the options for reading times on the command line, each after a blank, quoted for a shell. `--collective` is left out.
pub(super) fn reading_options() -> String {
    reading_options_of(std::env::args_os().skip(1))
}

fn reading_options_of(words: impl Iterator<Item = OsString>) -> String {
    let of_reading = MeasureArguments::augment_args(Command::default());
    let is_reading = |name: &str| {
        let mut arguments =
            of_reading.get_arguments().filter(|one| one.get_help_heading() == Some("Reading"));
        name != "collective" && arguments.any(|argument| argument.get_long() == Some(name))
    };
    let words: Option<Vec<String>> = words.map(|word| word.into_string().ok()).collect();
    let mut words = words.unwrap_or_default().into_iter();
    let mut options = String::new();
    while let Some(word) = words.next() {
        let name = word.strip_prefix("--").unwrap_or_default();
        let (name, has_value) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
        if !is_reading(name) {
            continue;
        }
        for word in [Some(word.clone()), if has_value { None } else { words.next() }].into_iter().flatten() {
            options.push(' ');
            options.push_str(&shlex::try_quote(&word).unwrap_or_default());
        }
    }
    options
}

/// Returns the value, or its problems under the name of the files it was made from.
pub(super) fn reported<T>(files: &str, result: Result<T, Problems>) -> Result<T, Failure> {
    result.map_err(|problems| Failure::Input(reports(files, &problems)))
}

/// Returns the problems of the files; a problem that several files share is reported for the first of them.
pub(super) fn failures(failed: &[readers::Failed]) -> Failure {
    let mut by_kind: IndexMap<String, Vec<&str>> = IndexMap::new();
    let mut all = Vec::new();
    for readers::Failed { file, problems } in failed {
        for problem in problems {
            let same = by_kind.entry(problem.message.kind()).or_default();
            if same.iter().all(|known| *known == file) {
                all.extend(reports(file, &problem.clone().into()));
            }
            if same.last() != Some(&&**file) {
                same.push(file);
            }
        }
        if problems.further() > 0 && failed.len() == 1 {
            all.push(further(file, problems));
        }
    }
    let shared: IndexSet<Vec<&str>> = by_kind.into_values().filter(|files| files.len() > 1).collect();
    for files in shared {
        all.push(format!(
            "{} files have this problem, from `{}` to `{}`",
            files.len(),
            visible::line(files[0]),
            visible::line(files[files.len() - 1])
        ));
    }
    Failure::Input(all)
}

fn further(file: &str, problems: &Problems) -> String {
    format!("`{}` has {} more problems like these", visible::line(file), problems.further())
}

pub(super) fn reports(file: &str, problems: &Problems) -> Vec<String> {
    let report = |problem: &Problem| {
        let mut problem = problem.clone();
        // The files have no such part: it is one of the map that was made from them.
        if !matches!(problem.place, Place::Line(_)) {
            problem.place = Place::File;
        }
        problem.report(file, None, Syntax::Command, &output::renderer())
    };
    let mut reports: Vec<String> = problems.iter().map(report).collect();
    if problems.further() > 0 {
        reports.push(further(file, problems));
    }
    reports
}

fn progress() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {bytes} at {bytes_per_sec} {wide_msg}");
    ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

fn named<T: Copy>(known: &[(&str, T)], name: Option<&String>) -> Option<T> {
    known.iter().find(|(known, _)| Some(*known) == name.map(String::as_str)).map(|(_, value)| *value)
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn fixed(text: &str) -> Result<(String, String), String> {
    let (name, value) = pair(text)?;
    Ok((readers::axis_name(&name)?.to_owned(), value))
}

/// Parses `METHOD=REQUIREMENT`; both may contain a `=` themselves.
fn requirement(text: &str) -> Result<(String, Requirement), String> {
    let split = |(at, _): (usize, &str)| {
        Some((text[..at].to_owned(), Requirement::parse(&text[at + 1..])?))
            .filter(|(name, _)| !name.is_empty())
    };
    let forms = || format!("write METHOD= and one of {}", Requirement::FORMS.join(", "));
    text.match_indices('=').find_map(split).ok_or_else(forms)
}

pub(super) fn basis(text: &str) -> Result<Basis, String> {
    named(&Basis::ALL, Some(&text.to_owned())).ok_or_else(|| "one of block, buffer and total".to_owned())
}

fn counted(text: &str) -> Result<Counted, String> {
    Counted::parse(text).ok_or_else(|| "one of block, buffer, total and share".to_owned())
}

pub(super) fn statistic(text: &str) -> Result<Statistic, String> {
    let known = "median, mean, geomean, trimmed, min, max, or a quantile such as p90";
    Statistic::parse(text).ok_or_else(|| known.to_owned())
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "a whole number of at least 1".to_owned())
}

fn grid(text: &str) -> Result<GridSizes, String> {
    let (axis, sizes) = pair(text)?;
    Ok(GridSizes { axis, sizes: sizes::sizes(&sizes)? })
}

/// Returns whether a text matches a pattern in which `*` stands for any characters.
fn is_of(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, inner)) = parts.split_last() else { return rest.is_empty() };
    for part in inner {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

pub(super) fn percent(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|percent| *percent >= 0.0 && f64::is_finite(*percent))
        .ok_or_else(|| "a percentage, such as 5".to_owned())
}

fn level(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|level| *level > 0.0 && *level < 1.0)
        .ok_or_else(|| "a number between 0 and 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{command_line, is_of};

    #[test]
    fn a_command_is_repeated_without_its_columns() {
        let repeated = |words: &[&str]| command_line(words.iter().map(Into::into));
        let words = ["map", "a b.txt", "--columns", "time=1", "--path", "{method}.txt", "--columns=time=2"];
        assert_eq!(repeated(&words), "qtdec map 'a b.txt' --path '{method}.txt'");
        assert_eq!(repeated(&["map"; 200]), "");
    }

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, fitting, others) in [
            ("ring", &["ring"][..], &["rings", "rin", ""][..]),
            ("ring*", &["ring", "ring/1024"], &["tring"]),
            ("*ring", &["ring", "tring", "ringring"], &["rings"]),
            ("a*b*c", &["abc", "a1b2c", "abbcc"], &["ab", "acb", "xabc"]),
            ("*", &["", "a"], &[]),
            ("ab*ba", &["abba", "ab/ba"], &["aba"]),
        ] {
            for text in fitting {
                assert!(is_of(pattern, text), "{pattern} {text}");
            }
            for text in others {
                assert!(!is_of(pattern, text), "{pattern} {text}");
            }
        }
    }
}
