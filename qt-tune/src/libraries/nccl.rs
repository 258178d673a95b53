//! NCCL and RCCL: an algorithm with its protocol, as a tuner plugin chooses them.
//!
//! Names of `plugins/tuner/example/plugin.c` of 2.30.

use super::{Algorithm, Unit};

/// Algorithms and protocols.
const PAIRS: [Algorithm; 21] = [
    Algorithm::new("tree_ll", &[]),
    Algorithm::new("tree_ll128", &[]),
    Algorithm::new("tree_simple", &["tree"]),
    Algorithm::new("ring_ll", &[]),
    Algorithm::new("ring_ll128", &[]),
    Algorithm::new("ring_simple", &["ring"]),
    Algorithm::new("collnet_direct_ll", &[]),
    Algorithm::new("collnet_direct_ll128", &[]),
    Algorithm::new("collnet_direct_simple", &["collnet_direct"]),
    Algorithm::new("collnet_chain_ll", &[]),
    Algorithm::new("collnet_chain_ll128", &[]),
    Algorithm::new("collnet_chain_simple", &["collnet_chain"]),
    Algorithm::new("nvls_ll", &[]),
    Algorithm::new("nvls_ll128", &[]),
    Algorithm::new("nvls_simple", &["nvls"]),
    Algorithm::new("nvls_tree_ll", &[]),
    Algorithm::new("nvls_tree_ll128", &[]),
    Algorithm::new("nvls_tree_simple", &["nvls_tree"]),
    Algorithm::new("pat_ll", &[]),
    Algorithm::new("pat_ll128", &[]),
    Algorithm::new("pat_simple", &["pat"]),
];

/// MPI's names for the collectives, and the plugin's.
pub const COLLECTIVES: [(&str, &str); 5] = [
    ("bcast", "broadcast"),
    ("reduce", "reduce"),
    ("allgather", "allgather"),
    ("reduce_scatter_block", "reducescatter"),
    ("allreduce", "allreduce"),
];

/// The algorithms for a collective, by MPI's name.
pub fn algorithms(collective: &str) -> &'static [Algorithm] {
    if COLLECTIVES.iter().any(|(name, _)| *name == collective) { &PAIRS } else { &[] }
}

/// What the plugin is given as the message size.
pub fn unit(collective: &str) -> Unit {
    match collective {
        "allgather" | "reduce_scatter_block" => Unit::TimesRanks,
        _ => Unit::Buffer,
    }
}
