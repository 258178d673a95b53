//! Measurements whose runs are the units of independence.

use indexmap::IndexSet;

use super::unit::{Unit, UnrecordedJobs};
use super::{Measurements, Series};
use crate::launches::launches;

/// The name of the unit of all launches of which no job is known, where others have one.
const UNKNOWN: &str = "unknown";

impl Measurements {
    /// Returns the times with units of independence as runs. Jobs are the units if there are two or more with times: the repeats of all
    /// launches of a job are then those of one run, which has the name of the job. Otherwise the units are the launches.
    #[must_use]
    pub fn in_units(mut self, unrecorded: Option<UnrecordedJobs>) -> Self {
        if self.units != Unit::Unrecorded {
            return self;
        }
        let units = self.units_of_jobs(unrecorded);
        if units == Unit::Job {
            let launches = self.launches_with_jobs();
            let (with_times, names): (Vec<u16>, Vec<String>) = launches
                .into_iter()
                .map(|(run, name, job)| match job {
                    Some(job) => (run, job.to_owned()),
                    None if unrecorded == Some(UnrecordedJobs::EachLaunch) => (run, format!("launch {name}")),
                    None => (run, UNKNOWN.to_owned()),
                })
                .unzip();
            self.renumber(&with_times, names);
        }
        self.units = units;
        self
    }

    /// Returns the launches with times: the number of each as a run, its name and its job.
    pub(crate) fn launches_with_jobs(&self) -> Vec<(u16, &str, Option<&str>)> {
        let launches = launches(self).into_iter().map(|run| {
            let name = self.runs.get_index(usize::from(run)).map_or("", String::as_str);
            (run, name, self.jobs.of(name))
        });
        launches.collect()
    }

    /// Returns what the units of independence are, given the launches and their jobs.
    pub(crate) fn units_of_jobs(&self, unrecorded: Option<UnrecordedJobs>) -> Unit {
        let jobs: Vec<Option<&str>> = self.launches_with_jobs().into_iter().map(|(.., job)| job).collect();
        let known: IndexSet<&str> = jobs.iter().flatten().copied().collect();
        let others = jobs.iter().filter(|job| job.is_none()).count();
        let further = match unrecorded {
            Some(UnrecordedJobs::EachLaunch) => others,
            Some(UnrecordedJobs::One) => others.min(1),
            None => 0,
        };
        match (known.len(), unrecorded) {
            (0, None) => Unit::Unrecorded,
            (0, Some(UnrecordedJobs::EachLaunch)) => Unit::Launch,
            (known, _) if known + further < 2 => Unit::WithinJob,
            _ => Unit::Job,
        }
    }

    /// Gives runs, which are in increasing order, other names. Those with the same name become one.
    fn renumber(&mut self, runs: &[u16], names: Vec<String>) {
        let mut all: IndexSet<String> = IndexSet::new();
        let numbers: Vec<u16> =
            names.into_iter().map(|name| all.insert_full(name).0.try_into().unwrap_or(u16::MAX)).collect();
        for series in self.each_mut() {
            let Series::Repeats(repeats) = series else { continue };
            for repeat in repeats {
                if let Ok(place) = runs.binary_search(&repeat.run) {
                    repeat.run = numbers[place];
                }
            }
        }
        self.runs = all;
        self.jobs = qtdec_times::Jobs::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launches::folds;
    use crate::measurements::measured_in_jobs as measured;
    use crate::study::launch_times::LaunchTimes;

    fn units(measurements: &Measurements) -> (Unit, Vec<&str>) {
        (measurements.units, measurements.runs().collect())
    }

    /// A job has one time, the median of all its repeats, and is held out as one.
    #[test]
    fn several_jobs_are_the_units() {
        let all =
            [("1", Some("b"), 4.0), ("2", Some("a"), 1.0), ("3", Some("a"), 2.0), ("4", Some("a"), 9.0)];
        let found = measured(&all).in_units(None);
        assert_eq!(units(&found), (Unit::Job, vec!["b", "a"]));
        let times = LaunchTimes::new(&found, 0).at(&[8]);
        assert!(times.iter().zip([2.0, 4.0]).all(|(found, time)| (found - time).abs() < 1e-12), "{times:?}");
        assert_eq!(folds(&found).count(), 2);
        assert_eq!(units(&found.clone().in_units(Some(UnrecordedJobs::One))), units(&found));
    }

    #[test]
    fn launches_of_one_job_stay_the_units() {
        let found = measured(&[("1", Some("a"), 1.0), ("2", Some("a"), 2.0)]).in_units(None);
        assert_eq!(units(&found), (Unit::WithinJob, vec!["1", "2"]));
        let unknown = measured(&[("1", Some("a"), 1.0), ("2", None, 2.0)]);
        assert_eq!(unknown.clone().in_units(None).units, Unit::WithinJob);
        let each = unknown.in_units(Some(UnrecordedJobs::EachLaunch));
        assert_eq!(units(&each), (Unit::Job, vec!["a", "launch 2"]));
    }

    #[test]
    fn the_user_answers_what_is_not_recorded() {
        let times = measured(&[("1", None, 1.0), ("2", None, 2.0)]);
        let of = |answer| times.clone().in_units(answer).units;
        assert_eq!(of(None), Unit::Unrecorded);
        assert_eq!(of(Some(UnrecordedJobs::EachLaunch)), Unit::Launch);
        assert_eq!(of(Some(UnrecordedJobs::One)), Unit::WithinJob);
        let some =
            measured(&[("1", Some("a"), 1.0), ("2", Some("b"), 2.0), ("3", None, 3.0), ("4", None, 4.0)]);
        assert_eq!(units(&some.in_units(None)), (Unit::Job, vec!["a", "b", "unknown"]));
    }
}
