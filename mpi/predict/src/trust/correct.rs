//! Predictions corrected by a few measured points.
//!
//! Each method's predictions are multiplied by the ratio of measured to predicted time, interpolated from the measured points
//! in logarithmic coordinates by inverse squared distance. If a method was not measured at all, its
//! predictions use the ratio of all methods, so that measured methods do not look slow compared with the others.

use super::{Comparison, Times, compare};

/// Corrects predictions by the measurements at some of their points, which have their measured times.
///
/// # Panics
///
/// Panics if the two have different points or methods, or if `known` names a point that does not exist.
pub fn correct(predicted: &Times, measured: &Times, known: &[usize]) -> Times {
    assert_eq!(predicted.points, measured.points, "both have the same points");
    assert_eq!(predicted.methods, measured.methods, "both have the same methods");
    let places: Vec<Vec<f64>> = predicted.points.iter().map(|point| place(point)).collect();
    let log_ratio = |point: usize, method: usize| {
        let (predicted, measured) = (predicted.at(point)[method]?, measured.at(point)[method]?);
        (predicted > 0.0 && measured > 0.0).then(|| (measured / predicted).ln())
    };
    let ratios: Vec<Vec<Option<f64>>> = known
        .iter()
        .map(|&point| (0..predicted.methods).map(|method| log_ratio(point, method)).collect())
        .collect();
    let of_all: Vec<Option<f64>> =
        ratios.iter().map(|of_methods| mean(of_methods.iter().map(|ratio| (1.0, *ratio)))).collect();
    let mut times = predicted.clone();
    for point in 0..predicted.points.len() {
        let weights: Vec<f64> =
            known.iter().map(|&other| 1.0 / (distance(&places[point], &places[other]) + 1e-9)).collect();
        let all = mean(weights.iter().copied().zip(of_all.iter().copied()));
        let row = &mut times.times[point * predicted.methods..][..predicted.methods];
        for (method, time) in row.iter_mut().enumerate() {
            let measured_here = known.contains(&point).then(|| measured.at(point)[method]).flatten();
            let of_method = ratios.iter().map(|of_methods| of_methods[method]);
            let ratio = mean(weights.iter().copied().zip(of_method)).or(all).unwrap_or(0.0);
            *time = measured_here.or(time.map(|time| time * ratio.exp()));
        }
    }
    times
}

/// Returns the mean of the values that exist, by their weights.
fn mean(values: impl Iterator<Item = (f64, Option<f64>)>) -> Option<f64> {
    let (mut sum, mut total) = (0.0, 0.0);
    for (weight, value) in values {
        if let Some(value) = value {
            sum += weight * value;
            total += weight;
        }
    }
    (total > 0.0).then(|| sum / total)
}

/// Returns the best point to measure next: far from the known ones, where the two best methods are close. Returns `None` if all
/// are known. Ties go to the first point.
pub fn next_point(corrected: &Times, known: &[usize]) -> Option<usize> {
    let places: Vec<Vec<f64>> = corrected.points.iter().map(|point| place(point)).collect();
    let mut best: Option<(usize, f64)> = None;
    for point in (0..places.len()).filter(|point| !known.contains(point)) {
        let worth = worth(corrected, &places, known, point);
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((point, worth));
        }
    }
    best.map(|(point, _)| point)
}

/// Returns how much is learnt by measuring a point.
fn worth(times: &Times, places: &[Vec<f64>], known: &[usize], point: usize) -> f64 {
    let mut times: Vec<f64> = times.at(point).iter().copied().flatten().collect();
    times.sort_by(f64::total_cmp);
    let margin = match times[..] {
        [first, second, ..] if first > 0.0 => (second / first).ln(),
        // With only one method there is nothing to decide.
        _ => return 0.0,
    };
    let here = &places[point];
    // Without any known point, prefer the middle of the grid.
    let far = if known.is_empty() {
        1.0 / (1.0 + places.iter().map(|other| distance(here, other)).sum::<f64>())
    } else {
        known.iter().map(|&other| distance(here, &places[other])).fold(f64::INFINITY, f64::min).sqrt()
    };
    far / (0.05 + margin)
}

/// The cost of the corrected choice for each number of measured points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The points in the order in which they were chosen.
    pub order: Vec<usize>,
    /// The comparison with 0, 1, 2, … of these points measured.
    pub steps: Vec<Comparison>,
}

/// Corrects predictions by adding up to `points` measured points one by one, each chosen by [`next_point`].
///
/// # Panics
///
/// Panics as [`correct`] does.
pub fn curve(predicted: &Times, measured: &Times, points: usize) -> Curve {
    let mut order = Vec::new();
    let mut steps = vec![compare(predicted, measured)];
    let mut corrected = predicted.clone();
    while order.len() < points
        && let Some(next) = next_point(&corrected, &order)
    {
        order.push(next);
        corrected = correct(predicted, measured, &order);
        steps.push(compare(&corrected, measured));
    }
    Curve { order, steps }
}

/// Returns the coordinates of a point in octaves.
pub(super) fn place(point: &[u64]) -> Vec<f64> {
    point.iter().map(|&value| ((value + 1) as f64).log2()).collect()
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum()
}
