//! Options for reading times and for making a map from them, of `qtdec map` and `qtdec-mpi tune`.

use std::fs;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use qtdec_core::DecisionMap;
use qtdec_core::domain::Requirement;

use crate::destination::Outputs;
use crate::lacking::{completed, lacking};
use crate::option_values::{named, pair, percent, statistic};
use crate::progress::Progress;
use crate::reading::ReadArguments;
use crate::reports::reported;
use crate::{Failure, fitted, output, sizes};
use qtdec_study::measurements::{Cleaning, Measurements, Statistic};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions, some_of};
use qtdec_study::selection::{
    Distinction, Gaps, GridError, GridSizes, Recipe, Recorded, TieRule, grid_error,
};
use qtdec_study::terms::{Preset, Terms};

/// Options for reading files with times and for making a map from them.
#[derive(Debug, Args)]
pub struct MeasureArguments {
    #[command(flatten)]
    reading: ReadArguments,

    #[command(flatten)]
    map: MapArguments,
}

/// Options for making a map from times.
#[derive(Debug, Args)]
pub struct MapArguments {
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

    /// Mark a method as the baseline, which is what is used without a decision; it is chosen where it is best
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

    /// Fit sums of terms to the times of each method and fill a dense map with them: linear, alpha-beta, tiled, a file with a term in
    /// each line, or a sum such as '1 + ceil(m/mr)*mr*k' over axes and constants of methods
    #[arg(long, value_name = "PRESET|FILE", value_parser = terms, conflicts_with_all = ["grid", "gaps", "tie_test"], help_heading = "Map")]
    terms: Option<Terms>,
}

impl MeasureArguments {
    /// Reads the files and returns the measurements with the warnings; shows the progress in a terminal.
    pub fn read(&self, files: &[String]) -> Result<(Measurements, Notes), Failure> {
        self.read_with(files, &self.reading.options())
    }

    fn read_with(&self, files: &[String], options: &ReadOptions) -> Result<(Measurements, Notes), Failure> {
        let (read, notes) = self.read_quietly(files, options)?;
        self.reading.print_notes(&notes)?;
        Ok((read, notes))
    }

    /// Reads the files without printing the warnings.
    fn read_quietly(
        &self,
        files: &[String],
        options: &ReadOptions,
    ) -> Result<(Measurements, Notes), Failure> {
        let read = ReadArguments::with(|watch| readers::read(files, options, watch));
        let (measurements, notes) = read.map_err(|failure| Self::with_lacking(failure, files, options))?;
        Ok((self.cleaning().applied_to(measurements), notes))
    }

    /// Returns the options that the command line lacks to read the files, if nothing else is wrong, and the measurements with them.
    pub fn lacking_options(&self, files: &[String]) -> Option<(Vec<String>, Measurements)> {
        lacking(files, &self.reading.options())
    }

    /// Reads the files by collective: all that they contain, or only the requested one. If nothing else names the collective, it is
    /// that of the library's own choice among the methods.
    pub fn read_each(
        &self,
        files: &[String],
        collective_of_default: impl Fn(&Measurements, &[String]) -> Option<String>,
    ) -> Result<Vec<Measurements>, Failure> {
        let options = self.reading.options();
        let read = ReadArguments::with(|watch| readers::read_each(files, &options, watch));
        let (all, notes) = read.map_err(|failure| Self::with_lacking(failure, files, &options))?;
        if let [read] = &all[..]
            && read.collective.is_none()
            && let Some(collective) = collective_of_default(read, &self.map.baseline)
        {
            // What the sizes count depends on the collective.
            let options = ReadOptions { collective: Some(collective), ..options };
            return Ok(vec![self.read_with(files, &options)?.0]);
        }
        self.reading.print_notes(&notes)?;
        Ok(all.into_iter().map(|read| self.cleaning().applied_to(read)).collect())
    }

    /// Adds the options that the command line lacks to the failure to read files.
    fn with_lacking(failure: Failure, files: &[String], options: &ReadOptions) -> Failure {
        match lacking(files, options) {
            Some((lacks, _)) if lacks.len() > 1 => completed(failure, &some_of(files), &lacks),
            _ => failure,
        }
    }

    /// Returns the outputs of a command that reads the files.
    pub fn outputs(&self, files: &[String]) -> Outputs {
        self.reading.outputs(files)
    }

    /// Returns the requested collective.
    pub fn collective(&self) -> Option<&str> {
        self.reading.collective()
    }

