//! The rules of a JSON file. Like in Open MPI, the first match at each level applies.

use crate::catalogue::{SizeUnit, TunedCollective, open_mpi::fan_out_of_rule};
use qtdec_core::{Path, Place};

use super::distribution::Distribution;
use crate::tuning::rule_set::Rule;
use crate::tuning::{Decision, Job, MAX_INT};

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

impl CommunicatorRule {
    /// Returns the rules for the calls of a collective in a job. Calls of these communicators without a rule are left to the library.
    pub(super) fn rules(&self, known: &TunedCollective, job: Job) -> Vec<Rule> {
        let (from, upto) = self.sizes;
        // No communicator is larger than the greatest number in MPI.
        let upto = if upto >= MAX_INT { u64::MAX } else { upto };
        let communicators = from..=upto.min(self.distribution.most_ranks(job.ranks_per_node));
        let nodes = match self.distribution {
            Distribution::Any => String::new(),
            other => format!(", {}", other.word()),
        };
        let place = (span("ranks", self.sizes) + &nodes, Place::At(self.path.clone()));
        let looks = known.unit != SizeUnit::Nothing;
        let reached = self.messages.iter().filter(|rule| looks || rule.sizes.0 == 0);
        let rules = reached.map(|message| Rule {
            collective: known.name,
            communicators: communicators.clone(),
            messages: if looks { message.sizes.0..=message.sizes.1 } else { 0..=u64::MAX },
            decision: message.decision(known),
            places: vec![place.clone(), (span("bytes", message.sizes), Place::At(message.path.clone()))],
        });
        rules.chain([Rule::left_to_library(known.name, communicators.clone())]).collect()
    }
}

impl MessageRule {
    fn decision(&self, known: &TunedCollective) -> Decision {
        let algorithm = known.algorithm(self.algorithm);
        let segment_size = Some(self.segment).filter(|size| *size > 0);
        let requests =
            algorithm.and_then(|algorithm| algorithm.open_requests(Some(self.requests), segment_size));
        Decision {
            algorithm: Some(self.algorithm).filter(|id| *id > 0),
            name: algorithm.map(|algorithm| algorithm.name.to_owned()),
            segment_size,
            fan_out: fan_out_of_rule(algorithm, Some(self.fan_out)),
            requests,
        }
    }
}

fn span(what: &str, (from, upto): (u64, u64)) -> String {
    match upto {
        upto if upto >= i64::MAX as u64 => format!("from {from} {what}"),
        upto => format!("{from} to {upto} {what}"),
    }
}
