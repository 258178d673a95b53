//! The cost of choices when only some randomly drawn points were measured.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::{Times, choice, compare, correct, interpolate, mean};

/// The mean penalties of several ways to choose, in per cent of the fastest time of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Draws {
    /// The number of points at which costs are known.
    pub points: usize,
    /// The penalty of the default at all points, or `None` without a default.
    pub default: Option<f64>,
    /// The penalty of the uncorrected predictions at all points.
    pub predicted: f64,
    /// The penalty of the predictions corrected by the points of each draw, at the other points.
    pub corrected: Interval,
    /// The penalty of times interpolated between the points of each draw, at the other points.
    pub interpolated: Interval,
}

/// The median of the draws, and the interval that contains nine of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The median.
    pub median: f64,
    /// The 5th percentile.
    pub low: f64,
    /// The 95th percentile.
    pub high: f64,
}

/// Draws random points repeatedly, and evaluates the choices at the other points.
///
/// The fastest time of a point is that of the fastest predicted method, or of the default if that is faster. Returns
/// `None` unless more points have known costs than are to be drawn.
///
/// # Panics
///
/// Panics if the points of the three differ, or the methods of the first two.
pub fn draws(
    predicted: &Times,
    measured: &Times,
    default: &[Option<f64>],
    points: usize,
    count: u32,
    seed: u64,
) -> Option<Draws> {
    assert_eq!(measured.points.len(), default.len(), "both have the same points");
    let priced = priced(predicted, measured);
    if points >= priced.len() || count == 0 {
        return None;
    }
    let fastest = |point: usize| {
        let known = measured.at(point).iter().copied().flatten();
        known.chain(default[point]).fold(f64::INFINITY, f64::min)
    };
    let above = |time: Option<f64>, point: usize| Some(100.0 * (time? / fastest(point) - 1.0));
    let penalty = |times: &Times, point| above(measured.at(point)[choice(times, measured, point)?], point);
    let of_default: Vec<f64> = priced.iter().filter_map(|&point| above(default[point], point)).collect();
    let (mut corrected, mut interpolated) = (Vec::new(), Vec::new());
    for draw in 0..count {
        let (known, others) = drawn(&priced, points, seed, draw);
        for (times, penalties) in [
            (correct(predicted, measured, &known), &mut corrected),
            (interpolate(measured, &known), &mut interpolated),
        ] {
            // If no method measured there has a time, take the first one that was measured.
            let blind = |point| above(measured.at(point).iter().copied().flatten().next(), point);
            let found = others.iter().filter_map(|&point| penalty(&times, point).or_else(|| blind(point)));
            penalties.extend(mean(&found.collect::<Vec<_>>()));
        }
    }
    Some(Draws {
        points: priced.len(),
        default: (of_default.len() == priced.len()).then(|| mean(&of_default)).flatten(),
        predicted: mean(&priced.iter().filter_map(|&point| penalty(predicted, point)).collect::<Vec<_>>())?,
        corrected: interval(corrected)?,
        interpolated: interval(interpolated)?,
    })
}

/// Repeatedly corrects predictions by randomly drawn points, and returns the mean penalties of the corrected choices in per cent.
///
/// The penalties are those of `trust::compare`, at all points, so that they can be compared with those of a [`Curve`](super::Curve).
/// Returns `None` without points that have known costs, or without draws.
///
/// # Panics
///
/// Panics if the two have different points or methods.
pub fn corrected_by_draws(
    predicted: &Times,
    measured: &Times,
    points: usize,
    count: u32,
    seed: u64,
) -> Option<Interval> {
    let priced = priced(predicted, measured);
    let points = points.min(priced.len());
    let penalty = |draw| {
        let (known, _) = drawn(&priced, points, seed, draw);
        compare(&correct(predicted, measured, &known), measured).mean_penalty()
    };
    interval((0..count).filter_map(penalty).collect())
}

/// Returns the points at which the cost of a predicted choice is known.
fn priced(predicted: &Times, measured: &Times) -> Vec<usize> {
    (0..predicted.points.len()).filter(|&point| choice(predicted, measured, point).is_some()).collect()
}

fn drawn(points: &[usize], count: usize, seed: u64, draw: u32) -> (Vec<usize>, Vec<usize>) {
    let mut generator = Pcg64Mcg::seed_from_u64(seed ^ (u64::from(draw) << 32));
    let mut points = points.to_vec();
    for place in 0..count {
        let left = (points.len() - place) as u128;
        let other = place + ((u128::from(generator.next_u64()) * left) >> 64) as usize;
        points.swap(place, other);
    }
    let others = points.split_off(count);
    (points, others)
}

fn interval(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |part: f64| values[(part * last as f64).round() as usize];
    let median = f64::midpoint(values[last / 2], values[values.len() / 2]);
    Some(Interval { median, low: at(0.05), high: at(0.95) })
}
