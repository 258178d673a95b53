//! Van de Geijn's broadcast: a binomial scatter, then an allgather.

use super::multirail::{Fabric, Row};
use super::{Claim, Formula, Prediction, about};
use crate::collective::Collective;

/// Printed: Chiba, Endo and Matsuoka, Table 1: `2 log2 p · l + 2 p/(p−1) · M/b`, with recursive doubling.
///
/// The row has a misprint: both phases move `(p−1)/p` of the message. Exact, with a ring of blocks of `c = ⌈m/P⌉` bytes:
/// `Σ_{j=0}^{K−2} g(2^j c) + g((P − 2^(K−1)) c) + K L + (P−1) (g(c) + L)` for powers of two; for other numbers of ranks, which
/// enter the ring before the scatter ends, it is a bound.
pub(super) const BCAST: Formula = Formula {
    collective: Collective::Bcast,
    algorithm: "scatter_allgather",
    segmented: false,
    source: "Chiba, Endo and Matsuoka 2006, Table 1, van de Geijn",
    two_levels: false,
    printed: Some(|call| {
        let seconds = Fabric::of(call).printed(Row::VanDeGeijn).unwrap_or(f64::NAN);
        Ok(about(seconds))
    }),
    exact: Some(|call| {
        let block = call.bytes().div_ceil(call.ranks());
        let levels = call.ceil_log2();
        let halves: f64 = (0..levels - 1).map(|level| call.gap(block << level)).sum();
        let rest = call.gap((call.ranks() - (1 << (levels - 1))) * block);
        let scatter = halves + rest + f64::from(levels) * call.latency(block);
        let ring = call.others() * (call.gap(block) + call.latency(block));
        let even = call.ranks().is_power_of_two() && call.bytes().is_multiple_of(call.ranks());
        let claim = if even { Claim::Exact } else { Claim::AtMost };
        Ok(Prediction { seconds: scatter + ring, claim })
    }),
};
