//! Methods that count as equal to the best.

use qtdec_core::{Costs, MethodIndex, Ties};

use super::Grid;
use crate::measurements::Series;

/// The rule that decides which methods count as equal to the best of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TieRule {
    /// The maximum slowdown in per cent.
    pub tolerance: f64,
    /// A test that must also fail to distinguish the method from the best.
    pub distinction: Option<Distinction>,
}

/// A test of whether two methods differ: the two-sided Wilcoxon–Mann–Whitney rank-sum test (Mann and Whitney, *Annals of
/// Mathematical Statistics* 18, 1947), by its normal approximation with the correction for ties and for continuity.
///
/// A method without repeats never counts as different.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distinction {
    /// The significance level: two methods differ if the test's p-value is below it.
    pub level: f64,
}

impl Default for TieRule {
    fn default() -> Self {
        Self { tolerance: 5.0, distinction: None }
    }
}

impl TieRule {
    /// Returns the ties by this rule, and by another one in some of the cells.
    pub(super) fn ties_or(
        &self,
        other: &Self,
        is_other: impl Fn(usize) -> bool,
        cells: &[Option<MethodIndex>],
        costs: &Costs,
        choosable: &[MethodIndex],
        grid: &Grid<'_>,
    ) -> Ties {
        Ties::new(cells.iter().enumerate().map(|(cell, best)| {
            let rule = if is_other(cell) { other } else { self };
            let Some(best) = *best else { return Vec::new() };
            let limit = costs.get(cell, best).unwrap_or(f64::INFINITY) * (1.0 + rule.tolerance / 100.0);
            let sizes = grid.domain.sizes(cell);
            let times =
                |method: MethodIndex| grid.series(cell, method.get()).map(Series::sorted).unwrap_or_default();
            let tied = choosable.iter().copied().filter(|&method| {
                let differ = |rule: Distinction| rule.differ(&times(best), &times(method));
                grid.domain.may_run(method, &sizes)
                    && costs.get(cell, method).is_some_and(|cost| cost <= limit)
                    && (method == best || !rule.distinction.is_some_and(differ))
            });
            tied.collect()
        }))
    }
}

impl Distinction {
    fn differ(self, left: &[f64], right: &[f64]) -> bool {
        rank_sum_p_value(left, right).is_some_and(|p| p < self.level)
    }
}

/// Returns the two-sided p-value of the rank-sum test of sorted times, or `None` if a side is empty or all times are equal.
pub fn rank_sum_p_value(left: &[f64], right: &[f64]) -> Option<f64> {
    let (n, m) = (left.len() as f64, right.len() as f64);
    let mut pooled: Vec<(f64, bool)> =
        left.iter().map(|&time| (time, true)).chain(right.iter().map(|&time| (time, false))).collect();
    pooled.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let (mut rank_sum, mut correction, mut below) = (0.0, 0.0, 0.0);
    for tied in pooled.chunk_by(|(a, _), (b, _)| a == b) {
        let count = tied.len() as f64;
        let mean_rank = below + f64::midpoint(count, 1.0);
        rank_sum += mean_rank * tied.iter().filter(|(_, is_left)| *is_left).count() as f64;
        correction += count.powi(3) - count;
        below += count;
    }
    let all = n + m;
    let variance = n * m / 12.0 * (all + 1.0 - correction / (all * (all - 1.0)));
    if variance.is_nan() || variance <= 0.0 {
        return None;
    }
    let distance = (rank_sum - n * (all + 1.0) / 2.0).abs();
    let z = (distance - 0.5).max(0.0) / variance.sqrt();
    Some(libm::erfc(z / std::f64::consts::SQRT_2))
}

/// Returns the least p-value that the rank-sum test can have for these numbers of times, if all times differ.
pub fn least_rank_sum_p_value(left: usize, right: usize) -> f64 {
    let times = |numbers: std::ops::Range<usize>| numbers.map(|number| number as f64).collect::<Vec<_>>();
    rank_sum_p_value(&times(0..left), &times(left..left + right)).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of `scipy.stats.mannwhitneyu(x, y, method="asymptotic")`, version 1.17.
    #[test]
    fn the_test_agrees_with_another_implementation() {
        let p = |left: &[f64], right: &[f64]| rank_sum_p_value(left, right).unwrap();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(p(&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0]), P_APART);
        near(p(&[1.0, 1.0, 2.0, 3.0, 3.0, 5.0], &[1.0, 3.0, 4.0, 4.0, 9.0]), P_TIED);
        near(p(&[2.0, 4.0], &[1.0, 5.0]), 1.0);
        near(least_rank_sum_p_value(4, 4), P_APART);
        assert_eq!(rank_sum_p_value(&[1.0, 1.0], &[1.0]), None);
        assert_eq!(rank_sum_p_value(&[], &[1.0]), None);
    }

    const P_APART: f64 = 0.030_382_821_976_577_49;
    const P_TIED: f64 = 0.305_198_027_805_171_8;
}
