//! Open MPI: the collectives and algorithms of `coll/tuned`.
//!
//! The numbers are those of release 4.1.4 (`coll_tuned_<collective>_decision.c`); later releases only add to them. The
//! numbers of collectives are those of 3.0 and later. `ompi/mca/coll/base` of its source defines the substitutions: another
//! algorithm runs if the number of ranks is not a power of two or is odd, or if there are fewer elements than ranks. It does
//! not consider operations that do not commute.

pub mod han;

use qtdec_core::Method;

use super::Need::{Commutative, CountAtLeastCommSize, Even, PowerOfTwo, TwoRanks};
use super::Segments::{Needed, Optional};
use super::When::{Always, WithSegments};
use super::algorithm::algorithm;
use super::{Algorithm, Release, SizeUnit, TunedCollective};

/// The collectives by number, with those for which `coll/tuned` has no algorithms.
pub const NAMES: [&str; COLLECTIVE_COUNT as usize] = [
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "barrier",
    "bcast",
    "exscan",
    "gather",
    "gatherv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "scatter",
    "scatterv",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
];

/// The number of collectives, including neighbour collectives. A rules file with a greater number is dropped.
pub const COLLECTIVE_COUNT: i64 = 22;

/// The first release whose component HAN reads rules that name components.
pub const HAN_RULES_SINCE: Release = Release::new(5, 0);

/// The first release whose rules can limit open requests: version 2 of the classic text format, and the JSON of 6.0.
pub const REQUESTS_SINCE: Release = Release::new(5, 0).patch(7);

/// The collectives for which `coll/tuned` has several algorithms, by number. The units are those of a rules file
/// (`coll_tuned_decision_dynamic.c`); the fixed rules use other units for some collectives.
pub const COLLECTIVES: &[TunedCollective] = &[
    collective(0, "allgather", SizeUnit::TimesRanks, ALLGATHER),
    collective(1, "allgatherv", SizeUnit::PerRank, ALLGATHERV),
    collective(2, "allreduce", SizeUnit::Buffer, ALLREDUCE),
    collective(3, "alltoall", SizeUnit::TimesRanks, ALLTOALL),
    collective(4, "alltoallv", SizeUnit::Nothing, ALLTOALLV),
    collective(6, "barrier", SizeUnit::Nothing, BARRIER),
    collective(7, "bcast", SizeUnit::Buffer, BCAST),
    // Scans are looked up by the bytes of one element times the ranks: 4.1 and the main branch omit the count.
    collective(8, "exscan", SizeUnit::Nothing, SCAN),
    collective(9, "gather", SizeUnit::TimesRanks, GATHER),
    collective(11, "reduce", SizeUnit::Buffer, REDUCE),
    collective(12, "reduce_scatter", SizeUnit::Total, REDUCE_SCATTER),
    collective(13, "reduce_scatter_block", SizeUnit::TimesRanks, REDUCE_SCATTER_BLOCK),
    collective(14, "scan", SizeUnit::Nothing, SCAN),
    collective(15, "scatter", SizeUnit::TimesRanks, SCATTER),
];

/// Returns the algorithm that a benchmark of Open MPI means with a method that has none of its names: by `id`, by a number as the
/// name, or by a name that PICO ends with `_ompi`.
pub(super) fn called(collective: &str, method: &Method) -> Option<&'static Algorithm> {
    let known = COLLECTIVES.iter().find(|known| known.name == collective)?;
    let name = &method.name;
    let by_number = || known.algorithm(name.parse().ok()?);
    let by_suffix = || known.find(name.strip_suffix(SUFFIX)?);
    let by_id = || known.algorithm(method.id?);
    by_number().or_else(by_suffix).or_else(by_id)
}

/// Returns whether benchmarks of Open MPI call the library's own choice by this name. Its number is 0.
pub fn is_own_choice(name: &str) -> bool {
    name == "0" || name.strip_suffix(SUFFIX) == Some("default")
}

/// The suffix that PICO appends to the names of Open MPI's algorithms.
const SUFFIX: &str = "_ompi";

const fn collective(
    number: u8,
    name: &'static str,
    unit: SizeUnit,
    algorithms: &'static [Algorithm],
) -> TunedCollective {
    TunedCollective { number: Some(number), ..TunedCollective::new((name, name), unit, algorithms) }
}

