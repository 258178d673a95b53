//! The rules of a JSON file. Like in Open MPI, the first match at each level applies.

use crate::catalogue::{Library, SizeUnit, open_mpi::fan_out_of_rule};
use qtdec_core::{Path, Place};

use super::distribution::Distribution;
use crate::tuning::{Decision, Job, Selection};

/// The rules of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    pub(super) collectives: Vec<(String, Vec<CommunicatorRule>)>,
}

/// The rules of a file, asked for calls in a job.
pub(super) struct InJob {
    pub(super) rules: Rules,
    pub(super) job: Job,
}

#[derive(Clone, Debug)]
pub(super) struct CommunicatorRule {
    pub(super) path: Path,
    /// The minimum and the maximum.
    pub(super) sizes: (u64, u64),
    pub(super) distribution: Distribution,
    pub(super) messages: Vec<MessageRule>,
}

#[derive(Clone, Debug)]
pub(super) struct MessageRule {
    pub(super) path: Path,
    /// The minimum and the maximum.
    pub(super) sizes: (u64, u64),
    pub(super) algorithm: u64,
    pub(super) fan_out: u64,
    pub(super) segment: u64,
    pub(super) requests: u64,
}

impl Selection for InJob {
    fn collectives(&self) -> Vec<String> {
        let known =
            self.rules.collectives.iter().filter(|(name, _)| Library::OpenMpi.collective(name).is_some());
        known.map(|(name, _)| name.clone()).collect()
    }

    fn starts(&self, name: &str) -> (Vec<u64>, Vec<u64>) {
        let rules = self.find(name);
        let ends = |(from, upto): (u64, u64)| [Some(from), upto.checked_add(1)].into_iter().flatten();
        // From there on, a communicator is on several nodes.
        let nodes = self
            .job
            .ranks_per_node
            .checked_add(1)
            .filter(|_| rules.iter().any(|rule| rule.distribution != Distribution::Any));
        let comm_sizes = rules
            .iter()
            .flat_map(|rule| ends(rule.sizes))
            .chain(nodes)
            .filter(|size| i32::try_from(*size).is_ok());
        let messages = rules.iter().flat_map(|rule| &rule.messages).flat_map(|rule| ends(rule.sizes));
        (comm_sizes.collect(), messages.collect())
    }

    fn message_starts(&self, name: &str, comm_size: u64) -> Vec<u64> {
        let rule = self.communicator(name, comm_size);
        let messages = rule.map_or(&[][..], |rule| &rule.messages);
        messages.iter().flat_map(|rule| [rule.sizes.0, rule.sizes.1.saturating_add(1)]).collect()
    }

    fn decide(&self, name: &str, comm_size: u64, msg_size: u64) -> Decision {
        let Some((_, message)) = self.look_up(name, comm_size, msg_size) else { return Decision::library() };
        let algorithm =
            Library::OpenMpi.collective(name).and_then(|known| known.algorithm(message.algorithm));
        let segment_size = Some(message.segment).filter(|size| *size > 0);
        let requests =
            algorithm.and_then(|algorithm| algorithm.open_requests(Some(message.requests), segment_size));
        Decision {
            algorithm: Some(message.algorithm).filter(|id| *id > 0),
            name: algorithm.map(|algorithm| algorithm.name.to_owned()),
            segment_size,
            fan_out: fan_out_of_rule(algorithm, Some(message.fan_out)),
            channels: None,
            requests,
        }
    }

    fn rule(&self, name: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let Some((communicator, message)) = self.look_up(name, comm_size, msg_size) else {
            return Vec::new();
        };
        let nodes = match communicator.distribution {
            Distribution::Any => String::new(),
            other => format!(", {}", other.word()),
        };
        vec![
            (span("ranks", communicator.sizes) + &nodes, Place::At(communicator.path.clone())),
            (span("bytes", message.sizes), Place::At(message.path.clone())),
        ]
    }
}

fn holds((from, upto): (u64, u64), size: u64) -> bool {
    from <= size && size <= upto
}

impl InJob {
    /// Returns the first matching rule at each level.
    fn look_up(
        &self,
        name: &str,
        comm_size: u64,
        msg_size: u64,
    ) -> Option<(&CommunicatorRule, &MessageRule)> {
        let looks = Library::OpenMpi.collective(name).is_none_or(|known| known.unit != SizeUnit::Nothing);
        let requested = if looks { msg_size } else { 0 };
        let communicator = self.communicator(name, comm_size)?;
        Some((communicator, communicator.messages.iter().find(|rule| holds(rule.sizes, requested))?))
    }

    fn communicator(&self, name: &str, comm_size: u64) -> Option<&CommunicatorRule> {
        let is_so = |rule: &&CommunicatorRule| {
            holds(rule.sizes, comm_size) && rule.distribution.holds(comm_size, self.job.ranks_per_node)
        };
        self.find(name).iter().find(is_so)
    }

    fn find(&self, name: &str) -> &[CommunicatorRule] {
        self.rules.collectives.iter().find(|(known, _)| known == name).map_or(&[], |(_, rules)| rules)
    }
}

fn span(what: &str, (from, upto): (u64, u64)) -> String {
    match upto {
        upto if upto >= i64::MAX as u64 => format!("from {from} {what}"),
        upto => format!("{from} to {upto} {what}"),
    }
}
