//! Open MPI: the collectives and algorithms of `coll/tuned`.
//!
//! Ids are those of release 4.1.4 (`coll_tuned_<collective>_decision.c`); later releases only add to them. Collective
//! ids are those of 3.0 and later.

use super::{Algorithm, Unit};

/// A collective that rules may be written for.
#[derive(Debug)]
pub struct Collective {
    /// MPI's name in lower case.
    pub name: &'static str,
    /// Its number in a rules file.
    pub id: u8,
    /// What a rules file compares with its message sizes (`coll_tuned_decision_dynamic.c`); the fixed rules use other
    /// units for some collectives.
    pub unit: Unit,
    algorithms: &'static [Algorithm],
}

/// The number of collectives, beyond which a rules file is dropped; neighbour collectives among them.
pub const COLLECTIVE_COUNT: i64 = 22;

/// Collectives for which `coll/tuned` has algorithms to choose from, by their numbers.
pub const COLLECTIVES: [Collective; 14] = [
    Collective { name: "allgather", id: 0, unit: Unit::TimesRanks, algorithms: &ALLGATHER },
    Collective { name: "allgatherv", id: 1, unit: Unit::PerRank, algorithms: &ALLGATHERV },
    Collective { name: "allreduce", id: 2, unit: Unit::Buffer, algorithms: &ALLREDUCE },
    Collective { name: "alltoall", id: 3, unit: Unit::TimesRanks, algorithms: &ALLTOALL },
    Collective { name: "alltoallv", id: 4, unit: Unit::Nothing, algorithms: &ALLTOALLV },
    Collective { name: "barrier", id: 6, unit: Unit::Nothing, algorithms: &BARRIER },
    Collective { name: "bcast", id: 7, unit: Unit::Buffer, algorithms: &BCAST },
    // Scans are looked up by the bytes of one element times the ranks: 4.1 and the main branch leave the count out.
    Collective { name: "exscan", id: 8, unit: Unit::Nothing, algorithms: &SCAN },
    Collective { name: "gather", id: 9, unit: Unit::TimesRanks, algorithms: &GATHER },
    Collective { name: "reduce", id: 11, unit: Unit::Buffer, algorithms: &REDUCE },
    Collective { name: "reduce_scatter", id: 12, unit: Unit::Total, algorithms: &REDUCE_SCATTER },
    Collective {
        name: "reduce_scatter_block",
        id: 13,
        unit: Unit::TimesRanks,
        algorithms: &REDUCE_SCATTER_BLOCK,
    },
    Collective { name: "scan", id: 14, unit: Unit::Nothing, algorithms: &SCAN },
    Collective { name: "scatter", id: 15, unit: Unit::TimesRanks, algorithms: &SCATTER },
];

