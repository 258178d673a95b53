//! A binomial tree that serves the farthest child first.

use super::call::Call;
use super::{Formula, about, exactly};

/// Barchet-Estefanel and Mounié, Table 1, Binomial Tree and Segmented Binomial Tree: `F k g(s) + K L`.
///
/// The printed row is correct only for powers of two: for others it charges one gap too few, and for three ranks and a large
/// message it gives half of what any schedule needs. Exact: `(k−1) K g(s) + E(g(r), L)`, where `E(a, b)` is the
/// maximum of `(K − trailing zeros of x) a + (ones of x) b` over the ranks `x`. The parent of `x` is `x` without its lowest bit.
pub(super) const BCAST: Formula = Formula::bcast(
    "binomial",
    "Barchet-Estefanel and Mounié 2004, Table 1, Binomial Tree, Segmented Binomial Tree",
)
.segmented()
.printed(|call| {
    let cuts = call.cuts();
    let gaps = f64::from(call.floor_log2()) * call.gap(cuts.full) * cuts.count;
    Ok(about(gaps + f64::from(call.ceil_log2()) * call.latency(cuts.full)))
})
.exact(|call| {
    let cuts = call.cuts();
    let (last, latency) = (call.gap(cuts.last), call.latency(cuts.last));
    let first = (cuts.count - 1.0) * f64::from(call.ceil_log2()) * call.gap(cuts.full);
    Ok(exactly(first + worst_rank(call, last, latency)))
});

/// Barchet-Estefanel and Mounié, Table 1, Binomial Tree Rendezvous: `F g(m) + K (2 g(1) + 3 L)`.
///
/// Exact for ranks that finish the handshake with one child before they begin the next. Ranks that ask all children
/// at once usually finish earlier; with a short latency they may finish later, because requests delay the first message.
pub(super) const RENDEZVOUS: Formula = Formula::bcast(
    "binomial_rendezvous",
    "Barchet-Estefanel and Mounié 2004, Table 1, Binomial Tree Rendezvous",
)
.model()
.printed(|call| {
    let handshake = 2.0 * call.gap(1) + 3.0 * call.latency(call.bytes);
    let gaps = f64::from(call.floor_log2()) * call.gap(call.bytes);
    Ok(about(gaps + f64::from(call.ceil_log2()) * handshake))
})
.exact(|call| {
    let handshake = 2.0 * (call.gap(1) + call.latency(1));
    let (gap, latency) = (call.gap(call.bytes), call.latency(call.bytes));
    Ok(exactly(worst_rank(call, gap + handshake, latency)))
});

/// Returns `E(a, b)`.
///
/// Among the ranks with a given lowest bit, the worst has the most ones. It is compared for each bit of `P − 1` that is cleared,
/// with ones below it, so the search takes `K²` steps, not `P`.
fn worst_rank(call: &Call<'_>, gap: f64, latency: f64) -> f64 {
    let levels = call.ceil_log2();
    let most = call.ranks - 1;
    let mut worst = 0.0_f64;
    for zeros in 0..levels {
        // Ranks are `prefix << zeros` with an odd prefix. Of the odd prefixes up to `most >> zeros`, take the one with the most ones.
        let limit = most >> zeros;
        if limit == 0 {
            break;
        }
        let candidates = (0..u64::BITS - limit.leading_zeros())
            .filter(|bit| limit >> bit & 1 == 1)
            .map(|bit| (limit & !(1 << bit)) | ((1 << bit) - 1))
            .chain([limit])
            .filter(|prefix| prefix % 2 == 1);
        let ones = candidates.map(u64::count_ones).max().unwrap_or(0);
        if ones > 0 {
            worst = worst.max(f64::from(levels - zeros) * gap + f64::from(ones) * latency);
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::shipped;

    #[test]
    fn the_worst_rank_is_that_of_all_ranks() {
        let network = shipped("icluster-2").unwrap();
        for ranks in 2..600_u64 {
            let call = Call::new(&network, ranks, 1);
            for (gap, latency) in [(1.0, 0.0), (1.0, 0.3), (1.0, 5.0)] {
                let time = |rank: u64| {
                    f64::from(call.ceil_log2() - rank.trailing_zeros()) * gap
                        + f64::from(rank.count_ones()) * latency
                };
                let all = (1..ranks).map(time).fold(0.0, f64::max);
                assert!((worst_rank(&call, gap, latency) - all).abs() < 1e-9, "{ranks}");
            }
        }
    }
}
