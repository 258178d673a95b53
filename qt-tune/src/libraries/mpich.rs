//! MPICH: the blocking algorithms within one communicator.
//!
//! Release 4.0.2; what later ones added says so. None takes a segment size.

use super::{Algorithm, Unit};

/// What a selection file compares with message sizes for this collective, and by which key.
pub fn unit(collective: &str) -> (Unit, &'static str) {
    match collective {
        "bcast" | "reduce" | "allreduce" => (Unit::Buffer, "avg_msg_size"),
        "alltoall" => (Unit::PerRank, "avg_msg_size"),
        "allgather" | "gather" | "scatter" => (Unit::TimesRanks, "total_msg_size"),
        "allgatherv" | "reduce_scatter" | "reduce_scatter_block" => (Unit::Total, "total_msg_size"),
        _ => (Unit::Nothing, "total_msg_size"),
    }
}

/// The algorithms for a collective.
pub fn algorithms(collective: &str) -> &'static [Algorithm] {
    match collective {
        "allgather" => &ALLGATHER,
        "allgatherv" => &ALLGATHERV,
        "allreduce" => &ALLREDUCE,
        "alltoall" => &ALLTOALL,
        "alltoallv" => &ALLTOALLV,
        "barrier" => &BARRIER,
        "bcast" => &BCAST,
        "gather" | "scatter" => &BINOMIAL,
        "reduce" => &REDUCE,
        "reduce_scatter" | "reduce_scatter_block" => &REDUCE_SCATTER,
        _ => &[],
    }
}

/// The function that a selection file names, such as `MPIR_Bcast_intra_binomial`.
pub fn function(collective: &str, algorithm: &str) -> String {
    let mut capital = collective.to_owned();
    capital[..1].make_ascii_uppercase();
    format!("MPIR_{capital}_intra_{algorithm}")
}

const ALLGATHER: [Algorithm; 6] = [
    Algorithm::new("brucks", &["bruck"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("k_brucks", &[]).since(5, 0),
    Algorithm::new("recexch_doubling", &[]).since(5, 0),
    Algorithm::new("recexch_halving", &[]).since(5, 0),
];

const ALLGATHERV: [Algorithm; 3] = [
    Algorithm::new("brucks", &["bruck"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("ring", &[]),
];

const ALLREDUCE: [Algorithm; 8] = [
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("reduce_scatter_allgather", &["rabenseifner"]),
    Algorithm::new("smp", &[]),
    Algorithm::new("recursive_multiplying", &[]).since(5, 0),
    Algorithm::new("tree", &[]).since(5, 0),
    Algorithm::new("recexch", &[]).since(5, 0),
    Algorithm::new("ring", &[]).since(5, 0),
    Algorithm::new("k_reduce_scatter_allgather", &[]).since(5, 0),
];

const ALLTOALL: [Algorithm; 5] = [
    Algorithm::new("brucks", &["bruck", "modified_bruck"]),
    Algorithm::new("pairwise", &["pairwise_exchange"]),
    Algorithm::new("pairwise_sendrecv_replace", &[]),
    Algorithm::new("scattered", &["linear", "basic_linear"]),
    Algorithm::new("k_brucks", &[]).since(5, 0),
];

const ALLTOALLV: [Algorithm; 2] = [
    Algorithm::new("pairwise_sendrecv_replace", &[]),
    Algorithm::new("scattered", &["linear", "basic_linear"]),
];

const BARRIER: [Algorithm; 4] = [
    Algorithm::new("dissemination", &["bruck"]).until(5, 0),
    Algorithm::new("smp", &[]),
    Algorithm::new("k_dissemination", &[]).since(5, 0),
    Algorithm::new("recexch", &[]).since(5, 0),
];

const BCAST: [Algorithm; 6] = [
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("smp", &[]),
    Algorithm::new("scatter_recursive_doubling_allgather", &["scatter_allgather", "scatter_rdb_allgather"]),
    Algorithm::new("scatter_ring_allgather", &["scatter_allgather_ring", "scatter_lr_allgather"]),
    Algorithm::new("tree", &[]).since(5, 0),
    Algorithm::new("pipelined_tree", &[]).since(5, 0),
];

const BINOMIAL: [Algorithm; 1] = [Algorithm::new("binomial", &["binomial_tree"])];

const REDUCE: [Algorithm; 3] = [
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("smp", &[]),
    Algorithm::new("reduce_scatter_gather", &["rabenseifner", "scatter_gather"]),
];

const REDUCE_SCATTER: [Algorithm; 4] = [
    Algorithm::new("noncommutative", &[]),
    Algorithm::new("pairwise", &[]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("recursive_halving", &["rec_halving"]),
];
