//! Launches that were measured by turns, without and with a deployment.
//!
//! The effect is taken within pairs of neighbours: what they have in common, such as the nodes and the traffic of others, cancels.

use std::collections::BTreeMap;

use super::launch_times::LaunchTimes;
use crate::launches::{launches, only};
use crate::measurements::Measurements;
use crate::size::is_digits;

/// What the names of such launches begin with, before the number of the pair.
pub const PREFIX: &str = "pair";

/// Pairs of launches, without and with a deployment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairs {
    /// The number of the launch without the deployment, by that of the launch with it.
    partners: BTreeMap<u16, u16>,
    /// The number of launches without a partner, which are left out.
    pub alone: usize,
}

impl Pairs {
    /// Returns the pairs, or `None` if not all launches with the deployment have the names of pairs, or none has a partner.
    pub fn new(without: &Measurements, with: &Measurements) -> Option<Self> {
        let [without, with] = [without, with].map(|measurements| {
            let names: Vec<&str> = measurements.runs().collect();
            let named = |launch: u16| Some((launch, (*names.get(usize::from(launch))?).to_owned()));
            launches(measurements).into_iter().filter_map(named).collect::<Vec<(u16, String)>>()
        });
        if !with.iter().all(|(_, name)| is_of_pair(name)) {
            return None;
        }
        let partner = |(launch, name): &(u16, String)| {
            without.iter().find(|(_, other)| other == name).map(|(other, _)| (*launch, *other))
        };
        let partners: BTreeMap<u16, u16> = with.iter().filter_map(partner).collect();
        let of_pairs = without.iter().filter(|(_, name)| is_of_pair(name)).count();
        let alone = with.len() + of_pairs - 2 * partners.len();
        (!partners.is_empty()).then_some(Self { partners, alone })
    }

    /// Returns the times of pairs without the deployment, and all times of other launches.
    pub fn split(&self, without: &Measurements) -> [Measurements; 2] {
        let names: Vec<bool> = without.runs().map(is_of_pair).collect();
        let is_of_pair = |launch: u16| names.get(usize::from(launch)).copied().unwrap_or(false);
        [
            only(without, |repeat| self.partners.values().any(|&partner| partner == repeat.run)),
            only(without, |repeat| !is_of_pair(repeat.run)),
        ]
    }

    /// Returns the times with the deployment, each under the number of its partner without it.
    #[must_use]
    pub fn with(&self, times: &LaunchTimes) -> LaunchTimes {
        times.renumbered(|launch| self.partners.get(&launch).copied())
    }

    /// Returns only the repeats of pairs with the deployment.
    #[must_use]
    pub fn only_with(&self, with: &Measurements) -> Measurements {
        only(with, |repeat| self.partners.contains_key(&repeat.run))
    }
}

/// Returns whether a launch has the name of one in a pair: `pair1`, `pair2`, …, or `JOB/pair1`.
fn is_of_pair(name: &str) -> bool {
    let of_job = name.rsplit_once('/').map_or(name, |(_, launch)| launch);
    of_job.strip_prefix(PREFIX).is_some_and(is_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(launches: &[(&str, f64)]) -> Measurements {
        let times = (0..).zip(launches).map(|(run, (_, time))| (8, "default", run, *time));
        let mut measurements = crate::measurements::measured(times);
        for (name, _) in launches {
            measurements.run(name);
        }
        measurements
    }

    #[test]
    fn partners_have_the_same_name() {
        let without = measured(&[("1", 9.0), ("pair2", 2.0), ("pair1", 4.0), ("pair3", 5.0)]);
        let with = measured(&[("pair1", 2.0), ("pair2", 1.0), ("pair4", 7.0)]);
        let pairs = Pairs::new(&without, &with).unwrap();
        assert_eq!((pairs.partners.len(), pairs.alone), (2, 2));
        let [paired, others] = pairs.split(&without);
        let times = |measurements: &Measurements| measurements.series(&[8], 0).unwrap().sorted();
        assert_eq!((times(&paired), times(&others)), (vec![2.0, 4.0], vec![9.0]));
        let ratios = pairs.with(&LaunchTimes::new(&with, 0)).over(&LaunchTimes::new(&paired, 0));
        assert!(ratios.at(&[8]).iter().all(|ratio| (ratio - 0.5).abs() < 1e-12), "{ratios:?}");
    }

    #[test]
    fn launches_with_other_names_are_no_pairs() {
        let numbered = measured(&[("1", 1.0), ("2", 1.0)]);
        assert_eq!(Pairs::new(&numbered, &numbered), None);
        let [mixed, pairs] = [measured(&[("pair1", 1.0), ("2", 1.0)]), measured(&[("pair1", 1.0)])];
        assert_eq!(Pairs::new(&pairs, &mixed), None);
        assert_eq!(Pairs::new(&numbered, &pairs), None, "there is no partner");
        assert!(Pairs::new(&mixed, &pairs).is_some());
        assert!(is_of_pair("4711/pair12") && !is_of_pair("pair1/2"));
        assert!(!is_of_pair("pair") && !is_of_pair("paired1") && !is_of_pair("run1"));
    }
}
