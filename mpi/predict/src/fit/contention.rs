//! Contention, fitted to measured all-to-alls.

use super::{Fit, Measured};
use crate::models::{Call, alltoall_bounds, alltoall_contended};
use crate::network::Network;

/// Fits the contention ratio `γ = Σ d (T − lower) / Σ d²` with `d = upper − lower`, using the bounds of Barchet-Estefanel and
/// Mounié (2004), Table 3. Returns `None` if no time has bounds that differ.
///
/// The paper fits by eye and assumes that the ratio is a signature of the network, the same for all ranks and sizes. The
/// residuals show whether it is.
pub fn contention(network: &Network, times: &[Measured]) -> Option<Fit<f64>> {
    let mut fit = part_of_the_way(times, |time| alltoall_bounds(&call(network, time)))?;
    if fit.parameters <= 0.0 {
        fit.undetermined.push(
            "the times are below the lower bound, so the ratio is assumed to be 0: measure the overheads again"
                .to_owned(),
        );
    }
    if fit.parameters > 1.0 {
        fit.undetermined.push(
            "the times are above the upper bound: the gaps were measured without contention".to_owned(),
        );
    }
    Some(fit)
}

/// Fits the factor γ of Clement, Steed and Crandall (1996), `T = l + b γ / W`, to all-to-alls: the number of processes that share the
/// rate `W` of one of them. It is the number of ranks on a shared medium, and 1 on a switch. Returns `None` without times.
pub fn contention_factor(network: &Network, times: &[Measured]) -> Option<Fit<f64>> {
    part_of_the_way(times, |time| {
        let at = |factor| alltoall_contended(&call(network, time), factor);
        (at(0.0), at(1.0))
    })
}

fn call<'n>(network: &'n Network, time: &Measured) -> Call<'n> {
    Call::new(network, time.ranks, time.bytes)
}

/// Fits the part of the way from a lower to an upper time, at least 0, by least squares.
fn part_of_the_way(times: &[Measured], ends: impl Fn(&Measured) -> (f64, f64)) -> Option<Fit<f64>> {
    let ends: Vec<(f64, f64)> = times.iter().map(ends).collect();
    let (mut over, mut square) = (0.0, 0.0);
    for (time, (lower, upper)) in times.iter().zip(&ends) {
        let width = upper - lower;
        over += width * (time.seconds - lower);
        square += width * width;
    }
    if square <= 0.0 {
        return None;
    }
    let part = (over / square).max(0.0);
    let residuals = times.iter().zip(&ends);
    let residuals =
        residuals.map(|(time, (lower, upper))| (lower + (upper - lower) * part) / time.seconds - 1.0);
    let same = [
        ("the number of ranks", times.windows(2).all(|pair| pair[0].ranks == pair[1].ranks)),
        ("the size", times.windows(2).all(|pair| pair[0].bytes == pair[1].bytes)),
    ];
    let undetermined = same
        .into_iter()
        .filter(|(_, is_same)| *is_same)
        .map(|(what, _)| format!("whether the contention depends on {what}: all times have the same"));
    Some(Fit { parameters: part, residuals: residuals.collect(), undetermined: undetermined.collect() })
}
