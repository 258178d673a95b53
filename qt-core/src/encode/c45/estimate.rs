//! Error estimates for leaves: the upper limit of a confidence interval for the error rate.

use super::grow::Tree;
use super::{C45, Constants};

/// An error estimate for leaves at one confidence level.
pub(super) struct Estimate {
    confidence: f64,
    pub(super) constants: Constants,
    /// The normal deviate that is exceeded with this probability.
    deviate: f64,
}

impl Estimate {
    pub(super) fn new(options: &C45) -> Self {
        let confidence = options.confidence / 100.0;
        let deviate = match options.constants {
            Constants::Release8 => interpolated_deviate(confidence),
            Constants::J48 => deviate(confidence),
        };
        Self { confidence, constants: options.constants, deviate }
    }

    /// Returns the expected errors of a leaf with these numbers of cases per class.
    pub(super) fn of_leaf(&self, counts: impl Iterator<Item = f64> + Clone) -> f64 {
        let cases: f64 = counts.clone().sum();
        let errors = cases - counts.fold(0.0, f64::max);
        if cases == 0.0 { 0.0 } else { errors + self.further(cases, errors) }
    }

    pub(super) fn of_tree(&self, tree: &Tree) -> f64 {
        if tree.test.is_none() {
            return self.of_leaf(tree.counts.numbers());
        }
        tree.children.iter().map(|child| self.of_tree(child)).sum()
    }

    /// Returns the expected errors beyond those observed.
    pub(super) fn further(&self, cases: f64, errors: f64) -> f64 {
        if self.constants == Constants::J48 && self.confidence > 0.5 {
            return 0.0;
        }
        if errors == 0.0 {
            return cases * (1.0 - self.confidence.powf(1.0 / cases));
        }
        if errors + 0.5 >= cases {
            let share = if self.constants == Constants::Release8 { 0.67 } else { 1.0 };
            return share * (cases - errors).max(0.0);
        }
        let square = self.deviate * self.deviate;
        let made = errors + 0.5;
        let spread = (square * (made * (1.0 - made / cases) + square / 4.0)).sqrt();
        cases * (made + square / 2.0 + spread) / (cases + square) - errors
    }
}

/// The points between which Release 8 interpolates: a probability, and the deviate that is exceeded with it.
const DEVIATES: [(f64, f64); 9] = [
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.1, 1.28),
    (0.2, 0.84),
    (0.4, 0.25),
    (1.0, 0.0),
];

fn interpolated_deviate(probability: f64) -> f64 {
    let upper = DEVIATES.iter().position(|(known, _)| probability <= *known).unwrap_or(8).max(1);
    let [(low, from), (high, to)] = [DEVIATES[upper - 1], DEVIATES[upper]];
    from + (to - from) * (probability - low) / (high - low)
}

/// Returns the deviate that a normal variable exceeds with a probability of at most one half, by bisection.
fn deviate(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        *(if exceeded(middle) > probability { &mut low } else { &mut high }) = middle;
    }
    low
}

/// Returns the probability that a normal variable exceeds this value: the series 26.2.11 of Abramowitz and Stegun.
fn exceeded(deviate: f64) -> f64 {
    let (mut term, mut sum) = (deviate, deviate);
    let mut odd = 1.0;
    while term > sum * 1e-17 {
        odd += 2.0;
        term *= deviate * deviate / odd;
        sum += term;
    }
    0.5 - sum * (-deviate * deviate / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviates_are_those_of_the_tables() {
        for (probability, known) in
            [(0.25, 0.674_489_75), (0.05, 1.644_853_63), (0.01, 2.326_347_87), (0.5, 0.0)]
        {
            assert!((deviate(probability) - known).abs() < 1e-7, "{probability}: {}", deviate(probability));
        }
        assert!((interpolated_deviate(0.25) - 0.6925).abs() < 1e-12);
        assert_eq!((interpolated_deviate(0.001), interpolated_deviate(1.0)), (3.09, 0.0));
    }

    /// The book's example: six cases without an error at 25 % have 1.24 expected errors.
    #[test]
    fn leaves_without_errors_are_expected_to_make_some() {
        let estimate = Estimate::new(&C45::default());
        let errors = [6.0, 9.0, 1.0]
            .map(|cases| (1000.0 * estimate.of_leaf([cases, 0.0].into_iter())).round() / 1000.0);
        assert_eq!(errors, [1.238, 1.285, 0.75]);
        assert_eq!(estimate.of_leaf([0.0, 0.0].into_iter()), 0.0);
    }
}
