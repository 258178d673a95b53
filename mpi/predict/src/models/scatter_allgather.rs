//! Van de Geijn's broadcast: a binomial scatter, then an allgather.

use super::call::Call;
use super::multirail::{PaperRow, of_table};
use super::{Formula, about, at_most, exactly};

/// With recursive doubling. Printed: Chiba, Endo and Matsuoka, Table 1: `2 log2 p · l + 2 p/(p−1) · M/b`.
///
/// The row has a misprint: both phases move `(p−1)/p` of the message. Exact for powers of two, with blocks of `c = ⌈m/P⌉`
/// bytes: the scatter, then `Σ_{j=0}^{K−1} (g(2^j c) + L)`.
pub(super) const BCAST: Formula =
    Formula::bcast("scatter_allgather", "Chiba, Endo and Matsuoka 2006, Table 1, van de Geijn")
        .printed(|call| of_table(PaperRow::VanDeGeijn, call))
        .exact(|call| {
            let block = call.bytes.div_ceil(call.ranks);
            let round = |level: u32| call.gap(block << level) + call.latency(block << level);
            let doubling: f64 = (0..call.ceil_log2()).map(round).sum();
            let seconds = scatter(call, block) + doubling;
            Ok(if divides_evenly(call) { exactly(seconds) } else { about(seconds) })
        });

/// With a ring of blocks of `c = ⌈m/P⌉` bytes: the scatter, then `(P−1) (g(c) + L)`.
///
/// Exact for powers of two. For other numbers of ranks it is a bound, because some ranks enter the ring before the scatter ends.
pub(super) const RING: Formula = Formula::bcast(
    "scatter_allgather_ring",
    "in the manner of Barchet-Estefanel and Mounié 2004, Table 1, van de Geijn",
)
.exact(|call| {
    let block = call.bytes.div_ceil(call.ranks);
    let seconds = scatter(call, block) + call.others() * (call.gap(block) + call.latency(block));
    Ok(if divides_evenly(call) { exactly(seconds) } else { at_most(seconds) })
});

/// Returns `Σ_{j=0}^{K−2} g(2^j c) + g((P − 2^(K−1)) c) + K L`.
fn scatter(call: &Call<'_>, block: u64) -> f64 {
    let levels = call.ceil_log2();
    let halves: f64 = (0..levels - 1).map(|level| call.gap(block << level)).sum();
    let rest = call.gap((call.ranks - (1 << (levels - 1))) * block);
    halves + rest + f64::from(levels) * call.latency(block)
}

fn divides_evenly(call: &Call<'_>) -> bool {
    call.ranks.is_power_of_two() && call.bytes.is_multiple_of(call.ranks)
}
