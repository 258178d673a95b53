//! The calls that reach a place of a selection file, and those of them that a function cannot serve.

use std::ops::RangeInclusive;

use super::conditions::{Condition, PROPERTIES};
use crate::catalogue::{Need, Release};

/// The calls that meet conditions, and fail to meet others. Properties that no condition tests are free.
#[derive(Clone, Debug)]
pub(super) struct Calls {
    /// Whether the communicator is one within a group.
    pub(super) intra: Option<bool>,
    ranks: RangeInclusive<i64>,
    power_of_two: Option<bool>,
    one_node: Option<bool>,
    consecutive: Option<bool>,
    /// The kinds of `comm_hierarchy` that remain.
    hierarchies: Vec<&'static str>,
    /// Whether the file is for a release that tells `parent` from all other kinds, and these not from each other.
    knows_only_parents: bool,
    average: RangeInclusive<i64>,
    total: RangeInclusive<i64>,
    count: RangeInclusive<i64>,
    below_power_of_two: Option<bool>,
    properties: [Option<bool>; PROPERTIES.len()],
}

const PARENT: &str = "parent";

/// The first release whose `comm_hierarchy` knows only parents.
const ONLY_PARENTS: Release = Release::new(5, 0);

/// The size of the largest elements of MPI's own operations, in bytes: complex numbers of long doubles.
const LARGEST_ELEMENT: i64 = 32;

impl Calls {
    /// Returns all calls on more than one rank. A single rank communicates with nobody.
    pub(super) fn all(release: Option<Release>) -> Self {
        Self {
            intra: None,
            ranks: 2..=i64::from(i32::MAX),
            power_of_two: None,
            one_node: None,
            consecutive: None,
            hierarchies: vec![PARENT, "node_roots", "node", "flat"],
            knows_only_parents: release.is_none_or(|release| release >= ONLY_PARENTS),
            average: 0..=i64::MAX,
            total: 0..=i64::MAX,
            count: 0..=i64::MAX,
            below_power_of_two: None,
            properties: [None; PROPERTIES.len()],
        }
    }

    /// Returns the calls that meet a condition, or those that do not, if there are any. Once a condition on a call was tested, MPICH reads
    /// `comm_size<` as `comm_size<=`.
    pub(super) fn narrowed(&self, condition: &Condition, holds: bool, searching: bool) -> Option<Self> {
        let mut calls = self.clone();
        let upto = |range: &mut RangeInclusive<i64>, limit: i64| {
            *range = if holds {
                *range.start()..=limit.min(*range.end())
            } else {
                limit.saturating_add(1).max(*range.start())..=*range.end()
            };
            !range.is_empty()
        };
        let is =
            |known: &mut Option<bool>, value: bool| *known.get_or_insert(value == holds) == (value == holds);
        let remain = match condition {
            Condition::Collective(_) | Condition::RanksPerNodeUpTo(_) => true,
            Condition::Any(_) => holds,
            Condition::Intra(intra) => is(&mut calls.intra, *intra),
            Condition::CommSizeUpTo(limit) => upto(&mut calls.ranks, *limit),
            Condition::CommSizeBelow(limit) => upto(&mut calls.ranks, limit - i64::from(!searching)),
            Condition::PowerOfTwo => is(&mut calls.power_of_two, true),
            Condition::OneNode => is(&mut calls.one_node, true),
            Condition::Consecutive(yes) => is(&mut calls.consecutive, *yes),
            Condition::Hierarchy(kind) => {
                let only_parents = calls.knows_only_parents;
                let fits =
                    |known: &&str| known == kind || (only_parents && *known != PARENT && kind != PARENT);
                calls.hierarchies.retain(|known| fits(known) == holds);
                !calls.hierarchies.is_empty()
            }
            Condition::MessageUpTo { key: "avg_msg_size", limit } => upto(&mut calls.average, *limit),
            Condition::MessageUpTo { limit, .. } => upto(&mut calls.total, *limit),
            Condition::CountUpTo(limit) => upto(&mut calls.count, *limit),
            Condition::CountBelowPowerOfTwo => is(&mut calls.below_power_of_two, true),
            Condition::Property(name, yes) => PROPERTIES
                .iter()
                .position(|known| known == name)
                .is_none_or(|index| is(&mut calls.properties[index], *yes)),
        };
        (remain && calls.some_ranks().is_some()).then_some(calls)
    }

