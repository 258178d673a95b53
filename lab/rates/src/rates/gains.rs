//! Rates of what `qtdec-mpi tune` recommends.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use qtdec_core::{Document, Domain, Options};
use qtdec_study::study::claim::Claim;
use qtdec_study::study::launch_gain::LaunchGains;
use qtdec_study::study::recommend::{RecommendOptions, recommended};

use super::findings::Findings;
use super::maps::{domain, map};
use super::noise::{Campaign, Common, Noise, Times};
use super::trials::rates;

/// The greatest share of campaigns without a gain that may recommend anything, in per cent.
const MOST_OF_NOISE: f64 = 6.0;

/// A campaign in which no method differs from the default: σ, τ, what τ is common to, launches, cells, methods, collectives.
type Null = (f64, f64, Common, u16, usize, usize, usize);

const NULL: [Null; 26] = [
    (0.05, 0.0, Common::Launch, 3, 6, 2, 1),
    (0.05, 0.0, Common::Launch, 3, 6, 6, 1),
    (0.05, 0.0, Common::Launch, 5, 6, 6, 1),
    (0.05, 0.0, Common::Launch, 10, 6, 6, 1),
    (0.05, 0.1, Common::Launch, 5, 6, 6, 1),
    (0.05, 0.1, Common::Method, 3, 6, 6, 1),
    (0.05, 0.1, Common::Method, 10, 6, 6, 1),
    (0.1, 0.0, Common::Launch, 2, 6, 6, 1),
    (0.1, 0.05, Common::Launch, 10, 6, 2, 1),
    (0.1, 0.05, Common::Method, 3, 6, 2, 1),
    (0.1, 0.1, Common::Method, 5, 12, 20, 1),
    (0.3, 0.0, Common::Launch, 3, 6, 6, 4),
    (0.3, 0.1, Common::Launch, 5, 12, 6, 1),
    (0.3, 0.1, Common::Method, 10, 6, 20, 1),
    (0.3, 0.05, Common::Method, 5, 6, 3, 4),
    (0.8, 0.0, Common::Launch, 3, 6, 2, 1),
    (0.8, 0.0, Common::Launch, 3, 6, 20, 1),
    (0.8, 0.0, Common::Launch, 5, 6, 6, 1),
    (0.8, 0.1, Common::Launch, 10, 6, 6, 1),
    (0.8, 0.1, Common::Method, 3, 12, 6, 1),
    (0.8, 0.1, Common::Method, 5, 6, 20, 1),
    (0.8, 0.1, Common::Method, 10, 12, 2, 1),
    (0.8, 0.1, Common::Launch, 3, 6, 6, 8),
    (0.1, 0.0, Common::Launch, 5, 30, 6, 1),
    (0.1, 0.05, Common::Launch, 3, 40, 6, 1),
    (0.3, 0.05, Common::Method, 5, 40, 2, 1),
];

/// A campaign with a method whose time is a tenth shorter, σ = 0.1: τ, what it is common to, launches, cells, methods, and the least
/// share that is to be seen in per cent.
type Power = (f64, Common, u16, usize, usize, Option<f64>);

const POWER: [Power; 8] = [
    (0.05, Common::Launch, 3, 6, 6, None),
    (0.05, Common::Launch, 3, 30, 6, None),
    (0.05, Common::Launch, 5, 30, 2, Some(95.0)),
    (0.05, Common::Launch, 5, 30, 6, Some(95.0)),
    (0.05, Common::Launch, 10, 6, 2, Some(90.0)),
    (0.05, Common::Launch, 10, 6, 4, Some(90.0)),
    (0.05, Common::Launch, 10, 6, 6, Some(90.0)),
    (0.1, Common::Method, 10, 6, 6, None),
];

/// The procedure of `qtdec-mpi tune` for campaigns of one form.
pub(super) struct Procedure {
    pub(super) campaign: Campaign,
    domain: Domain,
    /// The options of the recommended tree, which depend on the domain alone.
    options: Options,
}

impl Procedure {
    pub(super) fn new(campaign: Campaign) -> Self {
        let domain = domain(&campaign);
        let any = campaign.measure(&mut Noise::from_seed(0), |_, _| 1.0);
        let choice = recommended(&map(&any, &domain, |_| true), &RecommendOptions::default());
        let options = Options::parse(&choice.expect("a tree can be recommended").options);
        Self { campaign, domain, options: options.expect("they made a tree") }
    }

    /// Returns the gains of the launches, each decided by the others.
    pub(super) fn gains(&self, times: &Times) -> LaunchGains {
        let mut gains = LaunchGains::default();
        for held_out in times.launches() {
            let others = map(times, &self.domain, |launch| launch != held_out);
            let alone = map(times, &self.domain, |launch| launch == held_out);
            let tree = self.options.tree(Document::Map(others)).expect("a tree can be recommended");
            gains.add(&tree, &alone).expect("the axes are the same");
        }
        gains
    }

