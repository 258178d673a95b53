//! Network parameters fitted to ping-pongs.

use super::Fit;
use crate::network::{Description, Network, Point, Unit};
use qtdec_core::Problems;

/// Fits a network to half of the round-trip times of messages, `(bytes, seconds)`, and to the rates of trains of messages,
/// `(bytes, bytes per second)`, if these were measured.
///
/// With rates, `g(m) = m / rate(m)`, and `L` is the median of `T(m) − g(m)`. Without them `T = α + β m` (Hockney) is fitted by
/// least squares of the relative errors; `α` becomes `L`, and the rest of each time becomes `g(m)`. Residuals compare `L + g(m)`
/// with the times.
///
/// # Errors
///
/// Fails if fewer than two sizes have a gap.
pub fn ping_pong(times: &[(u64, f64)], rates: &[(u64, f64)]) -> Result<Fit<Network>, Problems> {
    let mut undetermined = vec![
        "the overheads os and or: no processor times were measured, so both are assumed to be 0; measure them with Netgauge or logp_mpi"
            .to_owned(),
    ];
    let (latency, gaps) = if rates.is_empty() {
        let (start, rest) = hockney(times);
        let gap = |&(bytes, seconds): &(u64, f64)| (bytes, (seconds - start).max(rest * bytes as f64));
        undetermined.push(
            "how the start-up time of a message divides into latency and gap: all of it is assumed to be latency; add the \
             rates of osu_bw"
                .to_owned(),
        );
        (start, times.iter().map(gap).collect::<Vec<_>>())
    } else {
        let gaps: Vec<_> = rates.iter().map(|&(bytes, rate)| (bytes, bytes as f64 / rate)).collect();
        let both = times.iter().filter_map(|&(bytes, seconds)| {
            let (_, gap) = gaps.iter().find(|(other, _)| *other == bytes)?;
            Some(seconds - gap)
        });
        let both: Vec<f64> = both.collect();
        if both.is_empty() {
            undetermined
                .push("the latency: no size has both a time and a rate, so it is assumed to be 0".to_owned());
        }
        let (median, _) = crate::trust::median_and_90th(both).unwrap_or_default();
        if median < 0.0 {
            undetermined.push(
                "the latency: single messages take less time than their gaps in a train, so it is assumed to be 0"
                    .to_owned(),
            );
        }
        (median.max(0.0), gaps)
    };
    let points = gaps.into_iter().filter(|(_, gap)| *gap > 0.0);
    let points =
        points.map(|(bytes, gap)| Point { bytes, gap: gap * 1e6, send: 0.0, receive: 0.0 }).collect();
    let source = Some("{ \"fitted_to\": \"ping-pongs\" }".to_owned());
    let description = Description { source, ..Description::new(Unit::Microseconds, latency * 1e6, points) };
    let network = Network::new(description)?;
    let predicted = |bytes: u64| network.latency(bytes) + network.gap(bytes);
    let residuals = times.iter().map(|&(bytes, seconds)| predicted(bytes) / seconds - 1.0).collect();
    Ok(Fit { parameters: network, residuals, undetermined })
}

/// Returns `α` and `β` of `T = α + β m`, by least squares of the relative errors `1 - α / T - β m / T`. If one would be negative, it is 0 and
/// the other is the best for that.
fn hockney(times: &[(u64, f64)]) -> (f64, f64) {
    let [mut x1x1, mut x1x2, mut x2x2, mut x1y, mut x2y] = [0.0; 5];
    for &(bytes, seconds) in times {
        let (x1, x2) = (1.0 / seconds, bytes as f64 / seconds);
        x1x1 += x1 * x1;
        x1x2 += x1 * x2;
        x2x2 += x2 * x2;
        x1y += x1;
        x2y += x2;
    }
    let alone = |xy: f64, xx: f64| if xx > 0.0 { (xy / xx).max(0.0) } else { 0.0 };
    let (only1, only2) = (alone(x1y, x1x1), alone(x2y, x2x2));
    let determinant = x1x1 * x2x2 - x1x2 * x1x2;
    // The times determine both unless the columns are multiples of each other, within rounding.
    if determinant <= 1e-9 * x1x1 * x2x2 {
        return if x2x2 > 0.0 { (0.0, only2) } else { (only1, 0.0) };
    }
    let first = (x1y * x2x2 - x2y * x1x2) / determinant;
    let second = (x2y * x1x1 - x1y * x1x2) / determinant;
    match (first < 0.0, second < 0.0) {
        (false, false) => (first, second),
        (true, _) => (0.0, only2),
        (false, true) => (only1, 0.0),
    }
}