    /// Returns the map and the warnings; `files` is the name of the measurements in messages.
    pub fn map(&self, measurements: &Measurements, files: &str) -> Result<(DecisionMap, Notes), Failure> {
        let mut notes = Notes::default();
        let progress = Progress::new(1);
        progress.begin("the best methods");
        let made = self.recipe(measurements).map_with_fit(measurements, &mut notes);
        let (map, filled) = reported(files, made)?;
        drop(progress);
        self.reading.print_notes(&notes)?;
        let map = match filled {
            Some(filled) => {
                fitted::report(&filled);
                reported(files, map.with_source(fitted::source(&filled).to_string()))?
            }
            None => map,
        };
        self.report_grid_error(measurements, files)?;
        Ok((map, notes))
    }

    /// Returns a map of a part of the measurements, without repeating the warnings about the whole. If `price` is
    /// set, that statistic determines the costs and thus the best methods.
    pub fn priced_map(
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
        self.map.exclude.iter().flat_map(of_pattern).collect()
    }

    /// Returns the options for making a map from measurements.
    pub fn recipe(&self, measurements: &Measurements) -> Recipe {
        let distinction = self.map.tie_test.map(|level| Distinction { level });
        let tolerance = self.map.tie_tolerance.or(distinction.map(|_| TieRule::default().tolerance));
        Recipe {
            collective: self.reading.collective().map(str::to_lowercase),
            statistic: self.map.statistic,
            baseline: self.map.baseline.clone(),
            no_default: self.map.no_default,
            exclude: self.excluded(measurements),
            requires: self.map.requires.clone(),
            ties: tolerance.map(|tolerance| TieRule { tolerance, distinction }),
            gaps: named(&Gaps::ALL, self.map.gaps.as_ref()).unwrap_or_default(),
            grid: self.map.grid.clone(),
            terms: self.map.terms.clone(),
        }
    }

    fn cleaning(&self) -> Cleaning {
        let MapArguments { drop_first, first, drop_outliers, .. } = self.map;
        Cleaning { drop_first, first, drop_outliers }
    }

    /// Returns the options as a map records them.
    pub fn recorded(&self, measurements: &Measurements) -> Recorded {
        Recorded {
            recipe: self.recipe(measurements),
            cleaning: self.cleaning(),
            filters: self.reading.filters().to_vec(),
        }
    }

    /// Reports the error of interpolated times, estimated at measured sizes.
    fn report_grid_error(&self, measurements: &Measurements, files: &str) -> Result<(), Failure> {
        if self.map.grid.is_empty() {
            return Ok(());
        }
        let recipe = Recipe { grid: Vec::new(), ..self.recipe(measurements) };
        let measured = reported(files, recipe.map(measurements, &mut Notes::default()))?;
        for GridSizes { axis, .. } in &self.map.grid {
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
}

/// Returns the words of the options for reading times on the command line.
pub fn reading_options() -> Vec<String> {
    let of_reading = ReadArguments::augment_args(Command::default());
    let is_reading = |name: &str| {
        let mut arguments =
            of_reading.get_arguments().filter(|one| one.get_help_heading() == Some("Reading"));
        arguments.any(|argument| argument.get_long() == Some(name))
    };
    let words: Option<Vec<String>> =
        std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
    let mut words = words.unwrap_or_default().into_iter();
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        let name = word.strip_prefix("--").unwrap_or_default();
        let (name, has_value) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
        if is_reading(name) {
            options.push(word.clone());
            options.extend(if has_value { None } else { words.next() });
        }
    }
    options
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

fn count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "a whole number of at least 1".to_owned())
}

/// Parses the name of a preset, the terms in a file, or terms.
fn terms(text: &str) -> Result<Terms, String> {
    let is_preset = Preset::ALL.iter().any(|(name, _)| *name == text);
    let is_file = !is_preset && Path::new(text).is_file();
    let text = if is_file {
        fs::read_to_string(text).map_err(|error| format!("{text}: cannot be read: {error}"))?
    } else {
        text.to_owned()
    };
    let parsed = Terms::parse(&text);
    parsed.map_err(|problem| {
        let names = Preset::ALL.map(|(name, _)| name).join(", ");
        let others = format!("; there is no such file, and the presets are {names}");
        format!("{problem}{}", if is_file { "" } else { &others })
    })
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

fn level(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|level| *level > 0.0 && *level < 1.0)
        .ok_or_else(|| "a number between 0 and 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::is_of;

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
