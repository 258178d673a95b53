//! Replay of a plan on an archive of full measurements, in the archive's order.

use std::collections::BTreeMap;

use qtdec_core::{Borders, DecisionMap, Place, Problem, Problems};

use super::wanted;
use qtdec_study::hold_out::HoldOut;
use qtdec_study::measurements::{Measurements, Repeat};
use qtdec_study::notes::Notes;
use qtdec_study::selection::Recipe;

/// The measurements that a plan would have made, and the cost of its choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The part of the archive's training part that it measures.
    pub saved: Saved,
    /// The cells that were judged, by their sizes.
    pub cells: BTreeMap<Vec<u64>, Judged>,
}

/// The measurements of a plan compared with all measurements of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Saved {
    /// The number of repeats that it measures.
    pub repeats: u64,
    /// The number of all repeats.
    pub all_repeats: u64,
    /// The sum of the times that it measures, in the archive's unit.
    pub time: f64,
    /// The sum of all times.
    pub all_time: f64,
}

/// The cost of the choices in a cell at times that were held out, in points: 100 · ln(t\[chosen\] / t\[best\]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The choice by the times that the plan measures.
    pub points: f64,
    /// The choice by all times of the training part.
    pub all_points: f64,
}

impl Judged {
    /// Returns the additional cost of the choice by the plan, in points.
    pub fn lost(&self) -> f64 {
        self.points - self.all_points
    }
}

impl Saved {
    /// Returns the factor by which measuring time is reduced.
    pub fn times(&self) -> f64 {
        self.all_time / self.time
    }

    fn new(raced: &Measurements, all: &Measurements) -> Self {
        let ((repeats, time), (all_repeats, all_time)) = (sum(raced), sum(all));
        Self { repeats, all_repeats, time, all_time }
    }
}

/// Returns the number of repeats, and the sum of their times.
fn sum(part: &Measurements) -> (u64, f64) {
    let repeats = part.all_series().flat_map(|(.., series)| series.repeats());
    repeats.fold((0, 0.0), |(repeats, sum), repeat| (repeats + 1, sum + repeat.time))
}

impl std::ops::AddAssign for Saved {
    fn add_assign(&mut self, other: Self) {
        self.repeats += other.repeats;
        self.all_repeats += other.all_repeats;
        self.time += other.time;
        self.all_time += other.all_time;
    }
}

/// Replays a race on one part of an archive, and evaluates its choices on the other: the later runs if there are several,
/// otherwise the second half of the repeats, or a random half determined by `seed`.
///
/// # Errors
///
/// Fails if the archive has no repeats, or if the measurements do not make a map.
pub fn replay(archive: &Measurements, recipe: &Recipe, seed: Option<u64>) -> Result<Replayed, Problems> {
    let hold_out = match (HoldOut::best_of(archive), seed) {
        ("runs", None) => HoldOut::Runs,
        (_, Some(seed)) => HoldOut::Repeats { seed },
        _ => HoldOut::Blocks,
    };
    let (train, test) = hold_out.split(archive)?;
    let raced_part = raced(&train, recipe);
    let map = |part: &Measurements| recipe.map(part, &mut Notes::default());
    let (full, chosen, judge) = (map(&train)?, map(&raced_part)?, map(&test)?);
    let cells = judged(&chosen, &full, &judge);
    if cells.is_empty() {
        let message = "the plan cannot be evaluated: no method was measured often enough to hold times out";
        return Err(Problem::new(Place::File, message)
            .help("use an archive with at least four repeats of each method at a point")
            .into());
    }
    Ok(Replayed { saved: Saved::new(&raced_part, &train), cells })
}

/// Returns what a race measures if it may use all repeats of an archive, with none held out.
///
/// This is the time that a plan saves its user. The training part has only half of the repeats: of five, a plan that measures
/// each method once cannot save more than four.
pub fn saved_without_hold_out(archive: &Measurements, recipe: &Recipe) -> Saved {
    Saved::new(&raced(archive, recipe), archive)
}

fn raced(train: &Measurements, recipe: &Recipe) -> Measurements {
    let labels: Vec<String> = train.labels().collect();
    let default = labels.iter().position(|label| recipe.baseline.contains(label));
    let mut points: Vec<Vec<u64>> = train.all_series().map(|(sizes, ..)| sizes.to_vec()).collect();
    points.dedup();
    let mut raced = train.without_times();
    for sizes in points {
        let series = |method: usize| train.series(&sizes, method).map_or(&[][..], |series| series.repeats());
        let all: Vec<&[Repeat]> = (0..labels.len()).map(series).collect();
        let times: Vec<Vec<f64>> =
            all.iter().map(|repeats| repeats.iter().map(|repeat| repeat.time).collect()).collect();
        let available: Vec<usize> = times.iter().map(Vec::len).collect();
        let mut measured = vec![0; labels.len()];
        loop {
            let known: Vec<&[f64]> =
                times.iter().zip(&measured).map(|(times, &measured)| &times[..measured]).collect();
            let next = wanted(&known, default, &available);
            if next.iter().zip(&measured).all(|(wanted, measured)| wanted <= measured) {
                break;
            }
            for (measured, wanted) in measured.iter_mut().zip(next) {
                *measured = wanted.max(*measured);
            }
        }
        for (method, (repeats, measured)) in all.iter().zip(measured).enumerate() {
            for repeat in &repeats[..measured] {
                raced.record(&sizes, method, *repeat);
            }
        }
    }
    raced
}

/// Returns the costs of the choices of two maps given the times of a third, in the cells where it has times of both.
fn judged(chosen: &DecisionMap, full: &DecisionMap, judge: &DecisionMap) -> BTreeMap<Vec<u64>, Judged> {
    let mut judged = BTreeMap::new();
    for cell in 0..judge.cells().len() {
        if let Some((points, all_points)) = points(chosen, judge, cell).zip(points(full, judge, cell)) {
            judged.insert(judge.domain().sizes(cell), Judged { points, all_points });
        }
    }
    judged
}

/// Returns the cost of a map's choice in a cell of another map, given the times of that one.
fn points(map: &DecisionMap, judge: &DecisionMap, cell: usize) -> Option<f64> {
    let costs = judge.costs()?;
    let best = costs.get(cell, judge.cells()[cell]?)?;
    let method = map.decide(&judge.domain().sizes(cell), Borders::Floor)?;
    let method = judge.domain().find_method(&map.domain().method(method).label())?;
    Some(100.0 * (costs.get(cell, method)? / best).ln())
}
