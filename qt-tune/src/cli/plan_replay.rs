//! `qtdec plan --replay`: a replay of a plan on an archive of measurements.

use std::collections::BTreeMap;

use super::destination::Outputs;
use super::measure::{failures, reported};
use super::plan_arguments::Arguments;
use super::progress::Progress;
use super::{Failure, output};
use crate::campaign::race::{Judged, Replayed, Rule, Saved, replay, saved_without_hold_out};
use crate::measure::hold_out::HoldOut;
use crate::measure::measurements::Cleaning;
use crate::measure::readers;
use crate::measure::selection::Recipe;
use crate::report::table::{Cell, Form, Table};
use crate::study::interval::Interval;
use crate::study::sweep::Spread;
use crate::tune::default_of;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (archive, name) = (&arguments.archive, arguments.replay.join(", "));
    let inputs = arguments.replay.iter().map(String::as_str);
    let destination = Outputs::of_measurements(inputs, archive.read_options(None)).add(&arguments.output)?;
    let collectives: Vec<Option<String>> = match &arguments.collective[..] {
        [] => {
            let options = archive.read_options(None);
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
        ("on all repeats", "saved_without_hold_out"),
        ("held out: points", "points"),
        ("with all", "all_points"),
        ("lost", "lost"),
        ("95 %", "lost_interval"),
        ("over cells", "cells"),
    ]);
    let (mut total, mut same_run) = (Row::default(), false);
    let collectives_played = collectives.len();
    let progress = Progress::of(collectives_played);
    for collective in collectives {
        progress.begin(collective.as_deref().unwrap_or("the archive"));
        let options = archive.read_options(collective.clone());
        let read = readers::read(&arguments.replay, &options, &mut |_, input| input);
        let (measurements, _) = read.map_err(|failed| failures(&failed))?;
        let warm = Cleaning { drop_first: archive.warm_up, ..Cleaning::default() };
        let measurements = warm.apply(&measurements);
        let named = collective.as_deref().unwrap_or("all");
        let baseline = archive.baseline.clone().or_else(|| default_of(&measurements, None));
        if baseline.is_none() {
            let warning = format!(
                "{named}: no method is known to be the default, so any of them may be dropped: name it with \
                     --baseline"
            );
            progress.suspend(|| output::warn(&warning));
        }
        same_run |= archive.splits.is_some() || HoldOut::best_of(&measurements) != "runs";
        let recipe = Recipe { baseline: baseline.into_iter().collect(), ..Recipe::default() };
        let seeds: Vec<Option<u64>> = match archive.splits {
            Some(splits) => (1..=splits).map(Some).collect(),
            None => vec![None],
        };
        let played = seeds.into_iter().map(|seed| replay(&measurements, &recipe, arguments.rule(), seed));
        let played: Vec<Replayed> = reported(&name, played.collect())?;
        let axes: Vec<&str> = measurements.axes().iter().map(|axis| axis.name.as_str()).collect();
        let row = Row::of(&played, saved_without_hold_out(&measurements, &recipe, arguments.rule()));
        if let Some(note) = row.one_cell(&axes) {
            progress.suspend(|| output::warn(&format!("{named}: {note}")));
        }
        table.row(row.cells(named));
        total.add(row);
        progress.done();
    }
    drop(progress);
    if collectives_played > 1 {
        table.row(total.cells("total"));
    }
    if same_run {
        output::warn("the held-out times are from the same run, so the points lost are optimistic");
    }
    output::eprint(&match arguments.rule() {
        Rule::Fixed(repeats) => format!("each method {repeats} times, in the order of the archive"),
        Rule::Race => "a race by factors, in the order of the archive".to_owned(),
        Rule::Halving => "a race by halving, in the order of the archive".to_owned(),
    });
    destination.write(&table.write(Form::Text))
}

/// A row of the table: sums over the splits, and the cost of each cell as a mean over the splits.
#[derive(Default)]
struct Row {
    splits: u64,
    part: Saved,
    whole: Saved,
    cells: Vec<(Vec<u64>, Judged)>,
}

impl Row {
    fn of(played: &[Replayed], whole: Saved) -> Self {
        let mut row = Self { splits: played.len().max(1) as u64, whole, ..Self::default() };
        let mut cells: BTreeMap<&[u64], Vec<Judged>> = BTreeMap::new();
        for played in played {
            row.part += played.saved;
            for (sizes, judged) in &played.cells {
                cells.entry(sizes).or_default().push(*judged);
            }
        }
        let mean = |judged: Vec<Judged>| {
            let mean = |of: fn(&Judged) -> f64| judged.iter().map(of).sum::<f64>() / judged.len() as f64;
            Judged { points: mean(|judged| judged.points), all_points: mean(|judged| judged.all_points) }
        };
        row.cells = cells.into_iter().map(|(sizes, judged)| (sizes.to_vec(), mean(judged))).collect();
        row
    }

    fn add(&mut self, other: Self) {
        self.splits = other.splits;
        self.part += other.part;
        self.whole += other.whole;
        self.cells.extend(other.cells);
    }

    fn lost(&self) -> Option<Interval> {
        Interval::of(&self.cells.iter().map(|(_, judged)| judged.lost()).collect::<Vec<_>>())
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
            let cell: Vec<String> =
                axes.iter().zip(sizes).map(|(axis, size)| format!("{axis}={size}")).collect();
            format!(
                "one cell of {}, {}, causes {share:.2} of the {lost:.2} points lost; if times are bimodal, \
                     the result of one split is a matter of chance: try --splits 20",
                self.cells.len(),
                cell.join(" ")
            )
        })
    }

    fn cells(&self, collective: &str) -> Vec<Cell> {
        let mean = |of: fn(&Judged) -> f64| {
            let costs: Vec<f64> = self.cells.iter().map(|(_, judged)| of(judged)).collect();
            Spread::of(&costs).map_or(0.0, |spread| spread.mean)
        };
        vec![
            Cell::Text(collective.to_owned()),
            Cell::Whole(self.part.repeats / self.splits),
            Cell::Whole(self.part.all_repeats / self.splits),
            Cell::Number(self.part.times()),
            Cell::Number(self.whole.times()),
            Cell::Number(mean(|judged| judged.points)),
            Cell::Number(mean(|judged| judged.all_points)),
            Cell::Number(mean(Judged::lost)),
            self.lost()
                .map_or(Cell::Missing, |lost| Cell::Text(format!("{:+.2} … {:+.2}", lost.low, lost.high))),
            Cell::Whole(self.cells.len() as u64),
        ]
    }
}
