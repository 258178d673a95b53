//! NCCL and RCCL: pairs of an algorithm and a protocol, as chosen by tuner plugins.
//!
//! The names are those of `plugins/tuner/example/plugin.c` of 2.30.

use super::{Algorithm, SizeUnit, TunedCollective};

/// The collectives, with the plugin's names for them.
pub const COLLECTIVES: &[TunedCollective] = &[
    TunedCollective::new(("bcast", "broadcast"), SizeUnit::Buffer, PAIRS),
    TunedCollective::new(("reduce", "reduce"), SizeUnit::Buffer, PAIRS),
    TunedCollective::new(("allgather", "allgather"), SizeUnit::TimesRanks, PAIRS),
    TunedCollective::new(("reduce_scatter_block", "reducescatter"), SizeUnit::TimesRanks, PAIRS),
    TunedCollective::new(("allreduce", "allreduce"), SizeUnit::Buffer, PAIRS),
];

/// Pairs of an algorithm and a protocol.
const PAIRS: &[Algorithm] = &[
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
