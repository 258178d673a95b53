//! Rates of what `qtdec verify` answers.

use std::fmt;
use std::ops::RangeInclusive;

use qtdec_core::{Domain, MethodIndex};
use qtdec_study::study::following::{Answer, Following};
use qtdec_study::study::launch_times::LaunchTimes;
use qtdec_study::study::recommend::{Choice, RecommendOptions, recommended, tree};
use qtdec_study::study::sides::Sides;

use super::findings::Findings;
use super::maps::{domain, launch_times, map, map_of};
use super::noise::{Campaign, Common, Noise, Times};
use super::trials::rates;

/// The greatest share of libraries that follow and may be accused, in per cent.
const MOST_ACCUSED: f64 = 1.0;

/// The least share of ignored files with a promise of a fifth that are to be named, in per cent.
const LEAST_NAMED: f64 = 90.0;

/// The greatest share of ignored files that may be called followed, in per cent.
const MOST_MISTAKEN: f64 = 5.0;

/// Which methods differ from the default.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Truth {
    /// One, everywhere, by this factor.
    One(f64),
    /// All, everywhere, by this factor.
    All(f64),
    /// One in half of the cells, by this factor.
    Half(f64),
}

impl Truth {
    fn factor(self, cell: usize, method: usize) -> f64 {
        match self {
            Self::One(factor) if method == 1 => factor,
            Self::All(factor) if method > 0 => factor,
            Self::Half(factor) if method == 1 && cell.is_multiple_of(2) => factor,
            _ => 1.0,
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(1.0) => f.write_str("none"),
            Self::One(factor) => write!(f, "one takes {factor:.3} of the default"),
            Self::All(factor) => write!(f, "all take {factor:.3}"),
            Self::Half(factor) => write!(f, "one takes {factor:.3} in half of the cells"),
        }
    }
}

/// Launches before and after, σ, τ, cells, methods.
type Setting = (u16, u16, f64, f64, usize, usize);

/// Deployments that are obeyed.
const OBEYED: [(Setting, Truth); 12] = [
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(1.0)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(0.95)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(0.83)),
    ((10, 10, 0.1, 0.0, 30, 6), Truth::One(0.83)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::All(0.83)),
    ((10, 10, 0.1, 0.05, 12, 6), Truth::Half(0.8)),
    ((10, 10, 0.8, 0.1, 12, 6), Truth::All(0.8)),
    ((10, 10, 0.8, 0.0, 6, 6), Truth::One(1.0)),
    ((10, 3, 0.3, 0.05, 6, 6), Truth::All(0.9)),
    ((3, 3, 0.1, 0.05, 6, 6), Truth::One(1.0)),
    ((3, 3, 0.3, 0.05, 6, 6), Truth::All(0.83)),
    ((5, 5, 0.1, 0.1, 30, 6), Truth::One(0.95)),
];

/// Deployments with a promise of a fifth that are ignored.
const IGNORED: [(Setting, Truth); 5] = [
    ((10, 10, 0.1, 0.0, 6, 6), Truth::One(1.0 / 1.2)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::One(1.0 / 1.2)),
    ((10, 10, 0.1, 0.05, 40, 6), Truth::One(1.0 / 1.2)),
    ((10, 10, 0.1, 0.05, 12, 6), Truth::Half(1.0 / 1.44)),
    ((10, 10, 0.1, 0.05, 6, 6), Truth::All(1.0 / 1.2)),
];

/// Returns the times of what the launches decide, each decided by the others, as the deployed tree was. If it never keeps the default,
/// neither do they.
fn held_out(before: &Times, domain: &Domain, choice: &Choice) -> LaunchTimes {
    let mut deployed = LaunchTimes::default();
    let has_default = choice.tree.cells().iter().flatten().any(|method| method.get() == 0);
    for held_out in before.launches() {
        let others = map_of(before, domain, has_default, |launch| launch != held_out);
        let own = tree(&others, &choice.options);
        let tree = own.as_ref().unwrap_or(&choice.tree);
        for (cell, sizes) in before.campaign.sizes().enumerate() {
            let method = tree.decide(&sizes).map_or(0, MethodIndex::get);
            deployed.add(&sizes, held_out, before.get(held_out, method, cell));
        }
    }
    deployed
}

/// How the launches after a deployment are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// On their own.
    Alone,
    /// By turns with launches without the deployment.
    Pairs,
}

/// Deployments that are compared within pairs.
const PAIRED: [(Setting, Truth, bool); 8] = [
    ((10, 10, 0.1, 0.1, 6, 6), Truth::One(1.0), true),
    ((10, 10, 0.1, 0.1, 6, 6), Truth::One(0.83), true),
    ((10, 5, 0.1, 0.1, 30, 6), Truth::One(0.83), true),
    ((5, 3, 0.3, 0.1, 12, 6), Truth::All(0.83), true),
    ((10, 10, 0.8, 0.1, 12, 6), Truth::All(0.8), true),
    ((10, 10, 0.1, 0.1, 6, 6), Truth::One(1.0 / 1.2), false),
    ((10, 5, 0.1, 0.1, 12, 6), Truth::Half(1.0 / 1.44), false),
    ((10, 10, 0.1, 0.1, 40, 6), Truth::One(1.0 / 1.2), false),
];

