//! `qtdec plan --replay`: a plan played against an archive.

use clap::Args;
use qtdec_core::Basis;

use super::measure::{basis, failures, reported};
use super::plan::Arguments;
use super::{Failure, output};
use crate::campaign::race::{Replayed, Rule, replay};
use crate::measure::hold_out::HoldOut;
use crate::measure::measurements::Cleaning;
use crate::measure::readers::{self, Columns, PathPattern, ReadOptions};
use crate::measure::selection::Recipe;
use crate::report::table::{Cell, Form, Table};
use crate::study::sweep::Spread;
use crate::tune::default_of;

/// How the archive is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Race")]
pub(super) struct ArchiveArguments {
    /// Map the columns of the archive to their meanings, as in qtdec map
    #[arg(long, value_name = "KEY=COLUMN,…", value_parser = Columns::parse, requires = "replay")]
    columns: Option<Columns>,

    /// Read method and sizes from the paths of the archive, as in qtdec map
    #[arg(long, value_name = "PATTERN", value_parser = PathPattern::parse, requires = "replay")]
    path: Option<PathPattern>,

    /// Set the size in bytes of an element of the archive
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..), requires = "replay")]
    element_size: Option<u64>,

    /// Choose which bytes message sizes count
    #[arg(long, value_name = "BASIS", value_parser = basis, requires = "replay")]
    basis: Option<Basis>,

    /// Name the method of the archive that is the library's own choice; known names are recognised
    #[arg(long, value_name = "METHOD", requires = "replay")]
    baseline: Option<String>,

    /// Ignore this many repeats at the beginning of each run (or file) as warm-up
    #[arg(long, value_name = "N", default_value_t = 1, requires = "replay")]
    warm_up: usize,

    /// Hold out a random half of the repeats this many times, instead of the later runs or the second half
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "replay")]
    splits: Option<u64>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (archive, name) = (&arguments.archive, arguments.replay.join(", "));
    let collectives: Vec<Option<String>> = match &arguments.collective[..] {
        [] => {
            let options = read_options(archive, None);
            let found = readers::collectives(&arguments.replay, &options, &mut |_, input| input);
            let found = found.map_err(|failed| failures(&failed))?;
            if found.is_empty() { vec![None] } else { found.into_iter().map(Some).collect() }
        }
        named => named.iter().cloned().map(Some).collect(),
    };
    let mut table = Table::new(&[
        ("collective", "collective"),
        ("repeats", "repeats"),
        ("of", "all_repeats"),
        ("times less time", "saved"),
        ("held out: points", "points"),
        ("with all", "all_points"),
        ("lost", "lost"),
        ("over cells", "cells"),
    ]);
    for collective in collectives {
        let options = read_options(archive, collective.clone());
        let read = readers::read(&arguments.replay, &options, &mut |_, input| input);
        let (measurements, _) = read.map_err(|failed| failures(&failed))?;
        let warm = Cleaning { drop_first: archive.warm_up, ..Cleaning::default() };
        let measurements = warm.apply(&measurements);
        let baseline = archive.baseline.clone().or_else(|| default_of(&measurements));
        if baseline.is_none() {
            output::warn(
                "no method is known to be the default, so each may be dropped: name it with --baseline",
            );
        }
        if archive.splits.is_some() || HoldOut::best_of(&measurements) != "runs" {
            output::warn("what is held out was measured in the same run: the points lost are optimistic");
        }
        let recipe = Recipe { baseline: baseline.into_iter().collect(), ..Recipe::default() };
        let seeds: Vec<Option<u64>> = match archive.splits {
            Some(splits) => (1..=splits).map(Some).collect(),
            None => vec![None],
        };
        let played = seeds.into_iter().map(|seed| replay(&measurements, &recipe, arguments.rule(), seed));
        let played: Vec<Replayed> = reported(&name, played.collect())?;
        table.row(row(collective.as_deref().unwrap_or("all"), &played));
    }
    output::tell(&match arguments.rule() {
        Rule::Fixed(repeats) => format!("each method {repeats} times, in the order of the archive"),
        Rule::Race => "a race by factors, in the order of the archive".to_owned(),
        Rule::Halving => "a race by halving, in the order of the archive".to_owned(),
    });
    output::print(&table.write(Form::Text))
}

fn read_options(archive: &ArchiveArguments, collective: Option<String>) -> ReadOptions {
    ReadOptions {
        columns: archive.columns.clone().unwrap_or_default(),
        path: archive.path.clone(),
        element_size: archive.element_size,
        basis: archive.basis,
        collective,
        ..ReadOptions::default()
    }
}

fn row(collective: &str, played: &[Replayed]) -> Vec<Cell> {
    let mean = |of: fn(&Replayed) -> f64| {
        Spread::of(&played.iter().map(of).collect::<Vec<_>>()).map_or(0.0, |spread| spread.mean)
    };
    let whole = |of: fn(&Replayed) -> u64| {
        Cell::Whole(played.iter().map(of).sum::<u64>() / played.len().max(1) as u64)
    };
    vec![
        Cell::Text(collective.to_owned()),
        whole(|played| played.repeats),
        whole(|played| played.all_repeats),
        Cell::Number(mean(Replayed::saved)),
        Cell::Number(mean(|played| played.points)),
        Cell::Number(mean(|played| played.all_points)),
        Cell::Number(mean(Replayed::lost)),
        whole(|played| played.cells),
    ]
}