const ALLGATHER: &[Algorithm] = &[
    algorithm(1, "linear", &["basic_linear"]),
    algorithm(2, "bruck", &["brucks"]),
    algorithm(3, "recursive_doubling", &["rec_doubling", "rdb"]).needs(&[PowerOfTwo]),
    algorithm(4, "ring", &[]),
    algorithm(5, "neighbor", &["neighbor_exchange", "neighbour", "neighbour_exchange"]).needs(&[Even]),
    algorithm(6, "two_proc", &["two_procs"]).fails_without(&[TwoRanks]),
    algorithm(7, "sparbit", &[]).since(5, 0),
];

const ALLGATHERV: &[Algorithm] = &[
    // In a map, `default` is the library's own choice.
    algorithm(1, "default", &["linear", "basic_linear"]).measured_as("linear"),
    algorithm(2, "bruck", &["brucks"]),
    algorithm(3, "ring", &[]),
    algorithm(4, "neighbor", &["neighbor_exchange", "neighbour", "neighbour_exchange"]).needs(&[Even]),
    algorithm(5, "two_proc", &["two_procs"]).fails_without(&[TwoRanks]),
    algorithm(6, "sparbit", &[]).since(5, 0),
];

const ALLREDUCE: &[Algorithm] = &[
    algorithm(1, "basic_linear", &["linear"]),
    algorithm(2, "nonoverlapping", &["non_overlapping", "reduce_bcast"]),
    algorithm(3, "recursive_doubling", &["rec_doubling", "rdb"]),
    algorithm(4, "ring", &[]).cuts(Always).needs(&[CountAtLeastCommSize, Commutative]),
    algorithm(5, "segmented_ring", &["ring_segmented"])
        .cuts(Always)
        .segments(Needed)
        .needs(&[CountAtLeastCommSize, Commutative]),
    algorithm(6, "rabenseifner", &["reduce_scatter_allgather"])
        .cuts(Always)
        .needs(&[CountAtLeastCommSize, Commutative]),
    algorithm(7, "allgather_reduce", &[]).since(6, 1),
];

const ALLTOALL: &[Algorithm] = &[
    algorithm(1, "linear", &["basic_linear", "scattered"]),
    algorithm(2, "pairwise", &["pairwise_exchange"]),
    algorithm(3, "modified_bruck", &["bruck", "brucks"]),
    algorithm(4, "linear_sync", &[]).limits(Always),
    algorithm(5, "two_proc", &["two_procs"]).fails_without(&[TwoRanks]),
];

const ALLTOALLV: &[Algorithm] =
    &[algorithm(1, "basic_linear", &["linear"]), algorithm(2, "pairwise", &["pairwise_exchange"])];

const BARRIER: &[Algorithm] = &[
    algorithm(1, "linear", &["basic_linear"]),
    algorithm(2, "double_ring", &[]),
    algorithm(3, "recursive_doubling", &["rec_doubling", "rdb"]),
    algorithm(4, "bruck", &["brucks", "dissemination"]),
    algorithm(5, "two_proc", &["two_procs"]).fails_without(&[TwoRanks]),
    algorithm(6, "tree", &[]),
];

/// If forced, these fail the test in the issue, which is open for 4.0, 4.1, 5.0 and main.
const DATATYPES: &str = "corrupts data if datatypes differ between ranks (open-mpi/ompi issue 10523)";

/// Each rank cuts its own elements into segments: with segments of 8 KiB, 4.1.4 delivered wrong data to ranks whose datatype
/// was ten times that of the root. The issue is open.
const SEGMENTS: &str =
    "with segments corrupts data if datatypes differ between ranks (open-mpi/ompi issue 1763)";

/// The default of `coll_tuned_init_chain_fanout`, which is also that of `coll_tuned_bcast_algorithm_chain_fanout` and its
/// counterpart for reductions.
const CHAINS: u64 = 4;

/// Returns the fan-out with which an algorithm runs under a rule with this fan-out, or `None` for none. The default is that of
/// parameters, not of rules: under a rule, `ompi_coll_base_topo_build_chain` turns 0 into 1, a pipeline.
pub fn fan_out_of_rule(algorithm: Option<&Algorithm>, fan_out: Option<u64>) -> Option<u64> {
    let has_chains = algorithm.is_some_and(|algorithm| algorithm.fan_out.is_some());
    fan_out.filter(|children| *children > 0).or(has_chains.then_some(1))
}

