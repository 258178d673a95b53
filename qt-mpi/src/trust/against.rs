//! Predictions against measurements.

use super::{Times, median_and_90th};

/// How wrong the predictions of one method are, as `|predicted − measured| / measured`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodError {
    /// The method's index.
    pub method: usize,
    /// How many points have both times.
    pub points: usize,
    /// The median error.
    pub median: f64,
    /// The 90th percentile of the errors.
    pub percentile_90: f64,
}

/// How predictions compare with measurements of the same points and methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// The errors of each method that has both times somewhere.
    pub errors: Vec<MethodError>,
    /// How many points have a predicted winner that was measured.
    pub points: usize,
    /// At how many of them the predicted winner is the measured one, or as fast.
    pub agree: usize,
    /// What the choice by prediction costs over the best measured method at each of these points, in per cent.
    pub penalties: Vec<f64>,
}

impl Against {
    /// Returns the mean penalty in per cent; `None` without points.
    pub fn mean_penalty(&self) -> Option<f64> {
        let count = self.penalties.len();
        (count > 0).then(|| self.penalties.iter().sum::<f64>() / count as f64)
    }
}

/// Compares predictions with measurements; both have the same points and methods.
///
/// The predicted winner of a point is the best of the methods that were measured there: what was not measured cannot be
/// priced.
///
/// # Panics
///
/// The two have different points or methods.
pub fn against(predicted: &Times, measured: &Times) -> Against {
    assert_eq!(predicted.points, measured.points, "both have the same points");
    assert_eq!(predicted.methods, measured.methods, "both have the same methods");
    let points = predicted.points.len();
    let error = |method: usize| {
        let errors = (0..points).filter_map(|point| {
            let (predicted, measured) = (predicted.at(point)[method]?, measured.at(point)[method]?);
            Some((predicted - measured).abs() / measured)
        });
        let errors: Vec<f64> = errors.collect();
        let count = errors.len();
        let (median, percentile_90) = median_and_90th(errors)?;
        Some(MethodError { method, points: count, median, percentile_90 })
    };
    let errors = (0..predicted.methods).filter_map(error).collect();
    let penalties: Vec<f64> = (0..points)
        .filter_map(|point| {
            let both = predicted.at(point).iter().zip(measured.at(point));
            let priced: Vec<Option<f64>> =
                both.map(|(predicted, measured)| measured.and(*predicted)).collect();
            let chosen = super::best(&priced)?;
            let times = measured.at(point);
            Some(100.0 * (times[chosen]? / times[super::best(times)?]? - 1.0))
        })
        .collect();
    let agree = penalties.iter().filter(|penalty| **penalty <= 0.0).count();
    Against { errors, points: penalties.len(), agree, penalties }
}
