//! Predictions corrected by few measured points.
//!
//! Each method's predictions are multiplied by the ratio of measured to predicted time, spread from the measured points
//! over the others in logarithmic coordinates by inverse squared distance. Where nothing of a method was measured its
//! predictions take the ratio of all methods, so that what was measured does not look slow beside what was not.

use super::{Against, Times, against};

/// Predictions that were corrected.
#[derive(Clone, Debug, PartialEq)]
pub struct Corrected {
    /// The corrected times; measured ones as they were measured.
    pub times: Times,
}

/// Corrects predictions by the measurements at some of their points.
///
/// # Panics
///
/// The two have different points or methods, or a point is none of theirs.
pub fn correct(predicted: &Times, measured: &Times, known: &[usize]) -> Corrected {
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
    let mut times = predicted.clone();
    for point in 0..predicted.points.len() {
        let weights: Vec<f64> =
            known.iter().map(|&other| 1.0 / (distance(&places[point], &places[other]) + 1e-9)).collect();
        let mean = |of: &dyn Fn(usize) -> Option<f64>| {
            let (mut sum, mut total) = (0.0, 0.0);
            for (index, weight) in weights.iter().enumerate() {
                if let Some(ratio) = of(index) {
                    sum += weight * ratio;
                    total += weight;
                }
            }
            (total > 0.0).then(|| sum / total)
        };
        let all = mean(&|index| {
            let of_methods: Vec<f64> = ratios[index].iter().copied().flatten().collect();
            (!of_methods.is_empty()).then(|| of_methods.iter().sum::<f64>() / of_methods.len() as f64)
        });
        let row = &mut times.times[point * predicted.methods..][..predicted.methods];
        for (method, time) in row.iter_mut().enumerate() {
            let measured_here = known.contains(&point).then(|| measured.at(point)[method]).flatten();
            let ratio = mean(&|index| ratios[index][method]).or(all).unwrap_or(0.0);
            *time = measured_here.or(time.map(|time| time * ratio.exp()));
        }
    }
    Corrected { times }
}

/// Returns the point to be measured next: far from those known, and where the two best methods are close. `None` if all
/// are known. Of equal points the first.
pub fn next_point(corrected: &Times, known: &[usize]) -> Option<usize> {
    let places: Vec<Vec<f64>> = corrected.points.iter().map(|point| place(point)).collect();
    let unknown = (0..corrected.points.len()).filter(|point| !known.contains(point));
    let worth = |point: usize| {
        let nearest =
            known.iter().map(|&other| distance(&places[point], &places[other])).fold(f64::INFINITY, f64::min);
        // Without any known point, the middle of the grid is worth most.
        let far = if known.is_empty() {
            let centre = places.iter().map(|other| distance(&places[point], other)).sum::<f64>();
            1.0 / (1.0 + centre)
        } else {
            nearest.sqrt()
        };
        let mut times: Vec<f64> = corrected.at(point).iter().copied().flatten().collect();
        times.sort_by(f64::total_cmp);
        let margin = match times[..] {
            [first, second, ..] if first > 0.0 => (second / first).ln(),
            // One method only: there is nothing to decide.
            _ => return 0.0,
        };
        far / (0.05 + margin)
    };
    let mut best: Option<(usize, f64)> = None;
    for point in unknown {
        let worth = worth(point);
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((point, worth));
        }
    }
    best.map(|(point, _)| point)
}

/// What the corrected choice costs with each number of measured points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The points in the order in which they were chosen.
    pub order: Vec<usize>,
    /// The comparison with 0, 1, 2, … of these points measured.
    pub steps: Vec<Against>,
}

/// Corrects predictions by one measured point after the other, each chosen by [`next_point`], up to as many.
///
/// # Panics
///
/// As [`correct`].
pub fn curve(predicted: &Times, measured: &Times, points: usize) -> Curve {
    let mut order = Vec::new();
    let mut steps = vec![against(predicted, measured)];
    let mut corrected = predicted.clone();
    while order.len() < points
        && let Some(next) = next_point(&corrected, &order)
    {
        order.push(next);
        corrected = correct(predicted, measured, &order).times;
        steps.push(against(&corrected, measured));
    }
    Curve { order, steps }
}

/// The coordinates of a point in octaves.
pub(super) fn place(point: &[u64]) -> Vec<f64> {
    point.iter().map(|&value| ((value + 1) as f64).log2()).collect()
}

/// The squared distance.
fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum()
}
