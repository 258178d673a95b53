//! Shards: parts of the steps that machines run side by side.

use std::str::FromStr;

use crate::steps::{Build, Step};

/// One of several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// Its number, from 0.
    number: usize,
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(number, count)| {
            Some((number.parse::<usize>().ok()?.checked_sub(1)?, count.parse::<usize>().ok()?))
        });
        match parts {
            Some((number, count)) if number < count => Ok(Self { number, count }),
            _ => Err("a shard is a number and a count, such as 1/4".to_owned()),
        }
    }
}

impl Shard {
    /// Returns the steps of this shard. Steps with the same build stay together, since they would repeat it otherwise; the builds
    /// with the longest steps are placed first, each in the shard with the least work.
    pub(super) fn select(self, steps: &[&'static Step]) -> Vec<&'static Step> {
        let mut builds: Vec<(Build, u32)> = Vec::new();
        for step in steps {
            match builds.iter_mut().find(|(build, _)| *build == step.build) {
                Some((_, minutes)) => *minutes += step.minutes,
                None => builds.push((step.build, step.minutes)),
            }
        }
        builds.sort_by_key(|(_, minutes)| std::cmp::Reverse(*minutes));
        let mut work = vec![0; self.count];
        let mut own = Vec::new();
        for (build, minutes) in builds {
            let least = (0..self.count).min_by_key(|shard| work[*shard]).unwrap_or_default();
            work[least] += minutes;
            if least == self.number {
                own.push(build);
            }
        }
        steps.iter().filter(|step| own.contains(&step.build)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Shard;
    use crate::steps::{self, Tier};

    #[test]
    fn every_step_is_in_exactly_one_shard() {
        let all = steps::in_tier(Tier::All);
        for count in 1..=6 {
            let shards = (0..count).map(|number| Shard { number, count }.select(&all));
            let names: Vec<&str> = shards.flatten().map(|step| step.name).collect();
            assert_eq!(names.len(), all.len(), "{count} shards");
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), all.len(), "{count} shards");
        }
    }

    /// CI has four machines with two cores each.
    #[test]
    fn no_shard_takes_longer_than_a_quarter_of_an_hour() {
        let all = steps::in_tier(Tier::All);
        for number in 0..4 {
            let own = Shard { number, count: 4 }.select(&all);
            let minutes: u32 = own.iter().map(|step| step.minutes).sum();
            assert!(minutes <= 2 * 15, "shard {}: {minutes} minutes of processor time", number + 1);
        }
    }

    #[test]
    fn shards_are_written_as_fractions() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 1, count: 4 }));
        for wrong in ["", "2", "0/4", "5/4", "1/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
