//! The coefficients of terms, fitted to measured times.

use super::least_squares::non_negative;

/// The values of terms at measured points, with the times there.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) columns: usize,
    /// One row after the other.
    pub(super) rows: Vec<f64>,
    pub(super) times: Vec<f64>,
}

/// The maximum number of steps; ten are enough for most methods.
const MOST_STEPS: usize = 50;

/// The maximum number of times that a step is halved.
const MOST_HALVINGS: i32 = 12;

/// Every so many points, one is left out together.
const PARTS: usize = 10;

impl Values {
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    fn row(&self, point: usize) -> &[f64] {
        &self.rows[point * self.columns..][..self.columns]
    }

    /// Returns the same points with some of the terms.
    pub(super) fn with_terms(&self, kept: &[usize]) -> Self {
        let rows = (0..self.len()).flat_map(|point| kept.iter().map(move |&term| self.row(point)[term]));
        Self { columns: kept.len(), rows: rows.collect(), times: self.times.clone() }
    }

    fn part(&self, is_of: impl Fn(usize) -> bool) -> Self {
        let points: Vec<usize> = (0..self.len()).filter(|&point| is_of(point)).collect();
        Self {
            columns: self.columns,
            rows: points.iter().flat_map(|&point| self.row(point).iter().copied()).collect(),
            times: points.iter().map(|&point| self.times[point]).collect(),
        }
    }

    /// Returns the logarithm of each measured time divided by the predicted one. A prediction of 0 counts as very small.
    fn residuals<'v>(&'v self, coefficients: &'v [f64]) -> impl Iterator<Item = f64> + 'v {
        (0..self.len()).map(|point| {
            let predicted = time(self.row(point), coefficients);
            (self.times[point] / predicted.max(self.times[point] * 1e-6)).ln()
        })
    }

    /// Returns the coefficients, none below 0, with the least mean square of the logarithms of measured / predicted.
    ///
    /// The logarithm counts both directions of a relative error alike. The squares of (predicted − measured) / measured count a time
    /// that is predicted ten times too small no more than one that is predicted twice too large, so a method that the terms misfit
    /// would look faster than it is: on tract's times of Apple's M1, decisions at sizes that were left out are then 27 and 34 % slower
    /// than the best instead of 5 and 8 %. Newton's method (Gauss's form) starts from these squares.
    pub(super) fn fitted(&self) -> Vec<f64> {
        let scaled = |by: &[f64]| -> Vec<f64> {
            (0..self.len())
                .flat_map(|point| self.row(point).iter().map(move |value| value / by[point]))
                .collect()
        };
        let squares = |found: &[f64]| self.residuals(found).map(|residual| residual * residual).sum::<f64>();
        let mut found = non_negative(&scaled(&self.times), &vec![1.0; self.len()], self.columns);
        let mut least = squares(&found);
        for _ in 0..MOST_STEPS {
            let predicted: Vec<f64> = (0..self.len())
                .map(|point| time(self.row(point), &found).max(self.times[point] * 1e-6))
                .collect();
            let wanted: Vec<f64> =
                (0..self.len()).map(|point| 1.0 + (self.times[point] / predicted[point]).ln()).collect();
            let target = non_negative(&scaled(&predicted), &wanted, self.columns);
            // Far from the solution, the whole step may lead away from it.
            let step = (0..MOST_HALVINGS).find_map(|halvings| {
                let share = 0.5_f64.powi(halvings);
                let step: Vec<f64> =
                    found.iter().zip(&target).map(|(from, to)| from + share * (to - from)).collect();
                let reached = squares(&step);
                (reached < least).then_some((step, reached))
            });
            let Some((step, reached)) = step else { break };
            let is_done = least - reached <= 1e-10 * least;
            (found, least) = (step, reached);
            if is_done {
                break;
            }
        }
        found
    }

    /// Returns the error at points that were left out of the fit: the root of the mean square of the logarithms of measured /
    /// predicted. Every tenth point is left out together, or each alone if there are fewer than twenty.
    pub(super) fn left_out(&self) -> f64 {
        let parts = if self.len() < 2 * PARTS { self.len() } else { PARTS };
        let mut sum = 0.0;
        for part in 0..parts {
            let coefficients = self.part(|point| point % parts != part).fitted();
            let others = self.part(|point| point % parts == part);
            sum += others.residuals(&coefficients).map(|residual| residual * residual).sum::<f64>();
        }
        (sum / self.len() as f64).sqrt()
    }
}

/// Returns the terms that a method needs, with their coefficients, and the error at points that were left out. Dropped are the terms,
/// one after the other, without which such points are predicted as well, and those whose coefficient is 0.
pub(super) fn kept(values: &Values) -> (Vec<(usize, f64)>, f64) {
    let mut terms: Vec<usize> = (0..values.columns).collect();
    let mut error = values.left_out();
    while terms.len() > 1 {
        let without = terms.iter().map(|left_out| {
            let fewer: Vec<usize> = terms.iter().copied().filter(|term| term != left_out).collect();
            (values.with_terms(&fewer).left_out(), fewer)
        });
        match without.min_by(|(one, _), (other, _)| one.total_cmp(other)) {
            Some((reached, fewer)) if reached <= error => {
                (error, terms) = (reached, fewer);
            }
            _ => break,
        }
    }
    let coefficients = values.with_terms(&terms).fitted();
    let used = |(_, coefficient): &(usize, f64)| *coefficient > 0.0;
    (terms.into_iter().zip(coefficients).filter(used).collect(), error)
}

pub(super) fn time(values: &[f64], coefficients: &[f64]) -> f64 {
    values.iter().zip(coefficients).map(|(value, coefficient)| value * coefficient).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(times: impl Fn(f64) -> f64, sizes: &[f64]) -> Values {
        Values {
            columns: 2,
            rows: sizes.iter().flat_map(|&size| [1.0, size]).collect(),
            times: sizes.iter().map(|&size| times(size)).collect(),
        }
    }

    #[test]
    fn coefficients_are_found_again() {
        let sizes: Vec<f64> = (0..12).map(|power| f64::from(1 << power)).collect();
        let exact = values(|size| 3e-6 + 2e-9 * size, &sizes);
        let found = exact.fitted();
        assert!((found[0] / 3e-6 - 1.0).abs() < 1e-9 && (found[1] / 2e-9 - 1.0).abs() < 1e-9);
        assert!(exact.left_out() < 1e-9);
    }

    /// Without terms that differ, the best constant is the geometric mean: factors up and down count alike.
    #[test]
    fn relative_errors_count_alike_in_both_directions() {
        let values = Values { columns: 1, rows: vec![1.0; 4], times: vec![1.0, 1.0, 100.0, 100.0] };
        assert!((values.fitted()[0] - 10.0).abs() < 1e-6);
        assert!((values.left_out() - (100.0_f64.powf(2.0 / 3.0)).ln()).abs() < 1e-6);
    }

    #[test]
    fn a_term_that_does_not_help_is_dropped() {
        let sizes: Vec<f64> = (1..30).map(f64::from).collect();
        let values = Values {
            columns: 3,
            rows: sizes.iter().flat_map(|&size| [1.0, size, (size * 7.0) % 11.0 + 1.0]).collect(),
            times: sizes.iter().map(|size| 5.0 + 2.0 * size).collect(),
        };
        let (kept, error) = kept(&values);
        assert_eq!(kept.iter().map(|(term, _)| *term).collect::<Vec<_>>(), [0, 1]);
        assert!((kept[1].1 - 2.0).abs() < 1e-6 && error < 1e-6);
    }
}
