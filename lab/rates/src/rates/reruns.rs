//! How often a second campaign finds the gain where it was predicted.

use std::ops::RangeInclusive;

use super::findings::Findings;
use super::gains::Procedure;
use super::noise::{Campaign, Common, Noise};
use super::trials::rates;

/// The least share of second campaigns whose gain is in the interval, in per cent.
const LEAST: f64 = 93.5;

/// σ, τ, what it is common to, launches, cells, methods, the time of one of them relative to the default, launches of the second campaign.
type Rerun = (f64, f64, Common, u16, usize, usize, f64, u16);

const RERUNS: [Rerun; 10] = [
    (0.1, 0.05, Common::Launch, 3, 6, 6, 1.0, 3),
    (0.1, 0.05, Common::Launch, 5, 6, 6, 0.9, 3),
    (0.1, 0.05, Common::Launch, 10, 6, 6, 0.9, 10),
    (0.1, 0.05, Common::Launch, 5, 30, 6, 0.9, 5),
    (0.1, 0.1, Common::Method, 5, 6, 2, 0.8, 5),
    (0.1, 0.1, Common::Method, 10, 6, 6, 0.8, 3),
    (0.3, 0.1, Common::Launch, 10, 6, 3, 0.8, 10),
    (0.3, 0.0, Common::Launch, 5, 12, 2, 0.7, 1),
    (0.05, 0.05, Common::Method, 3, 12, 6, 0.9, 10),
    (0.8, 0.1, Common::Launch, 10, 6, 2, 1.0, 10),
];

/// Returns how often the gain is in the interval, and how often it is in one with the variance of two independent means.
fn covered(setting: Rerun, seeds: RangeInclusive<u64>) -> [f64; 2] {
    let (sigma, tau, common, launches, cells, methods, factor, again) = setting;
    let procedure = Procedure::new(Campaign { sigma, tau, common, launches, cells, methods });
    let second = Campaign { launches: again, ..procedure.campaign };
    rates(seeds, |seed| {
        let mut noise = Noise::from_seed(seed);
        let time = |_, method| if method == 1 { factor } else { 1.0 };
        let first = procedure.campaign.measure(&mut noise, time);
        let second = second.measure(&mut noise, time);
        let interval = procedure.gains(&first).again(usize::from(again));
        let [low, high] = interval.expect("there are launches").map(f64::ln_1p);
        let found = procedure.again(&first, &second);
        let [own, others] = [launches, again].map(|number| 1.0 / f64::from(number));
        let narrower = ((own + others) / (own + 1.0 / f64::from(launches - 1) + others)).sqrt();
        let [middle, half] = [f64::midpoint(low, high), (high - low) / 2.0];
        [half, narrower * half].map(|half| (found - middle).abs() <= half)
    })
}

/// Returns the table of second campaigns.
pub(super) fn of_reruns(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| σ | τ | common to | launches | cells | methods | one takes | launches again | gain as predicted | with 1/K₁ + 1/K₂ only |\n|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for setting in RERUNS {
        let [found, independent] = covered(setting, seeds.clone());
        let (sigma, tau, common, launches, cells, methods, factor, again) = setting;
        let row = format!(
            "| {sigma} | {tau} | {common} | {launches} | {cells} | {methods} | {factor} | {again} | {found:.2} % | {independent:.2} % |"
        );
        findings.add(row, found >= LEAST);
    }
    findings
}
