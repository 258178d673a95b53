//! The rules of the variable, and which of them holds.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use qtdec_core::{Check, Place, Problems};

use super::read::read;
use crate::libraries::{Algorithm, Unit, ucc};
use crate::tuning::first::Ruled;
use crate::tuning::{Decision, Selection, Severity};

/// The score that the layer has where nobody gives it another.
pub(super) const OWN_SCORE: u64 = 10;

/// What one token says of one collective, one range of sizes and one of teams, for memory of hosts.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// Where its token begins in the file.
    pub(super) offset: usize,
    /// The token, or its beginning.
    pub(super) token: String,
    /// MPI's name.
    pub(super) collective: &'static str,
    /// Its ends as they are written.
    pub(super) messages: (u64, u64),
    pub(super) teams: (u64, u64),
    pub(super) score: u64,
    /// `None` leaves the choice to UCC.
    pub(super) algorithm: Option<&'static Algorithm>,
}

impl Rule {
    /// Teams and message sizes for which the rule holds. Where its score is not above that of the layer, the layer keeps the
    /// size at which it ends; where it is below, also that at which it begins.
    fn ranges(&self) -> (RangeInclusive<u64>, RangeInclusive<u64>) {
        let (from, upto) = self.messages;
        let from = from + u64::from(self.score < OWN_SCORE && from > 0);
        let upto = upto - u64::from(self.score <= OWN_SCORE && upto < u64::MAX);
        (self.teams.0..=self.teams.1, from..=upto)
    }

    /// Whether the size at which `other` ends, and this one begins, is this one's in all its teams.
    fn takes_over(&self, other: &Self) -> bool {
        let ((least, greatest), teams) = (self.teams, other.teams);
        self.ranges().1.start() == &other.messages.1
            && self.score >= other.score
            && least <= teams.0
            && teams.1 <= greatest
    }

    /// Whether UCC finds that the two overlap: a size at which one ends and the other begins is no overlap.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (self.messages, other.messages);
        self.collective == other.collective
            && one.0.max(two.0) < one.1.min(two.1)
            && self.teams.0.max(other.teams.0) <= self.teams.1.min(other.teams.1)
    }
}

/// The rules of a file: those come first that keep the size which they share with another.
#[derive(Debug)]
pub(super) struct Rules(Ruled<Rule>);

impl Rules {
    /// The rules of a file.
    pub(super) fn new(bytes: &[u8]) -> Result<Self, Problems> {
        let (mut rules, findings) = read(bytes);
        let mut check = Check::default();
        let dropped = findings.into_iter().filter(|finding| finding.severity == Severity::Dropped);
        dropped.for_each(|finding| check.add(finding.problem));
        rules.sort_by_key(|rule| Reverse((rule.score, rule.messages.0)));
        check.finish(Some(Self(Ruled::new(rules, |rule| rule.collective, Rule::ranges))))
    }
}

impl Selection for Rules {
    fn collectives(&self) -> Vec<String> {
        self.0.collectives()
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let rules = self.0.of(collective);
        let mut beginning: HashMap<u64, Vec<&Rule>> = HashMap::new();
        for rule in rules {
            beginning.entry(rule.messages.0).or_default().push(rule);
        }
        let (mut teams, mut messages) = (vec![0], vec![0]);
        for rule in rules {
            let (team, message) = rule.ranges();
            teams.extend([Some(*team.start()), team.end().checked_add(1)].into_iter().flatten());
            messages.push(*message.start());
            // Nothing changes behind an end that falls to the next range.
            let others = beginning.get(message.end()).into_iter().flatten().take(16);
            if !others.into_iter().any(|other| other.takes_over(rule)) {
                messages.extend(message.end().checked_add(1));
            }
        }
        (teams, messages)
    }

    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        // Where its score is 0, the layer is not asked.
        let rule = self.0.find(collective, comm_size, msg_size).filter(|rule| rule.score > 0);
        let algorithm = rule.and_then(|rule| rule.algorithm);
        algorithm.map_or_else(Decision::library, |algorithm| Decision {
            name: Some(algorithm.name.to_owned()),
            ..Decision::default()
        })
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let rule = self.0.find(collective, comm_size, msg_size);
        rule.map(|rule| (rule.token.clone(), Place::Offset(rule.offset))).into_iter().collect()
    }

    fn unit(&self, collective: &str) -> Unit {
        ucc::unit(collective)
    }
}
