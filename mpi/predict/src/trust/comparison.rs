//! Comparison of predictions with measurements.

use super::{Times, choice, mean, median_and_90th};

/// The prediction errors of some times, `|predicted − measured| / measured`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// The number of times that are both predicted and measured.
    pub times: usize,
    /// The median error.
    pub median: f64,
    /// The 90th percentile of the errors.
    pub percentile_90: f64,
}

impl Errors {
    fn new(errors: Vec<f64>) -> Option<Self> {
        let times = errors.len();
        let (median, percentile_90) = median_and_90th(errors)?;
        Some(Self { times, median, percentile_90 })
    }
}

/// The result of comparing predictions with measurements of the same points and methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The index of each method that has both times at some point, and its errors.
    pub methods: Vec<(usize, Errors)>,
    /// The errors of all methods together, or `None` if no method has both times.
    pub errors: Option<Errors>,
    /// The number of points at which a measured method is predicted to win.
    pub points: usize,
    /// The number of those points at which the predicted winner is the measured one, or as fast.
    pub agree: usize,
    /// The cost of the predicted choice relative to the best measured method at each of these points, in per cent.
    pub penalties: Vec<f64>,
}

impl Comparison {
    /// Returns the mean penalty in per cent, or `None` without points.
    pub fn mean_penalty(&self) -> Option<f64> {
        mean(&self.penalties)
    }
}

/// Compares predictions with measurements; both have the same points and methods.
///
/// The predicted winner of a point is the best of the methods that were measured there, because the cost of an unmeasured method
/// is unknown.
///
/// # Panics
///
/// Panics if the two have different points or methods.
pub fn compare(predicted: &Times, measured: &Times) -> Comparison {
    assert_eq!(predicted.points, measured.points, "both have the same points");
    assert_eq!(predicted.methods, measured.methods, "both have the same methods");
    let points = predicted.points.len();
    let (mut methods, mut all) = (Vec::new(), Vec::new());
    for method in 0..predicted.methods {
        let errors = (0..points).filter_map(|point| {
            let (predicted, measured) = (predicted.at(point)[method]?, measured.at(point)[method]?);
            Some((predicted - measured).abs() / measured)
        });
        let errors: Vec<f64> = errors.collect();
        all.extend(&errors);
        methods.extend(Errors::new(errors).map(|errors| (method, errors)));
    }
    let penalties: Vec<f64> = (0..points)
        .filter_map(|point| {
            let (chosen, times) = (choice(predicted, measured, point)?, measured.at(point));
            Some(100.0 * (times[chosen]? / times[measured.best(point)?]? - 1.0))
        })
        .collect();
    let agree = penalties.iter().filter(|penalty| **penalty <= 0.0).count();
    Comparison { methods, errors: Errors::new(all), points: penalties.len(), agree, penalties }
}
