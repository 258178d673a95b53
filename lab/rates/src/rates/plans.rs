//! How often as many launches as were planned show the difference for which they were planned.

use std::ops::RangeInclusive;

use qtdec_study::study::claim::Claim;
use qtdec_study::study::sample_size::{Design, LaunchNoise};

use super::changes::{change, change_in_pairs, only_default};
use super::findings::Findings;
use super::gains::Procedure;
use super::noise::{Campaign, Common, Noise};
use super::trials::rates;

/// The difference for which launches are planned.
const FACTOR: f64 = 1.05;

/// The share of campaigns that are to show it, in per cent: within these of what is planned, for the formula is an approximation.
const SHOWN: RangeInclusive<f64> = 87.0..=97.0;

/// The design, σ, τ of a launch, τ of a method, cells.
type Plan = (Design, f64, f64, f64, usize);

const PLANS: [Plan; 10] = [
    (Design::HeldOut { methods: 2 }, 0.05, 0.05, 0.0, 6),
    (Design::HeldOut { methods: 6 }, 0.05, 0.05, 0.0, 6),
    (Design::HeldOut { methods: 2 }, 0.1, 0.1, 0.0, 30),
    (Design::HeldOut { methods: 6 }, 0.1, 0.1, 0.0, 30),
    (Design::HeldOut { methods: 20 }, 0.1, 0.1, 0.0, 30),
    (Design::HeldOut { methods: 2 }, 0.05, 0.0, 0.02, 12),
    (Design::BeforeAfter, 0.1, 0.05, 0.0, 40),
    (Design::BeforeAfter, 0.1, 0.0, 0.0, 6),
    (Design::Pairs, 0.1, 0.1, 0.0, 40),
    (Design::Pairs, 0.1, 0.1, 0.0, 6),
];

/// Returns the planned launches, and how often they show the difference.
fn planned((design, sigma, tau, of_method, cells): Plan, seeds: RangeInclusive<u64>) -> (u32, f64) {
    let noise = LaunchNoise { cell: sigma, launch: tau, method: of_method };
    let launches = noise.launches_of_starts(FACTOR, (cells, 1), design).expect("few launches are enough");
    let number = launches as u16;
    let default = only_default(number, sigma, tau, cells);
    let [found] = match design {
        Design::HeldOut { methods } => {
            let (tau, common) =
                if of_method > 0.0 { (of_method, Common::Method) } else { (tau, Common::Launch) };
            let procedure = Procedure::new(Campaign { tau, common, methods, ..default });
            rates(seeds, |seed| {
                let faster = |_, method| if method == 1 { 1.0 / FACTOR } else { 1.0 };
                let times = procedure.campaign.measure(&mut Noise::from_seed(seed), faster);
                [Claim::of_all(&[&procedure.gains(&times)])[0].is_recommended()]
            })
        }
        Design::BeforeAfter => {
            rates(seeds, |seed| [change(default, default, FACTOR, seed).is_slower_than(0.0)])
        }
        Design::Pairs => {
            let pairs = Campaign { methods: 2, ..default };
            rates(seeds, |seed| {
                [change_in_pairs(pairs, FACTOR, &mut Noise::from_seed(seed)).is_slower_than(0.0)]
            })
        }
    };
    (launches, found)
}

/// Returns the table of plans.
pub(super) fn of_plans(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| what is compared | σ | τ of a launch | τ of a method | cells | launches planned | show it |\n|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for setting in PLANS {
        let (launches, found) = planned(setting, seeds.clone());
        let (design, sigma, tau, of_method, cells) = setting;
        let what = match design {
            Design::HeldOut { methods } => format!("one of {methods} methods with the default, held out"),
            Design::BeforeAfter => "launches before and after".to_owned(),
            Design::Pairs => "pairs by turns".to_owned(),
        };
        let row = format!("| {what} | {sigma} | {tau} | {of_method} | {cells} | {launches} | {found:.2} % |");
        findings.add(row, SHOWN.contains(&found));
    }
    findings
}
