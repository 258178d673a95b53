//! UCC: the algorithms of its transport layer UCP, which handles host memory.
//!
//! The names and numbers are those of `src/components/tl/ucp` of release 1.8; additions since 1.3 are marked. `ucc_info -A`
//! lists the algorithms of an installation. For other collectives UCC refuses to choose an algorithm
//! (`ucc_tl_ucp_alg_id_to_init`).

use super::algorithm::algorithm;
use super::{Algorithm, SizeUnit, TunedCollective};

/// The collectives whose algorithm can be chosen, with UCC's names for them (`src/utils/ucc_coll_utils.c`). The units are those
/// of `ucc_coll_args_msgsize` when called by Open MPI's component `coll/ucc`. Numbers begin at 0.
pub const COLLECTIVES: &[TunedCollective] = &[
    TunedCollective::new(("allgather", "allgather"), SizeUnit::TimesRanks, ALLGATHER),
    TunedCollective::new(("allgatherv", "allgatherv"), SizeUnit::Total, ALLGATHERV),
    TunedCollective::new(("allreduce", "allreduce"), SizeUnit::Buffer, ALLREDUCE),
    TunedCollective::new(("alltoall", "alltoall"), SizeUnit::TimesRanks, ALLTOALL),
    TunedCollective::new(("alltoallv", "alltoallv"), SizeUnit::Nothing, ALLTOALLV),
    TunedCollective::new(("bcast", "bcast"), SizeUnit::Buffer, BCAST),
    TunedCollective::new(("reduce", "reduce"), SizeUnit::Buffer, REDUCE),
    TunedCollective::new(("reduce_scatter_block", "reduce_scatter"), SizeUnit::PerRank, REDUCE_SCATTER),
    TunedCollective::new(("reduce_scatter", "reduce_scatterv"), SizeUnit::Total, REDUCE_SCATTERV),
];

/// All collective names that UCC knows.
pub const NAMES: [&str; 16] = [
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "barrier",
    "bcast",
    "fanin",
    "fanout",
    "gather",
    "gatherv",
    "reduce",
    "reduce_scatter",
    "reduce_scatterv",
    "scatter",
    "scatterv",
];

const ALLGATHER: &[Algorithm] = &[
    algorithm(0, "knomial", &["k_nomial"]),
    algorithm(1, "ring", &[]),
    algorithm(2, "neighbor", &["neighbor_exchange", "neighbour", "neighbour_exchange"]),
    algorithm(3, "bruck", &["brucks"]).since(1, 4),
    algorithm(4, "sparbit", &[]).since(1, 4),
    algorithm(5, "linear", &["basic_linear"]).since(1, 5),
    algorithm(6, "batched", &["linear_batched"]).since(1, 5),
];

const ALLGATHERV: &[Algorithm] =
    &[algorithm(0, "ring", &[]), algorithm(1, "knomial", &["k_nomial"]).since(1, 4)];

const ALLREDUCE: &[Algorithm] = &[
    algorithm(0, "knomial", &["k_nomial"]),
    algorithm(1, "sra_knomial", &[]),
    algorithm(2, "sliding_window", &[]).since(1, 4),
    algorithm(3, "dbt", &["double_binary_tree"]).since(1, 4),
    algorithm(4, "ring", &[]).since(1, 8),
];

const ALLTOALL: &[Algorithm] = &[
    algorithm(0, "pairwise", &["pairwise_exchange"]),
    algorithm(1, "bruck", &["brucks", "modified_bruck"]),
    algorithm(2, "onesided", &[]),
];

const ALLTOALLV: &[Algorithm] = &[
    algorithm(0, "pairwise", &["pairwise_exchange"]),
    algorithm(1, "hybrid", &[]),
    algorithm(2, "onesided", &[]),
];

const BCAST: &[Algorithm] = &[
    algorithm(0, "knomial", &["k_nomial", "knomial_tree"]),
    algorithm(1, "sag_knomial", &[]),
    algorithm(2, "dbt", &["double_binary_tree"]),
];

const REDUCE: &[Algorithm] = &[
    algorithm(0, "knomial", &["k_nomial", "knomial_tree"]),
    algorithm(1, "dbt", &["double_binary_tree"]).since(1, 4),
    algorithm(2, "srg", &["reduce_scatter_gather"]).since(1, 4),
];

const REDUCE_SCATTER: &[Algorithm] =
    &[algorithm(0, "ring", &[]), algorithm(1, "knomial", &["k_nomial"]).since(1, 4)];

const REDUCE_SCATTERV: &[Algorithm] = &[algorithm(0, "ring", &[])];
