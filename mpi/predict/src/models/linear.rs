//! A flat tree: the root sends to every other rank.

use super::{Formula, about, at_most, exactly};

/// Barchet-Estefanel and Mounié, Table 1, Flat Tree and Segmented Flat Tree: `(P−1) k g(s) + L`.
///
/// Exact: the last segment is charged at its own size.
pub(super) const BCAST: Formula =
    Formula::bcast("linear", "Barchet-Estefanel and Mounié 2004, Table 1, Flat Tree, Segmented Flat Tree")
        .segmented()
        .printed(|call| {
            let cuts = call.cuts();
            Ok(about(call.others() * (call.gap(cuts.full) * cuts.count) + call.latency(cuts.full)))
        })
        .exact(|call| {
            let cuts = call.cuts();
            let gaps = (cuts.count - 1.0) * call.gap(cuts.full) + call.gap(cuts.last);
            Ok(exactly(call.others() * gaps + call.latency(cuts.last)))
        });

/// Barchet-Estefanel and Mounié, Table 1, Flat Tree Rendezvous: `(P−1) g(m) + 2 g(1) + 3 L`.
///
/// The row counts one handshake, a request and a reply of one byte, for all ranks: the root asks all of them first, and
/// the replies arrive while it sends. Exact: its requests, `(P−1) g(1)`, may take longer than the first reply.
pub(super) const RENDEZVOUS: Formula =
    Formula::bcast("linear_rendezvous", "Barchet-Estefanel and Mounié 2004, Table 1, Flat Tree Rendezvous")
        .model()
        .printed(|call| {
            let (whole, byte) = (call.gap(call.bytes), call.gap(1));
            Ok(about(call.others() * whole + 2.0 * byte + 3.0 * call.latency(call.bytes)))
        })
        .exact(|call| {
            let (whole, byte) = (call.gap(call.bytes), call.gap(1));
            let first_reply = 2.0 * byte + 2.0 * call.latency(1);
            let seconds =
                call.others() * whole + first_reply.max(call.others() * byte) + call.latency(call.bytes);
            // The formula does not wait for a reply that arrives after the previous message has left.
            Ok(if whole >= byte { exactly(seconds) } else { at_most(seconds) })
        });