    /// Returns the mean over launches and cells of the logarithm of the gain in a second campaign, of what all launches of the first
    /// one decide.
    pub(super) fn again(&self, first: &Times, second: &Times) -> f64 {
        let all = map(first, &self.domain, |_| true);
        let tree = self.options.tree(Document::Map(all)).expect("a tree can be recommended");
        let mut gains = LaunchGains::default();
        for launch in second.launches() {
            gains
                .add(&tree, &map(second, &self.domain, |other| other == launch))
                .expect("the axes are the same");
        }
        gains.logs.iter().sum::<f64>() / gains.logs.len() as f64
    }
}

/// Returns how often any collective is recommended although no method differs from the default.
fn null(setting: Null, seeds: RangeInclusive<u64>) -> f64 {
    let (sigma, tau, common, launches, cells, methods, collectives) = setting;
    let procedure = Procedure::new(Campaign { sigma, tau, common, launches, cells, methods });
    let [found] = rates(seeds, |seed| {
        let mut noise = Noise::from_seed(seed);
        let all: Vec<LaunchGains> = (0..collectives)
            .map(|_| procedure.gains(&procedure.campaign.measure(&mut noise, |_, _| 1.0)))
            .collect();
        [Claim::of_all(&all.iter().collect::<Vec<_>>()).iter().any(Claim::is_recommended)]
    });
    found
}

/// Returns how often a collective is recommended in which one method takes a tenth less time.
fn power(setting: Power, seeds: RangeInclusive<u64>) -> f64 {
    let (tau, common, launches, cells, methods, _) = setting;
    let procedure = Procedure::new(Campaign { sigma: 0.1, tau, common, launches, cells, methods });
    let [found] = rates(seeds, |seed| {
        let faster = |_, method| if method == 1 { 0.9 } else { 1.0 };
        let gains = procedure.gains(&procedure.campaign.measure(&mut Noise::from_seed(seed), faster));
        [Claim::of_all(&[&gains])[0].is_recommended()]
    });
    found
}

/// Returns the table of campaigns without a gain.
pub(super) fn of_noise(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| σ | τ | common to | launches | cells | methods | collectives | recommended |\n|---:|---:|---|---:|---:|---:|---:|---:|\n",
    );
    for setting in NULL {
        let found = null(setting, seeds.clone());
        let (sigma, tau, common, launches, cells, methods, collectives) = setting;
        let row = format!(
            "| {sigma} | {tau} | {common} | {launches} | {cells} | {methods} | {collectives} | {found:.2} % |"
        );
        findings.add(row, found <= MOST_OF_NOISE);
    }
    findings
}

/// Returns the table of campaigns with a gain.
pub(super) fn of_gains(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| τ | common to | launches | cells | methods | recommended | at least |\n|---:|---|---:|---:|---:|---:|---:|\n",
    );
    for setting in POWER {
        let found = power(setting, seeds.clone());
        let (tau, common, launches, cells, methods, wanted) = setting;
        let mut row = format!("| {tau} | {common} | {launches} | {cells} | {methods} | {found:.2} % |");
        let _ = match wanted {
            Some(wanted) => write!(row, " {wanted} % |"),
            None => write!(row, " – |"),
        };
        findings.add(row, wanted.is_none_or(|wanted| found >= wanted));
    }
    findings
}

#[cfg(test)]
mod tests {
    use qtdec_study::notes::Notes;
    use qtdec_study::selection::Recipe;
    use qtdec_study::study::launch_gain::fold_maps;
    use qtdec_study::study::recommend::tree;

    use super::*;
    use crate::rates::maps::measurements;

    /// The gains are those of the command, to the last bit.
    #[test]
    fn values_are_decided_as_files_are() {
        for (seed, setting) in (1..).zip([NULL[2], NULL[13], NULL[23], NULL[25]]) {
            let (sigma, tau, common, launches, cells, methods, _) = setting;
            let procedure = Procedure::new(Campaign { sigma, tau, common, launches, cells, methods });
            let times = procedure.campaign.measure(&mut Noise::from_seed(seed), |_, _| 1.0);
            let measured = measurements(&times);
            let recipe = Recipe { baseline: vec!["default".to_owned()], ..Recipe::default() };
            let map = recipe.map(&measured, &mut Notes::default()).unwrap();
            let folds = fold_maps(&measured, &recipe).unwrap();
            let options = recommended(&map, &RecommendOptions::default()).unwrap().options;
            let mut expected = LaunchGains::default();
            for (others, alone) in &folds {
                expected.add(&tree(others, &options).unwrap(), alone).unwrap();
            }
            assert_eq!(procedure.gains(&times), expected, "{setting:?}");
        }
    }

    /// With forty trials, more than a fifth recommended would contradict the rate, and less than two thirds the power.
    #[test]
    fn few_trials_agree_with_the_rates() {
        let found = null(NULL[2], 1..=40);
        assert!(found <= 20.0, "{found} % of noise was recommended");
        let found = power(POWER[6], 1..=40);
        assert!(found >= 66.0, "{found} % of the gains were seen");
    }
}
