//! All-to-alls by direct exchange; the bytes are those of one pair of ranks.

use super::call::Call;
use super::{Collective, Formula, NotApplicable, about, exactly};
use crate::network::{Level, MessageCost};

/// Returns the lower and the upper bound of Barchet-Estefanel and Mounié, Table 3, in seconds:
/// `(P−1) os(m) + (P−1) or(m) + L` and `(P−1) g(m) + (P−1) or(m) + L`.
///
/// The names are the paper's: an exchange without contention takes less than the upper bound, and one with heavy losses
/// may take more. The lower bound is below what one port can achieve unless `g` belongs to a link rather than to a port.
pub fn bounds(call: &Call<'_>) -> (f64, f64) {
    let MessageCost { latency, gap, send, receive } = call.network.cost(Level::Within, call.bytes);
    if call.ranks < 2 {
        return (0.0, 0.0);
    }
    let others = call.others();
    (others * (send + receive) + latency, others * (gap + receive) + latency)
}

/// Returns the time in seconds by the model of Clement, Steed and Crandall (1996), which Barchet-Estefanel and Mounié cite in section 5:
/// `T = l + b γ / W`, where `γ` processes share the rate `W`. Each rank sends `P − 1` messages of the gap `g(m)`: `L + (P−1) γ g(m)`.
pub fn contended(call: &Call<'_>, factor: f64) -> f64 {
    let MessageCost { latency, gap, .. } = call.network.cost(Level::Within, call.bytes);
    if call.ranks < 2 { 0.0 } else { latency + call.others() * factor * gap }
}

const IN_THE_MANNER: &str = "in the manner of Barchet-Estefanel and Mounié 2004, section 5.1";

/// Everything at once, every rank serving the ranks in the same order: `(2P−3) g(m) + L`, because all ranks serve rank 0 first.
pub(super) const LINEAR: Formula =
    Formula::new(Collective::Alltoall, "linear", IN_THE_MANNER).exact(|call| {
        let gaps = 2.0 * call.ranks as f64 - 3.0;
        Ok(about(gaps * call.gap(call.bytes) + call.latency(call.bytes)))
    });

/// Everything at once, rank `i` serving `i + 1` first: `(P−1) g(m) + L`.
pub(super) const ROTATED: Formula = Formula::new(Collective::Alltoall, "rotated", IN_THE_MANNER)
    .exact(|call| Ok(exactly(call.others() * call.gap(call.bytes) + call.latency(call.bytes))));

/// Barchet-Estefanel and Mounié, Table 3: interpolated between the bounds by the network's contention ratio.
pub(super) const CONTENTION: Formula = Formula::new(
    Collective::Alltoall,
    "direct",
    "Barchet-Estefanel and Mounié 2004, Table 3, with the contention ratio of section 5.1",
)
.printed(|call| {
    let (lower, upper) = bounds(call);
    let contention = call.network.description().contention.ok_or(NotApplicable::NoContention)?;
    Ok(about(lower + (upper - lower) * contention))
});

/// All ranks share one medium, as in the Ethernet of Clement, Steed and Crandall: `γ` is the number of ranks.
pub(super) const SHARED_MEDIUM: Formula = Formula::new(
    Collective::Alltoall,
    "shared_medium",
    "Clement, Steed and Crandall 1996, as cited by Barchet-Estefanel and Mounié 2004, section 5",
)
.model()
.printed(|call| Ok(about(contended(call, call.ranks as f64))));
