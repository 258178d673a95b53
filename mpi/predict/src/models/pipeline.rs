//! A chain: every rank passes the message to the next one.

use super::{Formula, about, exactly};

/// Barchet-Estefanel and Mounié, Table 1, Chain and Segmented Chain (Pipeline): `(P−1) (g(s) + L) + g(s) (k−1)`.
///
/// Exact: the last segment is charged at its own size on its path to the last rank.
pub(super) const BCAST: Formula =
    Formula::bcast("pipeline", "Barchet-Estefanel and Mounié 2004, Table 1, Chain, Segmented Chain")
        .segmented()
        .printed(|call| {
            let cuts = call.cuts();
            let (gap, latency) = (call.gap(cuts.full), call.latency(cuts.full));
            Ok(about(call.others() * (gap + latency) + gap * (cuts.count - 1.0)))
        })
        .exact(|call| {
            let cuts = call.cuts();
            let (gap, latency) = (call.gap(cuts.full), call.latency(cuts.full));
            let last = call.gap(cuts.last) + call.latency(cuts.last);
            let on_time = (call.others() - 1.0) * (gap + latency) + (cuts.count - 1.0) * gap + last;
            // If the last segment takes longer than a full one, it does not overtake it.
            let behind = (cuts.count - 1.0) * gap + call.others() * last;
            Ok(exactly(on_time.max(behind)))
        });

/// Barchet-Estefanel and Mounié, Table 1, Chain Rendezvous: `(P−1) (g(m) + 2 g(1) + 3 L)`.
pub(super) const RENDEZVOUS: Formula =
    Formula::bcast("pipeline_rendezvous", "Barchet-Estefanel and Mounié 2004, Table 1, Chain Rendezvous")
        .model()
        .printed(|call| {
            let hop = call.gap(call.bytes) + 2.0 * call.gap(1) + 3.0 * call.latency(call.bytes);
            Ok(about(call.others() * hop))
        })
        .exact(|call| {
            let handshake = 2.0 * (call.gap(1) + call.latency(1));
            Ok(exactly(call.others() * (call.gap(call.bytes) + handshake + call.latency(call.bytes))))
        });
