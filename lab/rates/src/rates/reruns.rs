//! How often a second campaign finds the gain where it was predicted.

use std::ops::RangeInclusive;

use qtdec_study::study::claim::Claim;

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

/// The shares of campaigns, in per cent.
struct Covered {
    /// The second campaign has its gain in the interval.
    found: f64,
    /// It has it in an interval with the variance of two independent means.
    independent: f64,
    /// The first campaign recommends something.
    recommended: f64,
    /// Of those that recommend something: the second has its gain in the interval.
    found_then: f64,
    /// Of those: it has it in the interval of the mean that the first one prints.
    in_mean_then: f64,
}

/// Returns how often the gain of a second campaign is where it was predicted.
fn covered(setting: Rerun, seeds: RangeInclusive<u64>) -> Covered {
    let (sigma, tau, common, launches, cells, methods, factor, again) = setting;
    let procedure = Procedure::new(Campaign { sigma, tau, common, launches, cells, methods });
    let second = Campaign { launches: again, ..procedure.campaign };
    let [found, independent, recommended, then, mean_then] = rates(seeds, |seed| {
        let mut noise = Noise::from_seed(seed);
        let time = |_, method| if method == 1 { factor } else { 1.0 };
        let first = procedure.campaign.measure(&mut noise, time);
        let second = second.measure(&mut noise, time);
        let gains = procedure.gains(&first);
        let [low, high] = gains.again(usize::from(again)).expect("there are launches").map(f64::ln_1p);
        let found = procedure.again(&first, &second);
        let [own, others] = [launches, again].map(|number| 1.0 / f64::from(number));
        let narrower = ((own + others) / (own + 1.0 / f64::from(launches - 1) + others)).sqrt();
        let [middle, half] = [f64::midpoint(low, high), (high - low) / 2.0];
        let [is_found, is_independent] = [half, narrower * half].map(|half| (found - middle).abs() <= half);
        let claim = Claim::of_all(&[&gains])[0];
        let is_recommended = claim.is_recommended();
        let is_in_mean = claim.gain().is_some_and(|gain| (gain.low..=gain.high).contains(&found.exp_m1()));
        [is_found, is_independent, is_recommended, is_recommended && is_found, is_recommended && is_in_mean]
    });
    let [found_then, in_mean_then] = [then, mean_then].map(|then| 100.0 * then / recommended);
    Covered { found, independent, recommended, found_then, in_mean_then }
}

/// Returns the table of second campaigns.
pub(super) fn of_reruns(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| σ | τ | common to | launches | cells | methods | one takes | launches again | gain as predicted | with 1/K₁ + 1/K₂ only | recommended | then as predicted | then in the interval of the mean |\n|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for setting in RERUNS {
        let Covered { found, independent, recommended, found_then, in_mean_then } =
            covered(setting, seeds.clone());
        let (sigma, tau, common, launches, cells, methods, factor, again) = setting;
        let row = format!(
            "| {sigma} | {tau} | {common} | {launches} | {cells} | {methods} | {factor} | {again} | {found:.2} % | {independent:.2} % | {recommended:.2} % | {found_then:.2} % | {in_mean_then:.2} % |"
        );
        findings.add(row, found >= LEAST);
    }
    findings
}
