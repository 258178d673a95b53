//! Options for reading foreign files with times.

use std::collections::BTreeMap;

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_core::domain::Basis;
use qtdec_core::visible;

use crate::option_values::counted;
use crate::{Failure, Outputs, Progress, basis, failures, one_of, output, pair};
use qtdec_study::measurements::{RankStatistic, TimeUnit};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, Counted, Failed, PathPattern, ReadOptions, Watch};

/// Options that complete what files with times say themselves.
#[derive(Debug, Args)]
pub struct ReadArguments {
    /// Read files of this format; recognised from their content by default
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(readers::format_names()), help_heading = "Reading")]
    format: Option<String>,

    /// Map columns to their meanings. The keys method, time, segment_size, collective, run, repeat and rank have fixed meanings,
    /// constant:NAME is a constant of methods, any other key is an axis. Columns joined by + name a method together, or hold the
    /// times of a method each; prefix an axis with `axis:` if its name is a fixed key
    #[arg(long, value_name = "KEY=COLUMN,…", value_parser = Columns::parse, help_heading = "Reading")]
    columns: Option<Columns>,

    /// Read only rows in which a column has this value
    #[arg(long = "where", value_name = "COLUMN=VALUE", value_parser = pair, help_heading = "Reading")]
    pub filters: Vec<(String, String)>,

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
    #[arg(long, value_name = "UNIT", value_parser = one_of(&TimeUnit::ALL), help_heading = "Reading")]
    time_unit: Option<TimeUnit>,

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
    #[arg(long, value_name = "STATISTIC", value_parser = one_of(&RankStatistic::ALL), help_heading = "Reading")]
    ranks: Option<RankStatistic>,

    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

impl ReadArguments {
    /// Calls a function that reads files, and shows the progress in a terminal if it takes over a second.
    pub fn with<T>(read: impl FnOnce(&mut Watch<'_>) -> Result<T, Vec<Failed>>) -> Result<T, Failure> {
        let progress = Progress::reading();
        let read = read(&mut |name, input| progress.read(name, input));
        drop(progress);
        read.map_err(|failed| failures(&failed))
    }

    pub fn outputs(&self, files: &[String]) -> Outputs {
        Outputs::with_options(files.iter().map(String::as_str), self.options())
    }

    pub fn collective(&self) -> Option<&str> {
        self.collective.as_deref()
    }

    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            exclude: Vec::new(),
            columns: self.columns.clone().unwrap_or_default(),
            filters: self.filters.clone(),
            repeats: self.repeats.clone(),
            collective: self.collective.clone(),
            fixed: self.fixed.iter().cloned().collect::<BTreeMap<_, _>>(),
            path: self.path.clone(),
            element_size: self.element_size,
            basis_in: self.basis_in,
            basis: self.basis,
            time_unit: self.time_unit,
            ranks: self.ranks.unwrap_or_default(),
            format: self.format.clone(),
            machine: None,
        }
    }

    /// Prints the warnings, which are errors on request.
    pub fn print_notes(&self, notes: &Notes) -> Result<(), Failure> {
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

fn fixed(text: &str) -> Result<(String, String), String> {
    let (name, value) = pair(text)?;
    Ok((readers::axis_name(&name)?.to_owned(), value))
}
