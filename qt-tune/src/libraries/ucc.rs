//! UCC: the algorithms of its transport layer UCP, which serves memory of hosts.
//!
//! Names and numbers of `src/components/tl/ucp` of release 1.8; what came after 1.3 says so. `ucc_info -A` lists those of
//! an installation. Of other collectives it refuses to choose the algorithm (`ucc_tl_ucp_alg_id_to_init`).

use super::{Algorithm, Unit};

/// MPI's names for the collectives whose algorithm may be chosen, and UCC's (`src/utils/ucc_coll_utils.c`).
pub const COLLECTIVES: [(&str, &str); 9] = [
    ("allgather", "allgather"),
    ("allgatherv", "allgatherv"),
    ("allreduce", "allreduce"),
    ("alltoall", "alltoall"),
    ("alltoallv", "alltoallv"),
    ("bcast", "bcast"),
    ("reduce", "reduce"),
    ("reduce_scatter_block", "reduce_scatter"),
    ("reduce_scatter", "reduce_scatterv"),
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

/// What UCC compares with message sizes (`ucc_coll_args_msgsize`), where Open MPI's component `coll/ucc` calls it.
pub fn unit(collective: &str) -> Unit {
    match collective {
        "bcast" | "reduce" | "allreduce" => Unit::Buffer,
        "allgather" | "alltoall" => Unit::TimesRanks,
        "allgatherv" | "reduce_scatter" => Unit::Total,
        "reduce_scatter_block" => Unit::PerRank,
        _ => Unit::Nothing,
    }
}

/// The algorithms for a collective by MPI's name, by their numbers from 0 on.
pub fn algorithms(collective: &str) -> &'static [Algorithm] {
    match collective {
        "allgather" => &ALLGATHER,
        "allgatherv" => &ALLGATHERV,
        "allreduce" => &ALLREDUCE,
        "alltoall" => &ALLTOALL,
        "alltoallv" => &ALLTOALLV,
        "bcast" => &BCAST,
        "reduce" => &REDUCE,
        "reduce_scatter_block" => &REDUCE_SCATTER,
        "reduce_scatter" => &REDUCE_SCATTERV,
        _ => &[],
    }
}

const ALLGATHER: [Algorithm; 7] = [
    Algorithm::new("knomial", &["k_nomial"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("neighbor", &["neighbor_exchange", "neighbour", "neighbour_exchange"]),
    Algorithm::new("bruck", &["brucks"]).since(1, 4),
    Algorithm::new("sparbit", &[]).since(1, 4),
    Algorithm::new("linear", &["basic_linear"]).since(1, 5),
    Algorithm::new("batched", &["linear_batched"]).since(1, 5),
];

const ALLGATHERV: [Algorithm; 2] =
    [Algorithm::new("ring", &[]), Algorithm::new("knomial", &["k_nomial"]).since(1, 4)];

const ALLREDUCE: [Algorithm; 5] = [
    Algorithm::new("knomial", &["k_nomial"]),
    Algorithm::new("sra_knomial", &[]),
    Algorithm::new("sliding_window", &[]).since(1, 4),
    Algorithm::new("dbt", &["double_binary_tree"]).since(1, 4),
    Algorithm::new("ring", &[]).since(1, 8),
];

const ALLTOALL: [Algorithm; 3] = [
    Algorithm::new("pairwise", &["pairwise_exchange"]),
    Algorithm::new("bruck", &["brucks", "modified_bruck"]),
    Algorithm::new("onesided", &[]),
];

const ALLTOALLV: [Algorithm; 3] = [
    Algorithm::new("pairwise", &["pairwise_exchange"]),
    Algorithm::new("hybrid", &[]),
    Algorithm::new("onesided", &[]),
];

const BCAST: [Algorithm; 3] = [
    Algorithm::new("knomial", &["k_nomial", "knomial_tree"]),
    Algorithm::new("sag_knomial", &[]),
    Algorithm::new("dbt", &["double_binary_tree"]),
];

const REDUCE: [Algorithm; 3] = [
    Algorithm::new("knomial", &["k_nomial", "knomial_tree"]),
    Algorithm::new("dbt", &["double_binary_tree"]).since(1, 4),
    Algorithm::new("srg", &["reduce_scatter_gather"]).since(1, 4),
];

const REDUCE_SCATTER: [Algorithm; 2] =
    [Algorithm::new("ring", &[]), Algorithm::new("knomial", &["k_nomial"]).since(1, 4)];

const REDUCE_SCATTERV: [Algorithm; 1] = [Algorithm::new("ring", &[])];
