//! UCC: the algorithms of its transport layer UCP, which serves memory of hosts.
//!
//! Names and numbers of `src/components/tl/ucp` of release 1.8; what came after 1.3 says so. `ucc_info -A` lists those of
//! an installation. Of other collectives it refuses to choose the algorithm (`ucc_tl_ucp_alg_id_to_init`).

use super::{Algorithm, SizeUnit, TunedCollective};

/// The collectives whose algorithm may be chosen, with UCC's words for them (`src/utils/ucc_coll_utils.c`). Units are those
/// of `ucc_coll_args_msgsize`, where Open MPI's component `coll/ucc` calls it. Numbers begin at 0.
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

/// All that UCC knows by name.
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

const fn algorithm(number: u64, name: &'static str, aliases: &'static [&'static str]) -> Algorithm {
    Algorithm::numbered(number, name, aliases)
}

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
