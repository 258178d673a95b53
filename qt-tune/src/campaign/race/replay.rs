//! Replay of a plan on an archive of full measurements, in the archive's order.

use qtdec_core::{DecisionMap, Place, Problem, Problems};

use super::Rule;
use crate::measure::hold_out::HoldOut;
use crate::measure::measurements::{Measurements, Repeat};
use crate::measure::notes::Notes;
use crate::measure::selection::Recipe;

/// The measurements that a plan would have made, and the cost of its choices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replayed {
    /// The number of repeats that it measures.
    pub repeats: u64,
    /// The number of repeats in the archive's training part.
    pub all_repeats: u64,
    /// The sum of the times that it measures, in the archive's unit.
    pub time: f64,
    /// The sum of all times of the training part.
    pub all_time: f64,
    /// The cost of its choices at times that were held out: 100 · mean ln(t\[chosen\] / t\[best\]).
    pub points: f64,
    /// The cost of the choices based on all times.
    pub all_points: f64,
    /// The number of cells evaluated.
    pub cells: u64,
}

impl Replayed {
    /// Returns the factor by which measuring time is reduced.
    pub fn saved(&self) -> f64 {
        self.all_time / self.time
    }

    /// Returns the cost of that, in points on held-out times.
    pub fn lost(&self) -> f64 {
        self.points - self.all_points
    }
}

/// Replays a rule on one part of an archive, and evaluates its choices on the other: the later runs if there are several,
/// otherwise the second half of the repeats, or a random half determined by `seed`.
///
/// # Errors
///
/// Fails if the archive has no repeats, or if the measurements do not make a map.
pub fn replay(
    archive: &Measurements,
    recipe: &Recipe,
    rule: Rule,
    seed: Option<u64>,
) -> Result<Replayed, Problems> {
    let hold_out = match (HoldOut::best_of(archive), seed) {
        ("runs", None) => HoldOut::Runs,
        (_, Some(seed)) => HoldOut::Repeats { seed },
        _ => HoldOut::Blocks,
    };
    let (train, test) = hold_out.split(archive)?;
    let raced = raced(&train, recipe, rule);
    let map = |part: &Measurements| recipe.map(part, &mut Notes::default());
    let (full, chosen, judge) = (map(&train)?, map(&raced)?, map(&test)?);
    let (points, cells) = points(&chosen, &judge);
    if cells == 0 {
        let message = "nothing can be judged: no method was measured often enough to hold times out";
        return Err(Problem::new(Place::File, message)
            .help("name an archive with four repeats or more of each method at a point")
            .into());
    }
    let (all_points, _) = self::points(&full, &judge);
    let sum = |part: &Measurements| {
        let times = part.each().flat_map(|(_, _, series)| series.repeats().iter().map(|repeat| repeat.time));
        times.fold((0, 0.0), |(repeats, sum), time| (repeats + 1, sum + time))
    };
    let ((repeats, time), (all_repeats, all_time)) = (sum(&raced), sum(&train));
    Ok(Replayed { repeats, all_repeats, time, all_time, points, all_points, cells })
}

/// Returns the repeats that a rule measures.
fn raced(train: &Measurements, recipe: &Recipe, rule: Rule) -> Measurements {
    let labels: Vec<String> = train.methods().map(|method| method.label()).collect();
    let default = labels.iter().position(|label| recipe.baseline.contains(label));
    let mut points: Vec<Vec<u64>> = train.each().map(|(sizes, ..)| sizes.to_vec()).collect();
    points.dedup();
    let mut raced = train.emptied();
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
            let wanted = rule.wanted(&known, default, &available);
            if wanted.iter().zip(&measured).all(|(wanted, measured)| wanted <= measured) {
                break;
            }
            for (measured, wanted) in measured.iter_mut().zip(wanted) {
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

/// Returns the cost of one map's choices given the times of another, and the number of cells compared.
fn points(chosen: &DecisionMap, judge: &DecisionMap) -> (f64, u64) {
    let Some(costs) = judge.costs() else { return (0.0, 0) };
    let (mut sum, mut cells) = (0.0, 0);
    for cell in 0..judge.cells().len() {
        let sizes = judge.domain().sizes(cell);
        let best = judge.cells()[cell].and_then(|best| costs.get(cell, best));
        let method = chosen.decide(&sizes, qtdec_core::Borders::Floor);
        let label = method.map(|method| chosen.domain().method(method).label());
        let method = label.and_then(|label| judge.domain().find_method(&label));
        let cost = method.and_then(|method| costs.get(cell, method));
        if let (Some(best), Some(cost)) = (best, cost) {
            sum += 100.0 * (cost / best).ln();
            cells += 1;
        }
    }
    (if cells > 0 { sum / cells as f64 } else { 0.0 }, cells)
}
