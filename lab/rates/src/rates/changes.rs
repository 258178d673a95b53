//! Rates of the intervals and the gate of `qtdec verify`.

use std::ops::RangeInclusive;

use qtdec_study::study::change::Change;
use qtdec_study::study::sides::Sides;

use super::findings::Findings;
use super::maps::launch_times;
use super::noise::{Campaign, Common, Noise};
use super::trials::rates;

/// The greatest share of deployments after which nothing changed whose interval or gate may say otherwise, in per cent.
const MOST_OF_NOTHING: f64 = 6.5;

/// Launches before and after, σ, τ and cells of deployments after which nothing changed.
type Unchanged = (u16, u16, f64, f64, usize);

const UNCHANGED: [Unchanged; 12] = [
    (3, 3, 0.1, 0.0, 6),
    (3, 3, 0.05, 0.1, 40),
    (3, 3, 0.8, 0.0, 40),
    (3, 10, 0.1, 0.05, 6),
    (10, 3, 0.05, 0.0, 40),
    (10, 3, 0.1, 0.05, 6),
    (10, 3, 0.4, 0.1, 40),
    (10, 10, 0.1, 0.0, 6),
    (10, 10, 0.1, 0.05, 40),
    (10, 10, 0.8, 0.1, 6),
    (10, 10, 0.3, 0.0, 40),
    (3, 3, 0.8, 0.1, 6),
];

/// τ, cells, and how many of the deployments that became a tenth slower are to be seen, in per cent.
type Slower = (f64, usize, f64);

const SLOWER: [Slower; 4] = [(0.0, 40, 95.0), (0.05, 40, 95.0), (0.0, 6, 85.0), (0.05, 6, 85.0)];

pub(super) fn only_default(launches: u16, sigma: f64, tau: f64, cells: usize) -> Campaign {
    Campaign { sigma, tau, common: Common::Launch, launches, cells, methods: 1 }
}

/// Returns the change between two campaigns of the default, the second one slower by a factor.
pub(super) fn change(before: Campaign, after: Campaign, factor: f64, seed: u64) -> Change {
    let mut noise = Noise::from_seed(seed);
    let before = launch_times(&before.measure(&mut noise, |_, _| 1.0), 0);
    let after = launch_times(&after.measure(&mut noise, |_, _| factor), 0);
    let points = before.points().map(<[u64]>::to_vec).collect();
    Change::new(&before, &after, Sides::OneJob, &points).expect("there are points")
}

/// Returns how often the interval excludes no change, and how often the gate at 0 % fails.
fn unchanged(setting: Unchanged, seeds: RangeInclusive<u64>) -> [f64; 2] {
    let (before, after, sigma, tau, cells) = setting;
    let [before, after] = [before, after].map(|launches| only_default(launches, sigma, tau, cells));
    rates(seeds, |seed| {
        let change = change(before, after, 1.0, seed);
        let excludes = change.ends.is_some_and(|[low, high]| low > 1.0 || high < 1.0);
        [excludes, change.is_slower_than(0.0)]
    })
}

/// Returns how often a slowdown of a tenth is seen with ten launches on each side.
fn slower((tau, cells, _): Slower, seeds: RangeInclusive<u64>) -> f64 {
    let campaign = only_default(10, 0.1, tau, cells);
    let [seen] = rates(seeds, |seed| [change(campaign, campaign, 1.1, seed).is_slower_than(0.0)]);
    seen
}

/// Returns the table of deployments after which nothing changed.
pub(super) fn of_nothing(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| launches before | after | σ | τ | cells | interval excludes 0 | gate fails |\n|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for setting in UNCHANGED {
        let [interval, gate] = unchanged(setting, seeds.clone());
        let (before, after, sigma, tau, cells) = setting;
        let row =
            format!("| {before} | {after} | {sigma} | {tau} | {cells} | {interval:.2} % | {gate:.2} % |");
        findings.add(row, interval.max(gate) <= MOST_OF_NOTHING);
    }
    findings
}

/// Returns the table of deployments that became slower.
pub(super) fn of_slower(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new("| τ | cells | seen | at least |\n|---:|---:|---:|---:|\n");
    for setting in SLOWER {
        let seen = slower(setting, seeds.clone());
        let (tau, cells, wanted) = setting;
        findings.add(format!("| {tau} | {cells} | {seen:.2} % | {wanted} % |"), seen >= wanted);
    }
    findings
}

/// Pairs, σ, τ of a pair, cells, and how many of the deployments that became a tenth slower are to be seen, in per cent.
type Paired = (u16, f64, f64, usize, Option<f64>);

const PAIRED: [Paired; 8] = [
    (3, 0.1, 0.05, 6, None),
    (3, 0.8, 0.1, 40, None),
    (5, 0.05, 0.1, 40, None),
    (5, 0.1, 0.1, 6, None),
    (10, 0.1, 0.1, 40, Some(95.0)),
    (10, 0.1, 0.1, 6, Some(85.0)),
    (10, 0.3, 0.1, 40, None),
    (10, 0.8, 0.1, 6, None),
];

/// Returns the change within pairs of launches, of which the second ones are slower by a factor.
pub(super) fn change_in_pairs(pairs: Campaign, factor: f64, noise: &mut Noise) -> Change {
    let times = pairs.measure(noise, |_, method| if method == 1 { factor } else { 1.0 });
    let within = launch_times(&times, 1).over(&launch_times(&times, 0));
    let points = within.points().map(<[u64]>::to_vec).collect();
    Change::from_pairs(&within, &points).expect("there are points")
}

/// Returns how often the interval excludes no change and the gate at 0 % fails after nothing changed, and how often the gate sees a
/// slowdown of a tenth.
fn paired((launches, sigma, tau, cells, _): Paired, seeds: RangeInclusive<u64>) -> [f64; 3] {
    let pairs = Campaign { methods: 2, ..only_default(launches, sigma, tau, cells) };
    rates(seeds, |seed| {
        let unchanged = change_in_pairs(pairs, 1.0, &mut Noise::from_seed(seed));
        let excludes = unchanged.ends.is_some_and(|[low, high]| low > 1.0 || high < 1.0);
        let slower = change_in_pairs(pairs, 1.1, &mut Noise::from_seed(seed));
        [excludes, unchanged.is_slower_than(0.0), slower.is_slower_than(0.0)]
    })
}

/// Returns the table of deployments that are compared within pairs.
pub(super) fn of_pairs(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| pairs | σ | τ of a pair | cells | interval excludes 0 | gate fails | a tenth slower is seen | at least |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for setting in PAIRED {
        let [interval, gate, seen] = paired(setting, seeds.clone());
        let (pairs, sigma, tau, cells, wanted) = setting;
        let least = wanted.map_or("–".to_owned(), |wanted| format!("{wanted} %"));
        let row = format!(
            "| {pairs} | {sigma} | {tau} | {cells} | {interval:.2} % | {gate:.2} % | {seen:.2} % | {least} |"
        );
        let is_seen = wanted.is_none_or(|wanted| seen >= wanted);
        findings.add(row, interval.max(gate) <= MOST_OF_NOTHING && is_seen);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least numbers that would contradict the rates.
    #[test]
    fn few_trials_agree_with_the_rates() {
        let [interval, gate] = unchanged(UNCHANGED[0], 1..=100);
        assert!(interval <= 15.0 && gate <= 15.0, "{interval} {gate}");
        let seen = slower(SLOWER[3], 1..=40);
        assert!(seen >= 65.0, "{seen}");
    }
}