// The last two take a segment size but ignore it.
const BCAST: &[Algorithm] = &[
    algorithm(1, "basic_linear", &["linear", "flat", "flat_tree"]),
    algorithm(2, "chain", &[]).segments(Optional).fan_out(CHAINS).segment_caution(SEGMENTS),
    algorithm(3, "pipeline", &["pipelined"]).segments(Optional).segment_caution(SEGMENTS),
    algorithm(4, "split_binary_tree", &["split_binary", "split_bintree", "splitted_binary"])
        .segments(Optional)
        .caution(DATATYPES),
    algorithm(5, "binary_tree", &["binary", "bintree"]).segments(Optional).segment_caution(SEGMENTS),
    algorithm(6, "binomial", &["binomial_tree"]).segments(Optional).segment_caution(SEGMENTS),
    algorithm(7, "knomial", &["knomial_tree", "k_nomial"]).segments(Optional).segment_caution(SEGMENTS),
    algorithm(8, "scatter_allgather", &["scatter_recursive_doubling_allgather", "scatter_rdb_allgather"])
        .needs(&[CountAtLeastCommSize])
        .caution(DATATYPES),
    algorithm(9, "scatter_allgather_ring", &["scatter_ring_allgather", "scatter_lr_allgather"])
        .needs(&[CountAtLeastCommSize])
        .caution(DATATYPES),
];

const GATHER: &[Algorithm] = &[
    algorithm(1, "basic_linear", &["linear"]),
    algorithm(2, "binomial", &["binomial_tree"]),
    algorithm(3, "linear_sync", &[]).segments(Optional),
];

const fn reduction(number: u64, name: &'static str, aliases: &'static [&'static str]) -> Algorithm {
    algorithm(number, name, aliases).cuts(WithSegments).segments(Optional).limits(WithSegments)
}

const REDUCE: &[Algorithm] = &[
    algorithm(1, "linear", &["basic_linear", "flat", "flat_tree"]),
    reduction(2, "chain", &[]).fan_out(CHAINS).needs(&[Commutative]),
    reduction(3, "pipeline", &["pipelined"]).needs(&[Commutative]),
    reduction(4, "binary", &["binary_tree", "bintree"]).needs(&[Commutative]),
    reduction(5, "binomial", &["binomial_tree"]).needs(&[Commutative]),
    reduction(6, "in-order_binary", &["in_order_binary_tree"]),
    algorithm(7, "rabenseifner", &["reduce_scatter_gather", "scatter_gather"])
        .cuts(Always)
        .needs(&[CountAtLeastCommSize, Commutative]),
    reduction(8, "knomial", &["knomial_tree", "k_nomial"]).since(6, 1),
];

const REDUCE_SCATTER: &[Algorithm] = &[
    algorithm(1, "non-overlapping", &["nonoverlapping"]),
    algorithm(2, "recursive_halving", &["rec_halving", "recursivehalving"])
        .cuts(Always)
        .needs(&[Commutative]),
    algorithm(3, "ring", &[]).cuts(Always).needs(&[Commutative]),
    algorithm(4, "butterfly", &[]).cuts(Always).needs(&[Commutative]),
];

const REDUCE_SCATTER_BLOCK: &[Algorithm] = &[
    algorithm(1, "basic_linear", &["linear"]),
    algorithm(2, "recursive_doubling", &["rec_doubling", "rdb"]).cuts(Always).needs(&[Commutative]),
    algorithm(3, "recursive_halving", &["rec_halving"]).cuts(Always).needs(&[Commutative]),
    algorithm(4, "butterfly", &[]).cuts(Always).needs(&[Commutative]),
];

const SCAN: &[Algorithm] = &[
    algorithm(1, "linear", &["basic_linear"]),
    algorithm(2, "recursive_doubling", &["rec_doubling", "rdb"]),
];

const SCATTER: &[Algorithm] = &[
    algorithm(1, "basic_linear", &["linear"]),
    algorithm(2, "binomial", &["binomial_tree"]),
    algorithm(3, "linear_nb", &["linear_nonblocking"]),
];

/// Returns the collective with this number in a rules file.
pub fn collective_by_number(number: u8) -> Option<&'static TunedCollective> {
    COLLECTIVES.iter().find(|collective| collective.number == Some(number))
}
