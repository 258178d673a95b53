//! The distribution of ranks on nodes, which rules for communicators may test (`comm_rank_distribution`).

use std::ops::RangeInclusive;

use qtdec_core::{Place, Problem};

use crate::tuning::Setting;
use crate::tuning::bands::{Bands, ranges};

/// The communicators to which a rule applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Distribution {
    /// All.
    #[default]
    Any,
    /// Those with one rank on each node.
    OnePerNode,
    /// Those with all ranks on one node.
    SingleNode,
}

impl Distribution {
    /// The key of a rule.
    pub(super) const KEY: &str = "comm_rank_distribution";

    pub(super) const ALL: [Self; 3] = [Self::Any, Self::OnePerNode, Self::SingleNode];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::OnePerNode => "one-per-node",
            Self::SingleNode => "single-node",
        }
    }

    /// Returns the most ranks on full nodes that are distributed so.
    pub(super) fn most_ranks(self, ranks_per_node: u64) -> u64 {
        match self {
            Self::OnePerNode if ranks_per_node > 1 => 1,
            Self::Any | Self::OnePerNode => u64::MAX,
            Self::SingleNode => ranks_per_node.max(1),
        }
    }
}

/// The rules from a number of ranks per node on.
type Level = (u64, Bands<Setting>);

/// Returns the rules of each distribution, of which the first that holds applies. If the rules depend on more than the distribution, the
/// error has two placements that differ.
pub(super) fn distributed(levels: &[Level]) -> Result<Vec<(Distribution, Bands<Setting>)>, Problem> {
    let measured = measured(levels);
    let (_, one_per_node) = &levels[0];
    let others = spans(levels, measured);
    let (Some((_, several)), Some((last, single))) = (others.first(), others.last()) else {
        return Ok(vec![(Distribution::Any, one_per_node.clone())]);
    };
    let single = match levels.get(measured) {
        Some(_) => single.with_tail(last.end() + 1, Setting::default()),
        None => (*single).clone(),
    };
    for (span, bands) in &others {
        for ranks in starts(&others, span) {
            let differs = |expected: &Bands<Setting>| bands.messages(ranks) != expected.messages(ranks);
            let (fewest, most) = (*span.start(), *span.end());
            // Some number of ranks on a node, of those that the level is for, puts all ranks on one node.
            if ranks <= most && differs(&single) {
                return Err(more_than_distribution(ranks, most.min(ranks)));
            }
            // Some number does not.
            if ranks > fewest && differs(several) {
                return Err(more_than_distribution(ranks, fewest));
            }
        }
    }
    let rules = [(Distribution::OnePerNode, one_per_node.clone()), (Distribution::SingleNode, single)];
    let rules = rules.into_iter().filter(|(_, bands)| bands != *several);
    Ok(rules.chain([(Distribution::Any, (*several).clone())]).collect())
}

/// Returns the number of levels that were measured: the last one has no rules if more ranks on a node were not.
pub(super) fn measured(levels: &[Level]) -> usize {
    let is_open = |(_, bands): &Level| *bands == Bands::everywhere(Setting::default());
    levels.len() - usize::from(levels.len() > 1 && levels.last().is_some_and(is_open))
}

/// Returns the rules of the first levels, with the numbers of ranks on a node that they are for, from two on.
fn spans(levels: &[Level], count: usize) -> Vec<(RangeInclusive<u64>, &Bands<Setting>)> {
    let spans = ranges(levels).take(count);
    let spans = spans.map(|(from, upto, bands)| (from.max(2)..=upto.unwrap_or(u64::MAX - 1), bands));
    spans.filter(|(span, _)| !span.is_empty()).collect()
}

/// Returns the communicator sizes at which rules, or the number of nodes, may change.
fn starts(levels: &[(RangeInclusive<u64>, &Bands<Setting>)], span: &RangeInclusive<u64>) -> Vec<u64> {
    let own = levels.iter().flat_map(|(_, bands)| bands.communicators()).map(|(from, _)| *from);
    let edges = [2, *span.start(), span.start() + 1, *span.end(), span.end() + 1];
    own.chain(edges).filter(|ranks| *ranks >= 2).collect()
}

fn more_than_distribution(ranks: u64, on_a_node: u64) -> Problem {
    let message = format!(
        "a rule of Open MPI knows whether each node has one rank, and whether all ranks share one, and no more of nodes; the rules for \
         {ranks} ranks with {on_a_node} on each node differ from those with another number"
    );
    Problem::new(Place::File, message).help(
        "write a file for each (`qtdec-mpi tune --each ppn=…`), or compile the decision into the program (--target rust or c)",
    )
}