    /// Returns an example of the calls that do not meet a need, if some do not.
    pub(super) fn breaking(&self, need: Need) -> Option<String> {
        let property =
            |name| PROPERTIES.iter().position(|known| *known == name).and_then(|at| self.properties[at]);
        let built_in = property("is_op_built_in") == Some(true);
        let is_parent =
            self.hierarchies == [PARENT] || self.one_node == Some(true) || self.consecutive == Some(true);
        // Such calls return before an algorithm is chosen.
        if [&self.average, &self.total, &self.count].iter().any(|sizes| *sizes.end() == 0) {
            return None;
        }
        let example = match need {
            Need::PowerOfTwo => {
                let mut others = self.ranks.clone().take(3);
                let ranks = others.find(|ranks| !is_power_of_two(*ranks));
                return ranks
                    .filter(|_| self.power_of_two != Some(true))
                    .map(|ranks| format!("on {ranks} ranks"));
            }
            Need::CountAtLeastPowerOfTwo => return self.too_few_elements(),
            Need::BuiltIn if built_in => return None,
            Need::BuiltIn => "with an operation of the program",
            Need::Commutative if built_in || property("is_commutative") == Some(true) => return None,
            Need::Commutative => "with an operation that is not commutative",
            Need::EqualBlocks if property("is_block_regular") == Some(true) => return None,
            Need::EqualBlocks => "with blocks that are not equally large",
            Need::OutOfPlace if property("is_sendbuf_inplace") == Some(false) => return None,
            Need::OutOfPlace => "with MPI_IN_PLACE",
            Need::InPlace if property("is_sendbuf_inplace") == Some(true) => return None,
            Need::InPlace => "without MPI_IN_PLACE",
            Need::Hierarchy if is_parent => return None,
            Need::Hierarchy => "with one rank on each node, or among the ranks of one node",
            Need::ConsecutiveRanks if self.consecutive == Some(true) => return None,
            Need::ConsecutiveRanks => {
                "with ranks that are dealt out among the nodes, or with one rank on each"
            }
            Need::OneNode if self.one_node == Some(true) => return None,
            Need::OneNode if self.hierarchies == ["node"] => return None,
            Need::OneNode => "on several nodes",
            Need::Even | Need::TwoRanks | Need::CountAtLeastCommSize => return None,
        };
        Some(example.to_owned())
    }

    /// Returns an example of fewer elements than the greatest power of two of ranks.
    fn too_few_elements(&self) -> Option<String> {
        let bytes = self.average.start().unsigned_abs();
        let least =
            bytes.div_ceil(LARGEST_ELEMENT.unsigned_abs()).max(self.count.start().unsigned_abs()).max(1);
        let least = i64::try_from(least).ok()?;
        if self.below_power_of_two == Some(false) {
            return None;
        }
        let power = least.checked_add(1)?.unsigned_abs().checked_next_power_of_two()?;
        let from = i64::try_from(power).ok()?.max(*self.ranks.start());
        let ranks = Self { ranks: from..=*self.ranks.end(), ..self.clone() }.some_ranks()?;
        let elements = if least == 1 { "1 element".to_owned() } else { format!("{least} elements") };
        Some(format!("of {elements} on {ranks} ranks"))
    }

    /// Returns the least number of ranks.
    fn some_ranks(&self) -> Option<i64> {
        let (from, upto) = (*self.ranks.start(), *self.ranks.end());
        let ranks = match self.power_of_two {
            None => from,
            Some(true) => i64::try_from(from.unsigned_abs().checked_next_power_of_two()?).ok()?,
            Some(false) => self.ranks.clone().take(3).find(|ranks| !is_power_of_two(*ranks))?,
        };
        (ranks <= upto).then_some(ranks)
    }
}

fn is_power_of_two(number: i64) -> bool {
    number.unsigned_abs().is_power_of_two()
}

/// Returns what a function needs, and the condition of a file under which the need is met.
pub(super) fn described(need: Need) -> (&'static str, &'static str) {
    match need {
        Need::PowerOfTwo => ("a power of two of ranks", "comm_size=pow2"),
        Need::CountAtLeastPowerOfTwo | Need::CountAtLeastCommSize => {
            ("at least as many elements as the greatest power of two of ranks", "count=any, after count<pow2")
        }
        Need::BuiltIn => ("an operation of MPI's own", "is_op_built_in=yes"),
        Need::Commutative => ("a commutative operation", "is_commutative=yes"),
        Need::EqualBlocks => ("blocks that are equally large", "is_block_regular=yes"),
        Need::OutOfPlace => ("a buffer to send from", "is_sendbuf_inplace=no"),
        Need::InPlace => ("MPI_IN_PLACE", "is_sendbuf_inplace=yes"),
        Need::Hierarchy => ("nodes of which one has several ranks", "comm_hierarchy=parent"),
        Need::ConsecutiveRanks => ("ranks that are numbered node by node", "is_node_consecutive=yes"),
        Need::OneNode => ("all ranks on one node", "comm_size=node_comm_size"),
        Need::Even => ("an even number of ranks", "comm_size<=2"),
        Need::TwoRanks => ("two ranks", "comm_size<=2"),
    }
}
