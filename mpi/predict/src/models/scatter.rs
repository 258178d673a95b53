//! Scatters, and gathers as their mirror images; the bytes are those of one rank.

use super::call::{Call, ceil_log2};
use super::{Collective, Formula, about, exactly};

/// Barchet-Estefanel and Mounié, Table 2, Flat Tree.
pub(super) const LINEAR: Formula =
    Formula::new(Collective::Scatter, "linear", "Barchet-Estefanel and Mounié 2004, Table 2, Flat Tree")
        .printed(|call| Ok(about(flat(call))))
        .exact(|call| Ok(exactly(flat(call))));

/// Barchet-Estefanel and Mounié, Table 2, Chain.
pub(super) const CHAIN: Formula =
    Formula::new(Collective::Scatter, "chain", "Barchet-Estefanel and Mounié 2004, Table 2, Chain")
        .printed(|call| Ok(about(chain(call))))
        .exact(|call| Ok(exactly(chain(call))));

/// Barchet-Estefanel and Mounié, Table 2, Binomial Tree.
pub(super) const BINOMIAL: Formula = Formula::new(
    Collective::Scatter,
    "binomial",
    "Barchet-Estefanel and Mounié 2004, Table 2, Binomial Tree",
)
.printed(|call| Ok(about(binomial_printed(call))))
.exact(|call| Ok(exactly(binomial(call, call.ranks))));

pub(super) const GATHER_LINEAR: Formula = mirror(LINEAR);

pub(super) const GATHER_CHAIN: Formula = mirror(CHAIN);

/// The mirror image of [`BINOMIAL`]: the time of the scatter reversed. Ranks that send as soon as they can may reach a
/// port in another order.
pub(super) const GATHER_BINOMIAL: Formula =
    mirror(BINOMIAL).exact(|call| Ok(about(binomial(call, call.ranks))));

const fn mirror(of: Formula) -> Formula {
    Formula { collective: Collective::Gather, ..of }
}

/// Returns `(P−1) g(m) + L`.
fn flat(call: &Call<'_>) -> f64 {
    call.others() * call.gap(call.bytes) + call.latency(call.bytes)
}

/// Returns `Σ_{j=1}^{P−1} g(j m) + (P−1) L`: each rank passes on what the ranks behind it need.
fn chain(call: &Call<'_>) -> f64 {
    let hop = |blocks: u64| {
        let bytes = blocks.saturating_mul(call.bytes);
        call.gap(bytes) + call.latency(bytes)
    };
    (1..call.ranks).map(hop).sum()
}

/// Returns `Σ_{j=0}^{K−1} g(2^j m) + K L`. Correct for powers of two; otherwise the root sends `P − 1` blocks, not `2^K − 1`.
fn binomial_printed(call: &Call<'_>) -> f64 {
    let gap = |level: u32| call.gap(call.bytes.saturating_mul(1 << level));
    let gaps: f64 = (0..call.ceil_log2()).map(gap).sum();
    gaps + f64::from(call.ceil_log2()) * call.latency(call.bytes)
}

/// Returns `C(P)`, where `C(1) = 0` and `C(n) = g((n−h) m) + max(L + C(n−h), C(h))` with the largest power of two `h` below `n`.
/// A rank keeps `h` blocks and sends the others away first.
fn binomial(call: &Call<'_>, ranks: u64) -> f64 {
    if ranks < 2 {
        return 0.0;
    }
    let keeps = 1 << (ceil_log2(ranks) - 1);
    let sent = (ranks - keeps).saturating_mul(call.bytes);
    call.gap(sent) + (call.latency(sent) + binomial(call, ranks - keeps)).max(binomial(call, keeps))
}
