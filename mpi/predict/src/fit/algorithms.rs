//! Parameters for each broadcast algorithm, in the manner of Nuriyev and Lastovetsky, "Efficient and Accurate Selection of
//! Optimal Collective Communication Algorithms Using Analytical Performance Modeling" (IEEE Access 2021). `α` and `β` are
//! fitted to each algorithm from its own times, not once for all algorithms from ping-pongs. `γ(P)` is the cost of a message
//! to `P − 1` ranks at once relative to a message to one rank.

use std::collections::BTreeMap;

use super::least_squares::Sums;
use super::{Fit, Measured};

/// The cost of a message to several ranks at once relative to a message to one rank, by the number of ranks including the sender.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContentionRatios {
    ratios: BTreeMap<u64, f64>,
}

impl ContentionRatios {
    /// Takes the ratios from linear broadcasts without segments: the median over the sizes of `T(P, m) / T(2, m)`.
    pub fn from_linear(times: &[Measured]) -> Self {
        let linear = || times.iter().filter(|time| time.algorithm == "linear" && time.segment.is_none());
        let single: BTreeMap<u64, f64> =
            linear().filter(|time| time.ranks == 2).map(|time| (time.bytes, time.seconds)).collect();
        let mut found: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for time in linear().filter(|time| time.ranks > 2) {
            if let Some(single) = single.get(&time.bytes) {
                found.entry(time.ranks).or_default().push(time.seconds / single);
            }
        }
        let ratios = found
            .into_iter()
            .filter_map(|(ranks, ratios)| Some((ranks, crate::trust::median_and_90th(ratios)?.0.max(1.0))));
        Self { ratios: ratios.collect() }
    }

    /// Returns the ratio for a number of ranks, interpolated and extrapolated linearly. Without measurements it is `P − 1`: one
    /// message after the other.
    pub fn at(&self, ranks: u64) -> f64 {
        let p = ranks as f64;
        if ranks <= 2 || self.ratios.is_empty() {
            return (p - 1.0).max(1.0);
        }
        let below =
            self.ratios.range(..=ranks).next_back().map_or((2.0, 1.0), |(&at, &ratio)| (at as f64, ratio));
        let above = self.ratios.range(ranks..).next().map(|(&at, &ratio)| (at as f64, ratio));
        let line = |one: (f64, f64), other: (f64, f64)| {
            if other.0 > one.0 { one.1 + (other.1 - one.1) * (p - one.0) / (other.0 - one.0) } else { one.1 }
        };
        match above {
            Some(above) => line(below, above),
            // Beyond the last ratio, follow the line from two ranks.
            None => line((2.0, 1.0), below).max(1.0),
        }
    }
}

/// The parameters of one algorithm: a step takes `α + β s`.
#[derive(Clone, Debug, PartialEq)]
pub struct AlgorithmFit {
    /// The name of the algorithm.
    pub algorithm: String,
    /// The start-up time of a step, in seconds.
    pub alpha: f64,
    /// The time per byte, in seconds.
    pub beta: f64,
}

impl AlgorithmFit {
    /// Returns the time in seconds that the parameters predict, or `None` for an algorithm whose steps are not known.
    pub fn seconds(
        &self,
        contention: &ContentionRatios,
        ranks: u64,
        bytes: u64,
        segment: Option<u64>,
    ) -> Option<f64> {
        let steps = steps(&self.algorithm, contention, ranks, bytes, segment)?;
        Some(steps.count * (self.alpha + self.beta * steps.bytes))
    }
}

/// The number of steps of an algorithm, and the bytes of each.
struct Steps {
    count: f64,
    bytes: f64,
}

fn steps(
    algorithm: &str,
    contention: &ContentionRatios,
    ranks: u64,
    bytes: u64,
    segment: Option<u64>,
) -> Option<Steps> {
    let size = segment.unwrap_or(bytes).clamp(1, bytes.max(1));
    let (count, others) = (bytes.div_ceil(size).max(1) as f64, ranks.saturating_sub(1) as f64);
    let levels = ranks.max(1).ilog2();
    let depth = u64::BITS - ranks.saturating_sub(1).leading_zeros();
    if ranks < 2 {
        return Some(Steps { count: 0.0, bytes: 0.0 });
    }
    let steps = match algorithm {
        "linear" => count * contention.at(ranks),
        "pipeline" => others + count - 1.0,
        "binary" => (f64::from(levels) + count - 1.0) * contention.at(ranks.min(3)),
        // The root sends to `K` ranks, its first child to `K − 1`, and so on; further segments wait for the root.
        "binomial" => {
            let way: f64 = (0..depth).map(|level| contention.at(u64::from(depth - level) + 1)).sum();
            way + (count - 1.0) * contention.at(u64::from(depth) + 1)
        }
        _ => return None,
    };
    Some(Steps { count: steps, bytes: size as f64 })
}

/// Fits the parameters of every algorithm whose steps are known, by least squares of the relative errors. Other algorithms
/// are omitted.
pub fn algorithms(times: &[Measured], contention: &ContentionRatios) -> Vec<Fit<AlgorithmFit>> {
    let mut by_algorithm: BTreeMap<&str, Vec<(&Measured, Steps)>> = BTreeMap::new();
    for time in times.iter().filter(|time| time.ranks > 1 && time.seconds > 0.0) {
        if let Some(steps) = steps(&time.algorithm, contention, time.ranks, time.bytes, time.segment) {
            by_algorithm.entry(&time.algorithm).or_default().push((time, steps));
        }
    }
    by_algorithm.into_iter().map(|(algorithm, times)| fit(algorithm, &times, contention)).collect()
}

fn fit(algorithm: &str, times: &[(&Measured, Steps)], contention: &ContentionRatios) -> Fit<AlgorithmFit> {
    let mut sums = Sums::default();
    for (time, steps) in times {
        let weight = steps.count / time.seconds;
        sums.add(weight, weight * steps.bytes, 1.0);
    }
    let (alpha, beta) = sums.solve();
    let parameters = AlgorithmFit { algorithm: algorithm.to_owned(), alpha, beta };
    let predicted = |steps: &Steps| steps.count * (alpha + beta * steps.bytes);
    let residuals = times.iter().map(|(time, steps)| predicted(steps) / time.seconds - 1.0).collect();
    let mut undetermined = Vec::new();
    if !sums.determines_both() {
        undetermined.push(format!(
            "α and β of {algorithm}: all of its steps have {} bytes",
            times.first().map_or(0.0, |(_, steps)| steps.bytes)
        ));
    }
    if contention.ratios.is_empty() && algorithm != "pipeline" {
        undetermined.push(format!(
            "γ(P) of {algorithm}: no linear broadcasts of 2 and more ranks, so messages are assumed to follow each other"
        ));
    }
    Fit { parameters, residuals, undetermined }
}
