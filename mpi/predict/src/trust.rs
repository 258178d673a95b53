//! The reliability of predictions: their errors, and the cost of their choices.

mod comparison;

pub use comparison::{Comparison, Errors, compare};

/// Times of several methods at several points, all in the same unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The coordinates of each point, such as ranks and bytes.
    pub points: Vec<Vec<u64>>,
    /// The number of methods.
    pub methods: usize,
    /// The time of each method at each point, all methods of the first point first; `None` if there is no time.
    pub times: Vec<Option<f64>>,
}

impl Times {
    /// Returns the times of a point, by method.
    pub fn at(&self, point: usize) -> &[Option<f64>] {
        &self.times[point * self.methods..(point + 1) * self.methods]
    }

    /// Returns the fastest method at a point. Ties go to the first.
    pub fn best(&self, point: usize) -> Option<usize> {
        best(self.at(point))
    }
}

fn best(times: &[Option<f64>]) -> Option<usize> {
    let known = times.iter().enumerate().filter_map(|(method, time)| Some((method, (*time)?)));
    known.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(method, _)| method)
}

/// Returns the method chosen at a point by these times, among those that were measured there.
fn choice(times: &Times, measured: &Times, point: usize) -> Option<usize> {
    let both = times.at(point).iter().zip(measured.at(point));
    let priced: Vec<Option<f64>> = both.map(|(time, measured)| measured.and(*time)).collect();
    best(&priced)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the median and the 90th percentile, which is the sorted value at 90 % of the length, rounded up.
pub(crate) fn median_and_90th(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    let last = count.checked_sub(1)?;
    let median = f64::midpoint(values[last / 2], values[count / 2]);
    Some((median, values[(count * 9).div_ceil(10) - 1]))
}
