//! A binary tree, and a split one: halves of the message down two subtrees, then an exchange of halves.

use super::call::{Call, Cuts};
use super::dary::worst_rank;
use super::{Formula, about, at_most, exactly};

/// Barchet-Estefanel and Mounié, Table 1, Binary Tree: `≤ ⌈log2 P⌉ (2 g(m) + L)`.
///
/// The tree is a heap: the children of `v` are `2v + 1` and `2v + 2`. Exact without segments: the time of the worst rank, whose
/// message left as the first or second of each rank above it. With segments, a bound of our own,
/// `F (2 g(s) + L) + 2 (k−1) g(s)`: a rank needs two gaps per segment.
pub(super) const BCAST: Formula =
    Formula::bcast("binary", "Barchet-Estefanel and Mounié 2004, Table 1, Binary Tree")
        .segmented()
        .printed(|call| {
            let cuts = call.cuts();
            if cuts.count > 1.0 {
                return Err(super::NotApplicable::NoSuchForm(super::Form::Printed));
            }
            let level = 2.0 * call.gap(call.bytes) + call.latency(call.bytes);
            Ok(at_most(f64::from(call.ceil_log2()) * level))
        })
        .exact(|call| {
            let cuts = call.cuts();
            if cuts.count > 1.0 {
                return Ok(at_most(pipelined(call, &cuts)));
            }
            let (gap, latency) = (call.gap(call.bytes), call.latency(call.bytes));
            Ok(exactly(worst_rank(call.ranks, 2, gap, latency)))
        });

/// An estimate of our own, in the manner of Table 1: `F (2 g(s) + L) + 2 (k₂−1) g(s) + g(h) + L`, where `h = ⌈m/2⌉` and `k₂` is
/// the number of its segments, plus `g(h)` for an even number of ranks: the last rank has no partner, and the root sends it
/// the other half. A rank that finishes early sends its half while its partner's segments still arrive, and delays them by
/// at most one more half.
pub(super) const SPLIT: Formula =
    Formula::bcast("split_binary", "in the manner of Barchet-Estefanel and Mounié 2004, Table 1")
        .segmented()
        .exact(|call| {
            let cuts = call.half_cuts();
            let half = call.bytes.div_ceil(2);
            if call.ranks == 2 {
                // A chain carrying both halves.
                let gaps = 2.0 * (cuts.count - 1.0) * call.gap(cuts.full) + 2.0 * call.gap(cuts.last);
                let whole = call.gap(call.bytes);
                return Ok(about(gaps.max(whole) + call.latency(cuts.last).max(call.latency(call.bytes))));
            }
            let alone = if call.ranks % 2 == 0 { call.gap(half) } else { 0.0 };
            Ok(about(pipelined(call, &cuts) + call.gap(half) + call.latency(half) + alone))
        });

/// Returns the bound on segments that flow down a binary tree.
fn pipelined(call: &Call<'_>, cuts: &Cuts) -> f64 {
    let gap = call.gap(cuts.full).max(call.gap(cuts.last));
    let latency = call.latency(cuts.full).max(call.latency(cuts.last));
    // Two ranks form a chain: one gap per segment.
    let gaps = if call.ranks == 2 { 1.0 } else { 2.0 };
    f64::from(call.floor_log2()) * (gaps * gap + latency) + gaps * (cuts.count - 1.0) * gap
}
