//! The terms that a method needs.

use super::fit::Values;

/// The terms that a method needs, with what they reach.
pub(super) struct Kept {
    pub(super) terms: Vec<usize>,
    pub(super) coefficients: Vec<f64>,
    /// The error at points that were left out.
    pub(super) error: f64,
}

/// Drops the terms, one after the other, without which points that are left out are predicted as well, and those whose coefficient
/// is 0.
pub(super) fn kept(values: &Values) -> Kept {
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
    let (terms, coefficients) = terms.into_iter().zip(coefficients).filter(used).unzip();
    Kept { terms, coefficients, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_that_does_not_help_is_dropped() {
        let sizes: Vec<f64> = (1..30).map(f64::from).collect();
        let values = Values {
            columns: 3,
            rows: sizes.iter().flat_map(|&size| [1.0, size, (size * 7.0) % 11.0 + 1.0]).collect(),
            times: sizes.iter().map(|size| 5.0 + 2.0 * size).collect(),
        };
        let kept = kept(&values);
        assert_eq!(kept.terms, [0, 1]);
        assert!((kept.coefficients[1] - 2.0).abs() < 1e-6 && kept.error < 1e-6);
    }
}
