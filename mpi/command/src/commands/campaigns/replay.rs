//! `qtdec-mpi race --replay`: what a race would have saved, on complete measurements.

use std::collections::BTreeMap;

use clap::Args;

use qtdec_mpi::campaign::race::{Judged, Replayed, Saved, replay, saved_without_hold_out};
use qtdec_mpi::tune::default_of;
use qtdec_report::table::{Cell, Column, Form, Table};
use qtdec_study::hold_out::HoldOut;
use qtdec_study::measurements::Cleaning;
use qtdec_study::selection::Recipe;
use qtdec_study::study::interval::Interval;
use qtdec_study::study::spread::Spread;
use qtdec_terminal::gain::place_of;
use qtdec_terminal::{Failure, Outputs, Progress, output, reported, times};

/// The complete measurements, and how the choices of a race are judged.
#[derive(Debug, Args)]
pub(super) struct ReplayArguments {
    /// Replay a race on complete measurements: canonical times, or files with times that need no options
    #[arg(long = "replay", id = "replay", value_name = "TIMES", num_args = 1.., conflicts_with = "CampaignArguments")]
    times: Vec<String>,

    /// Name the method that is the library's own choice; known names are recognised
    #[arg(long, value_name = "METHOD", requires = "replay")]
    baseline: Option<String>,

    /// Ignore this many repeats at the beginning of each run (or file) as warm-up
    #[arg(long, value_name = "N", default_value_t = 1, requires = "replay")]
    warm_up: usize,

    /// Hold out a random half of the repeats this many times, instead of the later runs or the second half
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "replay")]
    splits: Option<u64>,
}

pub(super) fn run(arguments: &ReplayArguments, output: &str) -> Result<(), Failure> {
    let name = arguments.times.join(", ");
    let inputs = arguments.times.iter().map(String::as_str);
    let destination = Outputs::new(inputs).add(output)?;
    let archives = times::each(&arguments.times)?;
    let mut rows = Vec::new();
    let (mut total, mut same_run) = (Row::default(), false);
    let collectives_played = archives.len();
    let progress = Progress::new(collectives_played);
    for measurements in archives {
        let collective = measurements.collective.clone();
        progress.begin(collective.as_deref().unwrap_or("the times"));
        let warm = Cleaning { drop_first: arguments.warm_up, ..Cleaning::default() };
        let measurements = warm.apply(measurements);
        let named = collective.as_deref().unwrap_or("all");
        let baseline = arguments.baseline.clone().or_else(|| default_of(&measurements, None));
        if baseline.is_none() {
            let warning = format!(
                "{named}: no method is known to be the default, so any of them may be dropped: name it with \
                     --baseline"
            );
            progress.suspend(|| output::warn(&warning));
        }
        same_run |= arguments.splits.is_some() || HoldOut::best_of(&measurements) != "runs";
        let recipe = Recipe { baseline: baseline.into_iter().collect(), ..Recipe::default() };
        let seeds: Vec<Option<u64>> = match arguments.splits {
            Some(splits) => (1..=splits).map(Some).collect(),
            None => vec![None],
        };
        let played = seeds.into_iter().map(|seed| replay(&measurements, &recipe, seed));
        let played: Vec<Replayed> = reported(&name, played.collect())?;
        let axes: Vec<&str> = measurements.axes().iter().map(|axis| axis.name.as_str()).collect();
        let row = Row::new(&played, saved_without_hold_out(&measurements, &recipe));
        if let Some(note) = row.one_cell(&axes) {
            progress.suspend(|| output::warn(&format!("{named}: {note}")));
        }
        total.add(&row);
        rows.push((named.to_owned(), row));
        progress.done();
    }
    drop(progress);
    if collectives_played > 1 {
        rows.push(("total".to_owned(), total));
    }
    if same_run {
        output::warn("the held-out times are from the same run, so the points lost are optimistic");
    }
    output::eprint("a race by factors, in the order of the archive");
    destination.write(&Table::of(&COLUMNS, rows).write(Form::Text))
}

const COLUMNS: [Column<'_, (String, Row)>; 10] = [
    ("collective", "collective", |(name, _)| Cell::Text(name.clone())),
    ("repeats", "repeats", |(_, row)| Cell::Whole(row.part.repeats / row.splits)),
    ("of", "all_repeats", |(_, row)| Cell::Whole(row.part.all_repeats / row.splits)),
    ("times less time", "saved", |(_, row)| Cell::Number(row.part.times())),
    ("on all repeats", "saved_without_hold_out", |(_, row)| Cell::Number(row.whole.times())),
    ("held out: points", "points", |(_, row)| row.mean(|judged| judged.points)),
    ("with all", "all_points", |(_, row)| row.mean(|judged| judged.all_points)),
    ("lost", "lost", |(_, row)| row.mean(Judged::lost)),
    ("95 %", "lost_interval", |(_, row)| Cell::interval(row.lost())),
    ("over cells", "cells", |(_, row)| Cell::Whole(row.cells.len() as u64)),
];

/// A row of the table: sums over the splits, and the cost of each cell as a mean over the splits.
#[derive(Default)]
struct Row {
    splits: u64,
    part: Saved,
    whole: Saved,
    cells: Vec<(Vec<u64>, Judged)>,
}

impl Row {
    fn new(played: &[Replayed], whole: Saved) -> Self {
        let mut row = Self { splits: played.len().max(1) as u64, whole, ..Self::default() };
        let mut cells: BTreeMap<&[u64], Vec<Judged>> = BTreeMap::new();
        for played in played {
            row.part += played.saved;
            for (sizes, judged) in &played.cells {
                cells.entry(sizes).or_default().push(*judged);
            }
        }
        for (sizes, judged) in cells {
            let mean = |of: fn(&Judged) -> f64| judged.iter().map(of).sum::<f64>() / judged.len() as f64;
            let (points, all_points) = (mean(|judged| judged.points), mean(|judged| judged.all_points));
            row.cells.push((sizes.to_vec(), Judged { points, all_points }));
        }
        row
    }

    fn add(&mut self, other: &Self) {
        self.splits = other.splits;
        self.part += other.part;
        self.whole += other.whole;
        self.cells.extend_from_slice(&other.cells);
    }

    fn lost(&self) -> Option<Interval> {
        Interval::new(&self.cells.iter().map(|(_, judged)| judged.lost()).collect::<Vec<_>>())
    }

    /// Returns a warning if a single cell causes a loss of one point and more than half of the loss of a split: that
    /// is probably chance rather than an effect of the plan.
    fn one_cell(&self, axes: &[&str]) -> Option<String> {
        if self.splits > 1 {
            return None;
        }
        let lost = self.lost()?.mean;
        let (sizes, worst) = self.cells.iter().max_by(|(_, a), (_, b)| a.lost().total_cmp(&b.lost()))?;
        let share = worst.lost() / self.cells.len() as f64;
        (share >= 1.0 && share > lost / 2.0).then(|| {
            format!(
                "one cell of {}, {}, causes {share:.2} of the {lost:.2} points lost; if times are bimodal, \
                     the result of one split is a matter of chance: try --splits 20",
                self.cells.len(),
                place_of(axes, sizes)
            )
        })
    }

    fn mean(&self, of: fn(&Judged) -> f64) -> Cell {
        let costs: Vec<f64> = self.cells.iter().map(|(_, judged)| of(judged)).collect();
        Cell::Number(Spread::new(&costs).map_or(0.0, |spread| spread.mean))
    }
}
