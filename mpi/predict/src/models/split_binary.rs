//! A split binary tree: halves of the message down two subtrees, then an exchange of halves.

use super::binary::pipelined;
use super::{Formula, about};

/// An estimate of our own, in the manner of Table 1: `F (2 g(s) + L) + 2 (k₂−1) g(s) + g(h) + L`, where `h = ⌈m/2⌉` and `k₂` is
/// the number of its segments, plus `g(h)` for an even number of ranks: the last rank has no partner, and the root sends it
/// the other half. A rank that finishes early sends its half while its partner's segments still arrive, and delays them by
/// at most one more half.
pub(super) const BCAST: Formula =
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
