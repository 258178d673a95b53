//! Holm's correction for several tests (*Scandinavian Journal of Statistics* 6, 1979).

/// Returns the corrected p-values: taken in increasing order, each is multiplied by the number of those that are not before it, and is
/// never smaller than the previous one.
pub fn corrected(p_values: &[f64]) -> Vec<f64> {
    let (mut greatest, mut corrected) = (0.0_f64, vec![1.0; p_values.len()]);
    for (rank, at) in order(p_values).into_iter().enumerate() {
        greatest = greatest.max(p_values[at] * (p_values.len() - rank) as f64).min(1.0);
        corrected[at] = greatest;
    }
    corrected
}

/// Returns by how much the level of each test is divided: the number of hypotheses that remain at its step. All tests after the first
/// one that fails at `level` have the divisor of that step.
pub fn divisors(p_values: &[f64], level: f64) -> Vec<usize> {
    let (mut divisors, mut failed) = (vec![1; p_values.len()], None);
    for (rank, at) in order(p_values).into_iter().enumerate() {
        let remaining = p_values.len() - rank;
        if failed.is_none() && p_values[at] * remaining as f64 >= level {
            failed = Some(remaining);
        }
        divisors[at] = failed.unwrap_or(remaining);
    }
    divisors
}

/// Returns the places of the values in increasing order.
fn order(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holm's own example has four hypotheses.
    #[test]
    fn each_step_has_one_hypothesis_less() {
        let p_values = [0.03, 0.01, 0.02, 0.005];
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(&corrected(&p_values), &[0.04, 0.03, 0.04, 0.02]), "{:?}", corrected(&p_values));
        assert_eq!(divisors(&p_values, 0.05), [1, 3, 2, 4]);
        assert_eq!(divisors(&p_values, 0.025), [3, 3, 3, 4], "the second step fails");
        assert!(corrected(&[]).is_empty() && divisors(&[], 0.05).is_empty());
    }
}
