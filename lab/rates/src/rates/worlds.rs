//! Rates of claims in worlds whose noise is not that of the model: what a job gives to a method, a cold start, drift, and times that are
//! not log-normal.

use std::fmt;
use std::ops::RangeInclusive;

use qtdec_study::measurements::Statistic;
use qtdec_study::study::claim::Claim;

use super::findings::Findings;
use super::gains::Procedure;
use super::noise::{Campaign, Common, Noise, Times};
use super::trials::rates;

/// The greatest share of campaigns without a gain that may recommend anything, in per cent.
const MOST_OF_NOISE: f64 = 5.0;

const CELLS: usize = 6;
const METHODS: usize = 6;
const SIGMA: f64 = 0.1;

/// The noise of a campaign with a launch in each job. Each time is the median of some calls.
#[derive(Clone, Copy)]
enum World {
    /// Calls vary by σ = 0.1, and jobs as a whole, in each method or in only one, by a standard deviation.
    Normal(f64, Common),
    /// Each job gives something to each method in each cell.
    ByCell(f64),
    /// The method that a job measures first takes 3 % longer. The order rotates as scripts have it.
    Cold,
    /// Each method that a job measures takes 1 % longer than the one before it.
    Drift,
    /// The deviations of calls have Student's distribution with two degrees of freedom.
    HeavyTails,
    /// Three calls in ten take three times as long.
    TwoGroups,
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal(0.0, _) => f.write_str("calls alone vary"),
            Self::Normal(tau, Common::Launch) => write!(f, "all times of a job vary by {tau}"),
            Self::Normal(tau, Common::Method) => write!(f, "each method varies by {tau} from job to job"),
            Self::Normal(tau, only) => write!(f, "{only} varies by {tau} from job to job"),
            Self::ByCell(tau) => write!(f, "each method in each cell varies by {tau} from job to job"),
            Self::Cold => f.write_str("the first method of a job takes 3 % longer"),
            Self::Drift => f.write_str("each method of a job takes 1 % longer than the one before"),
            Self::HeavyTails => f.write_str("calls vary by Student's t with 2 degrees"),
            Self::TwoGroups => f.write_str("three calls in ten take three times as long"),
        }
    }
}

impl World {
    /// Returns a campaign in which one method takes this part of the time of all others.
    fn measure(self, noise: &mut Noise, launches: u16, calls: u8, part: f64) -> Times {
        let campaign = self.campaign(launches);
        let factor = |_, method| if method == 1 { part } else { 1.0 };
        let order = move |launch: u16, method: usize| {
            let first = usize::from(launch) * METHODS / usize::from(launches);
            (method + METHODS - first) % METHODS
        };
        campaign.measure_as(noise, factor, |noise, launch, method| {
            let call = |noise: &mut Noise| match self {
                Self::Normal(..) | Self::Cold | Self::Drift | Self::ByCell(_) => noise.normal(SIGMA),
                Self::HeavyTails => {
                    let square = noise.normal(1.0).powi(2) + noise.normal(1.0).powi(2);
                    noise.normal(SIGMA) / libm::sqrt(square / 2.0)
                }
                Self::TwoGroups => {
                    noise.normal(SIGMA) + if noise.is_true(0.3) { libm::log(3.0) } else { 0.0 }
                }
            };
            let mut logs: Vec<f64> = (0..calls).map(|_| call(noise)).collect();
            logs.sort_unstable_by(f64::total_cmp);
            let log = Statistic::Median.of_sorted(&logs).expect("there are calls");
            log + match self {
                Self::ByCell(tau) => noise.normal(tau),
                Self::Cold if order(launch, method) == 0 => 0.03,
                Self::Drift => 0.01 * order(launch, method) as f64,
                _ => 0.0,
            }
        })
    }

    fn campaign(self, launches: u16) -> Campaign {
        let (tau, common) = match self {
            Self::Normal(tau, common) => (tau, common),
            _ => (0.0, Common::Launch),
        };
        Campaign { sigma: SIGMA, tau, common, launches, cells: CELLS, methods: METHODS }
    }
}

const WORLDS: [World; 14] = [
    World::Normal(0.0, Common::Launch),
    World::Normal(0.1, Common::Launch),
    World::Normal(0.012, Common::Method),
    World::Normal(0.03, Common::Method),
    World::Normal(0.05, Common::Method),
    World::ByCell(0.012),
    World::ByCell(0.03),
    World::ByCell(0.05),
    World::Normal(0.1, Common::Only(1)),
    World::Normal(0.1, Common::Only(0)),
    World::Cold,
    World::Drift,
    World::HeavyTails,
    World::TwoGroups,
];

/// The numbers of jobs, of one launch each.
const JOBS: [u16; 3] = [2, 3, 5];

/// Returns how often a campaign is recommended.
fn recommended(world: World, (launches, calls): (u16, u8), part: f64, seeds: RangeInclusive<u64>) -> f64 {
    let procedure = Procedure::new(world.campaign(launches));
    let [found] = rates(seeds, |seed| {
        let times = world.measure(&mut Noise::from_seed(seed), launches, calls, part);
        [Claim::of_all(&[&procedure.gains(&times)])[0].is_recommended()]
    });
    found
}

/// Returns the table of campaigns without a gain.
pub(super) fn of_worlds(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new("| world | 2 jobs | 3 jobs | 5 jobs |\n|---|---:|---:|---:|\n");
    for world in WORLDS {
        let found = JOBS.map(|jobs| recommended(world, (jobs, 5), 1.0, seeds.clone()));
        let row = found.map(|found| format!("{found:.2} %")).join(" | ");
        findings.add(format!("| {world} | {row} |"), found[1..].iter().all(|found| *found <= MOST_OF_NOISE));
    }
    findings
}

/// Jobs, calls of each, what part of the time one method takes, and the least share that is to be recommended in per cent.
const POWER: [(u16, u8, f64, f64); 4] =
    [(3, 1, 1.0 / 1.2, 70.0), (3, 3, 1.0 / 1.2, 95.0), (5, 1, 1.0 / 1.1, 28.0), (5, 3, 1.0 / 1.1, 80.0)];

/// Returns the table of campaigns with a gain, where jobs vary by 0.05.
pub(super) fn of_power(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| jobs | calls in each | the default takes longer by | recommended | at least |\n|---:|---:|---:|---:|---:|\n",
    );
    for (jobs, calls, part, wanted) in POWER {
        let world = World::Normal(0.05, Common::Launch);
        let found = recommended(world, (jobs, calls), part, seeds.clone());
        let gain = 100.0 * (1.0 / part - 1.0);
        let row = format!("| {jobs} | {calls} | {gain:.0} % | {found:.2} % | {wanted} % |");
        findings.add(row, found >= wanted);
    }
    findings
}
