//! Rates of claims where jobs differ: in what they give to each method, and in what all of their times have in common.

use std::ops::RangeInclusive;

use qtdec_study::measurements::Unit;
use qtdec_study::study::change::Change;
use qtdec_study::study::claim::Claim;
use qtdec_study::study::launch_gain::LaunchGains;
use qtdec_study::study::sides::{STATED_DEVIATION, Sides};

use super::changes::only_default;
use super::findings::Findings;
use super::gains::Procedure;
use super::maps::launch_times;
use super::noise::{Campaign, Common, Noise};
use super::trials::rates;

/// The greatest share of campaigns without a gain that may recommend anything, in per cent.
const MOST_OF_NOISE: f64 = 5.0;

/// The greatest share of intervals that may miss the truth, in per cent.
const MOST_MISSED: f64 = 6.5;

/// The standard deviations of what a method has in common in a job.
const DEVIATIONS: [f64; 3] = [0.012, 0.03, 0.05];

/// The launches of a campaign.
const LAUNCHES: u16 = 5;

/// A campaign in which no method differs from the default but by what each job gives to it, with this standard deviation.
fn campaign(deviation: f64) -> Campaign {
    Campaign { sigma: 0.1, tau: deviation, common: Common::Method, launches: LAUNCHES, cells: 6, methods: 6 }
}

/// Returns the claim of a campaign whose launches are of a job each, or all of one.
fn claim(procedure: &Procedure, units: Unit, seed: u64) -> Claim {
    let (mut noise, own) = (Noise::from_seed(seed), procedure.campaign);
    let times = if units == Unit::Job {
        own.measure(&mut noise, |_, _| 1.0)
    } else {
        let of_job: Vec<f64> = (0..own.methods).map(|_| libm::exp(noise.normal(own.tau))).collect();
        Campaign { tau: 0.0, ..own }.measure(&mut noise, |_, method| of_job[method])
    };
    Claim::of_all(&[&LaunchGains { units, ..procedure.gains(&times) }])[0]
}

/// Returns the table of campaigns without a gain, with one launch a job and with all launches in one job.
pub(super) fn of_jobs(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| deviation of a method in a job | jobs | launches of each | gain above 0 | recommended |\n|---:|---:|---:|---:|---:|\n",
    );
    for deviation in DEVIATIONS {
        let procedure = Procedure::new(campaign(deviation));
        for (units, jobs, each) in [(Unit::Job, LAUNCHES, 1), (Unit::WithinJob, 1, LAUNCHES)] {
            let [found, recommended] = rates(seeds.clone(), |seed| {
                let claim = claim(&procedure, units, seed);
                let is_recommended = claim.is_recommended();
                [is_recommended || matches!(claim, Claim::OfOneJob(_)), is_recommended]
            });
            let row = format!("| {deviation} | {jobs} | {each} | {found:.2} % | {recommended:.2} % |");
            findings.add(row, recommended <= MOST_OF_NOISE);
        }
    }
    findings
}

/// Launches before and after, and by what factor the machine became slower.
const OTHER_JOBS: [(u16, u16, f64); 4] = [(3, 3, 1.0), (10, 10, 1.0), (10, 10, 1.2), (10, 10, 1.0 / 1.2)];

/// Returns the change between the launches of two jobs, each with an effect that all of its times have in common.
fn change_of_jobs((before, after, factor): (u16, u16, f64), seed: u64) -> Change {
    let mut noise = Noise::from_seed(seed);
    let [before, after] = [(before, 1.0), (after, factor)].map(|(launches, factor)| {
        let of_job = factor * libm::exp(noise.normal(STATED_DEVIATION));
        launch_times(&only_default(launches, 0.1, 0.05, 6).measure(&mut noise, |_, _| of_job), 0)
    });
    let points = before.points().map(<[u64]>::to_vec).collect();
    Change::new(&before, &after, Sides::Apart { stated: [true; 2] }, &points).expect("there are points")
}

/// Returns the table of intervals over launches of two jobs.
pub(super) fn of_other_jobs(seeds: &RangeInclusive<u64>) -> Findings {
    let mut findings = Findings::new(
        "| launches before | after | time of the machine | interval misses it | gate at 20 % fails |\n|---:|---:|---:|---:|---:|\n",
    );
    for setting in OTHER_JOBS {
        let (before, after, factor) = setting;
        let [missed, failed] = rates(seeds.clone(), |seed| {
            let change = change_of_jobs(setting, seed);
            [
                change.ends.is_some_and(|[low, high]| low > factor || high < factor),
                change.is_slower_than(20.0),
            ]
        });
        let row = format!("| {before} | {after} | × {factor:.3} | {missed:.2} % | {failed:.2} % |");
        findings.add(row, missed.max(failed) <= MOST_MISSED);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least numbers that would contradict the rates.
    #[test]
    fn few_trials_agree_with_the_rates() {
        let procedure = Procedure::new(campaign(0.05));
        let [alone, within] = [Unit::Job, Unit::WithinJob].map(|units| {
            let gained = |seed: &u64| {
                let claim = claim(&procedure, units, *seed);
                assert!(units == Unit::Job || !claim.is_recommended());
                claim.is_written() && !matches!(claim, Claim::Unknown)
            };
            (1..=40).filter(gained).count()
        });
        assert!(alone <= 6 && within >= 3, "{alone} {within}");
        let missed = |seed: &u64| {
            let ends = change_of_jobs(OTHER_JOBS[2], *seed).ends.unwrap();
            ends[0] > 1.2 || ends[1] < 1.2
        };
        assert!((1..=100).filter(missed).count() <= 15);
    }
}
