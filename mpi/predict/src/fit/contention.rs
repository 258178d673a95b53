//! The contention ratio, fitted to measured all-to-alls.

use super::{Fit, Measured};
use crate::models::{Call, alltoall_bounds};
use crate::network::Network;

/// Fits the contention ratio `γ = Σ d (T − lower) / Σ d²` with `d = upper − lower`, using the bounds of Barchet-Estefanel and
/// Mounié (2004), Table 3. Returns `None` if no time has bounds that differ.
///
/// The paper fits by eye and assumes that the ratio is a signature of the network, the same for all ranks and sizes. The
/// residuals show whether it is.
pub fn contention(network: &Network, times: &[Measured]) -> Option<Fit<f64>> {
    let bounds: Vec<(f64, f64)> =
        times.iter().map(|time| alltoall_bounds(&Call::new(network, time.ranks, time.bytes))).collect();
    let (mut over, mut square) = (0.0, 0.0);
    for (time, (lower, upper)) in times.iter().zip(&bounds) {
        let width = upper - lower;
        over += width * (time.seconds - lower);
        square += width * width;
    }
    if square <= 0.0 {
        return None;
    }
    let ratio = (over / square).max(0.0);
    let residuals = times.iter().zip(&bounds);
    let residuals =
        residuals.map(|(time, (lower, upper))| (lower + (upper - lower) * ratio) / time.seconds - 1.0);
    let mut undetermined = Vec::new();
    if over < 0.0 {
        undetermined.push(
            "the times are below the lower bound, so the ratio is assumed to be 0: measure the overheads again"
                .to_owned(),
        );
    }
    if ratio > 1.0 {
        undetermined.push(
            "the times are above the upper bound: the gaps were measured without contention".to_owned(),
        );
    }
    for (what, same) in [
        ("the number of ranks", times.windows(2).all(|pair| pair[0].ranks == pair[1].ranks)),
        ("the size", times.windows(2).all(|pair| pair[0].bytes == pair[1].bytes)),
    ] {
        if same {
            undetermined.push(format!("whether the ratio depends on {what}: all times have the same"));
        }
    }
    Some(Fit { parameters: ratio, residuals: residuals.collect(), undetermined })
}
