//! The jobs of the two sides of a comparison, before and after.

use std::collections::BTreeSet;

use super::launch_interval::LaunchMean;
use crate::measurements::{Measurements, Unit, UnrecordedJobs};

/// The standard deviation of the logarithm of all times of a job that is assumed where jobs do not show it.
///
/// A judgement from two archives of real jobs, in which methods differed from job to job by 0.012 and 0.077: the time of a whole job
/// varies with the nodes and the neighbours that it gets, and more than that of one method within it.
pub const STATED_DEVIATION: f64 = 0.1;

/// How the sides of a comparison share jobs.
///
/// The variants are complete: all launches are of one job, or it is not known that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// All launches of both sides are of one job. What they show is true of this job.
    OneJob,
    /// The sides are of different jobs, or of jobs that are not known.
    Apart {
        /// For each side, whether the effect of its job has the stated deviation, because the side does not show that of several jobs.
        stated: [bool; 2],
    },
}

impl Sides {
    /// Returns how two sides share jobs. Their runs are the launches, not yet units.
    pub fn new(before: &Measurements, after: &Measurements, unrecorded: Option<UnrecordedJobs>) -> Self {
        let both = [before, after];
        let jobs: BTreeSet<Option<&str>> =
            both.into_iter().flat_map(Measurements::launches_with_jobs).map(|(.., job)| job).collect();
        let is_one = match jobs.first() {
            Some(job) => jobs.len() == 1 && (job.is_some() || unrecorded == Some(UnrecordedJobs::One)),
            None => false,
        };
        if is_one {
            return Self::OneJob;
        }
        let is_stated = |side: &Measurements| {
            matches!(side.units_of_jobs(unrecorded), Unit::Unrecorded | Unit::WithinJob)
        };
        Self::Apart { stated: both.map(is_stated) }
    }

    /// Returns whether an effect of jobs is assumed rather than estimated.
    pub fn has_stated(self) -> bool {
        matches!(self, Self::Apart { stated } if stated.contains(&true))
    }

    /// Adds the stated variance of the jobs to that of a difference of both sides.
    pub(super) fn widened(self, difference: LaunchMean) -> LaunchMean {
        let Self::Apart { stated } = self else { return difference };
        let sides = stated.into_iter().filter(|is_stated| *is_stated).count();
        if sides == 0 {
            return difference;
        }
        let error = STATED_DEVIATION * (sides as f64).sqrt();
        difference.plus(&LaunchMean { mean: 0.0, error, degrees: f64::INFINITY })
    }
}

#[cfg(test)]
mod tests {
    use super::super::launch_interval::LEVEL;
    use super::*;
    use crate::measurements::measured_in_jobs;

    /// One time for each launch of the given jobs.
    fn side(jobs: &[Option<&str>]) -> Measurements {
        let launches: Vec<_> =
            ["1", "2", "3"].into_iter().zip(jobs).map(|(launch, job)| (launch, *job, 1.0)).collect();
        measured_in_jobs(&launches)
    }

    #[test]
    fn sides_are_of_one_job_only_if_it_is_known() {
        let of = |before: &[Option<&str>], after: &[Option<&str>], answer| {
            Sides::new(&side(before), &side(after), answer)
        };
        let (a, b, none) = (Some("a"), Some("b"), None);
        let apart = |before, after| Sides::Apart { stated: [before, after] };
        assert_eq!(of(&[a, a], &[a], None), Sides::OneJob);
        assert_eq!(of(&[a, a], &[b], None), apart(true, true));
        assert_eq!(of(&[a, b], &[Some("c"), Some("d")], None), apart(false, false));
        assert_eq!(of(&[a, b], &[a, a], None), apart(false, true));
        assert_eq!(of(&[none, none], &[none], None), apart(true, true));
        assert_eq!(of(&[none, none], &[none], Some(UnrecordedJobs::One)), Sides::OneJob);
        assert_eq!(of(&[none, none], &[none, none], Some(UnrecordedJobs::EachLaunch)), apart(false, false));
    }

    /// Computed by hand: the variances 0.0016 of the difference and 0.01 of each side, with (0.0216 / 0.0016)² · 4 degrees.
    #[test]
    fn a_stated_deviation_widens_the_interval() {
        let difference = LaunchMean { mean: 0.2, error: 0.04, degrees: 4.0 };
        let wide = Sides::Apart { stated: [true; 2] }.widened(difference);
        assert!(
            (wide.error.powi(2) - 0.0216).abs() < 1e-12 && (wide.degrees - 729.0).abs() < 1e-6,
            "{wide:?}"
        );
        let [low, high] = wide.ends(LEVEL);
        // The quantile of Student's t with 729 degrees is 1.963.
        assert!((high - low - 2.0 * 1.9632 * 0.0216_f64.sqrt()).abs() < 1e-4, "{low} {high}");
        assert_eq!(Sides::OneJob.widened(difference), difference);
        assert_eq!(Sides::Apart { stated: [false; 2] }.widened(difference), difference);
    }
}