/// Returns how often a library is accused, and how often it is said to follow, after deployments of the recommended tree that are
/// obeyed or ignored. Where the tree keeps the default everywhere, nothing is deployed, and neither is said.
fn answers(
    setting: Setting,
    truth: Truth,
    is_obeyed: bool,
    by: After,
    seeds: RangeInclusive<u64>,
) -> [f64; 2] {
    let (launches, after, sigma, tau, cells, methods) = setting;
    let campaign = Campaign { sigma, tau, common: Common::Launch, launches, cells, methods };
    let domain = domain(&campaign);
    rates(seeds, |seed| {
        let mut noise = Noise::from_seed(seed);
        let before = campaign.measure(&mut noise, |cell, method| truth.factor(cell, method));
        let all = map(&before, &domain, |_| true);
        let choice = recommended(&all, &RecommendOptions::default()).expect("a tree can be recommended");
        let decided = |sizes: &[u64]| choice.tree.decide(sizes).map_or(0, MethodIndex::get);
        let decisions: Vec<usize> = campaign.sizes().map(|sizes| decided(&sizes)).collect();
        if decisions.iter().all(|&method| method == 0) {
            return [false; 2];
        }
        let ran = |cell: usize| truth.factor(cell, if is_obeyed { decisions[cell] } else { 0 });
        let (default, deployed) = (launch_times(&before, 0), held_out(&before, &domain, &choice));
        let is_kept = |sizes: &[u64]| decided(sizes) == 0;
        let found = match by {
            After::Alone => {
                let again = Campaign { launches: after, methods: 1, ..campaign };
                let after = again.measure(&mut noise, |cell, _| ran(cell));
                Following::new(&default, &deployed, &launch_times(&after, 0), Sides::OneJob, is_kept)
            }
            After::Pairs => {
                let pairs = Campaign { launches: after, methods: 2, ..campaign };
                let pairs =
                    pairs.measure(&mut noise, |cell, method| if method == 1 { ran(cell) } else { 1.0 });
                let within = launch_times(&pairs, 1).over(&launch_times(&pairs, 0));
                Following::from_pairs(&default, &deployed, &within, is_kept)
            }
        };
        [found.answer == Answer::DoesNotFollow, found.answer == Answer::Follows]
    })
}

const HEAD: &str = "| launches before | after | σ | τ | cells | methods that differ | does-not-follow | follows |\n|---:|---:|---:|---:|---:|---|---:|---:|\n";

fn row((before, after, sigma, tau, cells, _): Setting, truth: Truth, [accused, follows]: [f64; 2]) -> String {
    format!("| {before} | {after} | {sigma} | {tau} | {cells} | {truth} | {accused:.2} % | {follows:.2} % |")
}

/// Returns the table of deployments that are obeyed.
pub(super) fn of_obeyed(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(HEAD);
    for (setting, truth) in OBEYED {
        let found = answers(setting, truth, true, After::Alone, seeds.clone());
        findings.add(row(setting, truth, found), found[0] <= MOST_ACCUSED);
    }
    findings
}

/// Returns the table of deployments that are ignored.
pub(super) fn of_ignored(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(HEAD);
    for (setting, truth) in IGNORED {
        let found = answers(setting, truth, false, After::Alone, seeds.clone());
        findings.add(row(setting, truth, found), found[0] >= LEAST_NAMED && found[1] <= MOST_MISTAKEN);
    }
    findings
}

/// Returns the table of deployments that are compared within pairs, obeyed and ignored.
pub(super) fn of_pairs(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| launches before | pairs | σ | τ | cells | methods that differ | the file is | does-not-follow | follows |\n|---:|---:|---:|---:|---:|---|---|---:|---:|\n",
    );
    for (setting, truth, is_obeyed) in PAIRED {
        let found = answers(setting, truth, is_obeyed, After::Pairs, seeds.clone());
        let (before, pairs, sigma, tau, cells, _) = setting;
        let (part, is_as_promised) = if is_obeyed {
            ("obeyed", found[0] <= MOST_ACCUSED)
        } else {
            ("ignored", found[0] >= LEAST_NAMED && found[1] <= MOST_MISTAKEN)
        };
        let row = format!(
            "| {before} | {pairs} | {sigma} | {tau} | {cells} | {truth} | {part} | {:.2} % | {:.2} % |",
            found[0], found[1]
        );
        findings.add(row, is_as_promised);
    }
    findings
}

#[cfg(test)]
mod tests {
    use qtdec_study::study::following;

    use super::*;
    use crate::rates::maps::measurements;

    /// The times of what is decided are those of the command.
    #[test]
    fn values_are_decided_as_files_are() {
        for (seed, (setting, truth)) in (1..).zip([OBEYED[4], OBEYED[10], IGNORED[2], IGNORED[3]]) {
            let (launches, _, sigma, tau, cells, methods) = setting;
            let campaign = Campaign { sigma, tau, common: Common::Launch, launches, cells, methods };
            let before =
                campaign.measure(&mut Noise::from_seed(seed), |cell, method| truth.factor(cell, method));
            let domain = domain(&campaign);
            let all = map(&before, &domain, |_| true);
            let choice = recommended(&all, &RecommendOptions::default()).unwrap();
            let own = held_out(&before, &domain, &choice);
            let expected = following::held_out(&measurements(&before), "default", &choice.tree).unwrap();
            assert_eq!(own, expected, "{setting:?}");
        }
    }

    /// With forty trials, the least numbers that would contradict the rates.
    #[test]
    fn few_trials_agree_with_the_rates() {
        let (setting, truth) = OBEYED[2];
        let [accused, _] = answers(setting, truth, true, After::Alone, 1..=40);
        assert!(accused <= 7.5, "{accused}");
        let (setting, truth) = IGNORED[1];
        let [named, _] = answers(setting, truth, false, After::Alone, 1..=40);
        assert!(named >= 70.0, "{named}");
    }
}