pub(crate) const ALLGATHER: [Algorithm; 7] = [
    Algorithm::new("linear", &["basic_linear"]),
    Algorithm::new("bruck", &["brucks"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("neighbor", &["neighbor_exchange", "neighbour", "neighbour_exchange"]),
    Algorithm::new("two_proc", &["two_procs"]),
    Algorithm::new("sparbit", &[]).since(5, 0),
];

pub(crate) const ALLGATHERV: [Algorithm; 6] = [
    Algorithm::new("default", &["linear", "basic_linear"]),
    Algorithm::new("bruck", &["brucks"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("neighbor", &["neighbor_exchange", "neighbour", "neighbour_exchange"]),
    Algorithm::new("two_proc", &["two_procs"]),
    Algorithm::new("sparbit", &[]).since(5, 0),
];

pub(crate) const ALLREDUCE: [Algorithm; 7] = [
    Algorithm::new("basic_linear", &["linear"]),
    Algorithm::new("nonoverlapping", &["non_overlapping", "reduce_bcast"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("ring", &[]),
    Algorithm::segmented("segmented_ring", &["ring_segmented"]),
    Algorithm::new("rabenseifner", &["reduce_scatter_allgather"]),
    Algorithm::new("allgather_reduce", &[]).since(6, 1),
];

pub(crate) const ALLTOALL: [Algorithm; 5] = [
    Algorithm::new("linear", &["basic_linear", "scattered"]),
    Algorithm::new("pairwise", &["pairwise_exchange"]),
    Algorithm::new("modified_bruck", &["bruck", "brucks"]),
    Algorithm::new("linear_sync", &[]),
    Algorithm::new("two_proc", &["two_procs"]),
];

pub(crate) const ALLTOALLV: [Algorithm; 2] =
    [Algorithm::new("basic_linear", &["linear"]), Algorithm::new("pairwise", &["pairwise_exchange"])];

pub(crate) const BARRIER: [Algorithm; 6] = [
    Algorithm::new("linear", &["basic_linear"]),
    Algorithm::new("double_ring", &[]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("bruck", &["brucks", "dissemination"]),
    Algorithm::new("two_proc", &["two_procs"]),
    Algorithm::new("tree", &[]),
];

/// Forced, these fail the test of the issue, which is open for 4.0, 4.1, 5.0 and main.
const DATATYPES: &str = "corrupts data if datatypes differ between ranks (open-mpi/ompi issue 10523)";

pub(crate) const BCAST: [Algorithm; 9] = [
    Algorithm::new("basic_linear", &["linear", "flat", "flat_tree"]),
    Algorithm::segmented("chain", &[]),
    Algorithm::segmented("pipeline", &["pipelined"]),
    Algorithm::segmented("split_binary_tree", &["split_binary", "split_bintree", "splitted_binary"])
        .caution(DATATYPES),
    Algorithm::segmented("binary_tree", &["binary", "bintree"]),
    Algorithm::segmented("binomial", &["binomial_tree"]),
    Algorithm::segmented("knomial", &["knomial_tree", "k_nomial"]),
    Algorithm::new("scatter_allgather", &["scatter_recursive_doubling_allgather", "scatter_rdb_allgather"])
        .caution(DATATYPES),
    Algorithm::new("scatter_allgather_ring", &["scatter_ring_allgather", "scatter_lr_allgather"])
        .caution(DATATYPES),
];

pub(crate) const GATHER: [Algorithm; 3] = [
    Algorithm::new("basic_linear", &["linear"]),
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::segmented("linear_sync", &[]),
];

pub(crate) const REDUCE: [Algorithm; 8] = [
    Algorithm::new("linear", &["basic_linear", "flat", "flat_tree"]),
    Algorithm::segmented("chain", &[]),
    Algorithm::segmented("pipeline", &["pipelined"]),
    Algorithm::segmented("binary", &["binary_tree", "bintree"]),
    Algorithm::segmented("binomial", &["binomial_tree"]),
    Algorithm::segmented("in-order_binary", &["in_order_binary_tree"]),
    Algorithm::new("rabenseifner", &["reduce_scatter_gather", "scatter_gather"]),
    Algorithm::segmented("knomial", &["knomial_tree", "k_nomial"]).since(6, 1),
];

pub(crate) const REDUCE_SCATTER: [Algorithm; 4] = [
    Algorithm::new("non-overlapping", &["nonoverlapping"]),
    Algorithm::new("recursive_halving", &["rec_halving", "recursivehalving"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("butterfly", &[]),
];

pub(crate) const REDUCE_SCATTER_BLOCK: [Algorithm; 4] = [
    Algorithm::new("basic_linear", &["linear"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("recursive_halving", &["rec_halving"]),
    Algorithm::new("butterfly", &[]),
];

pub(crate) const SCAN: [Algorithm; 2] = [
    Algorithm::new("linear", &["basic_linear"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
];

pub(crate) const SCATTER: [Algorithm; 3] = [
    Algorithm::new("basic_linear", &["linear"]),
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("linear_nb", &["linear_nonblocking"]),
];

/// The collective of this name.
pub fn collective(name: &str) -> Option<&'static Collective> {
    COLLECTIVES.iter().find(|collective| collective.name == name)
}

/// The collective of this number in a rules file.
pub fn collective_by_id(id: u8) -> Option<&'static Collective> {
    COLLECTIVES.iter().find(|collective| collective.id == id)
}

impl Collective {
    /// The number of an algorithm in files and parameters: the first is 1, and 0 leaves the choice to the fixed rules.
    pub fn id_of(&self, algorithm: &Algorithm) -> u64 {
        self.algorithms.iter().position(|known| known == algorithm).map_or(0, |index| index as u64 + 1)
    }

    /// The algorithm of a number.
    pub fn algorithm(&self, id: u64) -> Option<&'static Algorithm> {
        self.algorithms.get(usize::try_from(id).ok()?.checked_sub(1)?)
    }

    /// All algorithms, by their numbers from 1 on.
    pub fn algorithms(&self) -> &'static [Algorithm] {
        self.algorithms
    }
}

/// The algorithms for a collective by their numbers from 1 on.
pub fn algorithms(name: &str) -> &'static [Algorithm] {
    collective(name).map_or(&[], |collective| collective.algorithms)
}
