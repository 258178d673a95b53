//! The conditions under which a function of a selection file answers rightly.
//!
//! Functions whose name a file gives run without a check. From `restrictions:` of `src/mpi/coll/coll_algorithms.txt` and the assertions in
//! the functions, of the releases 4.0.2 and 5.0.1; for compositions, from `src/mpid/ch4/src/ch4_coll.h` and `ch4_coll_impl.h`.

use super::functions::CHANGE;
use super::{COLLECTIVES, REDUCE_SCATTER_NEEDS, function};
use crate::catalogue::Need::{
    self, Commutative, ConsecutiveRanks, EqualBlocks, Hierarchy, InPlace, OneNode, OutOfPlace, PowerOfTwo,
};
use crate::catalogue::Release;

/// The needs of a composition that uses the communicators of nodes.
pub(super) const BY_NODES: &[Need] = &[Hierarchy];

/// The needs of such a composition of a reduction.
pub(super) const REDUCING_BY_NODES: &[Need] = &[Hierarchy, Commutative];

/// Returns the needs of a function such as `MPIR_Bcast_intra_smp` or of a composition.
pub fn needs(name: &str) -> &'static [Need] {
    let listed = COLLECTIVES.iter().find_map(|collective| {
        collective.algorithms.iter().find(|algorithm| function(collective.name, algorithm.name) == name)
    });
    listed.map_or_else(|| other_needs(name), |algorithm| algorithm.needs)
}

/// Returns the needs of a function that the catalogue of algorithms omits.
fn other_needs(name: &str) -> &'static [Need] {
    let name = name.strip_prefix("MPIR_").or_else(|| name.strip_prefix("MPIDI_")).unwrap_or(name);
    let has_it = |(_, names): &&(_, &str)| names.split_whitespace().any(|known| known == name);
    OTHERS.iter().find(has_it).map_or(&[], |(needs, _)| *needs)
}

/// The functions that the catalogue of algorithms omits, by their needs.
const OTHERS: &[(&[Need], &str)] = &[
    (
        BY_NODES,
        "Barrier_intra_composition_alpha Bcast_intra_composition_alpha Bcast_intra_composition_beta
         Bcast_intra_composition_delta Ibcast_intra_sched_smp",
    ),
    (
        REDUCING_BY_NODES,
        "Allreduce_intra_composition_alpha Reduce_intra_composition_alpha Reduce_intra_composition_beta
         Iallreduce_intra_sched_smp Ireduce_intra_sched_smp",
    ),
    (&[OneNode], "Allreduce_intra_composition_gamma"),
    (&[ConsecutiveRanks], "Scan_intra_composition_alpha Scan_intra_smp"),
    (
        &[OutOfPlace],
        "Alltoallw_intra_scattered Ialltoall_intra_sched_brucks Ialltoall_intra_sched_pairwise
         Ialltoall_intra_sched_permuted_sendrecv Ialltoallv_intra_sched_blocked Ialltoallv_intra_tsp_blocked
         Ialltoallv_intra_tsp_scattered Ialltoallw_intra_sched_blocked Ialltoallw_intra_tsp_blocked",
    ),
    (
        &[InPlace],
        "Alltoallw_intra_pairwise_sendrecv_replace Ialltoall_intra_sched_inplace Ialltoallv_intra_sched_inplace
         Ialltoallv_intra_tsp_inplace Ialltoallw_intra_sched_inplace Ialltoallw_intra_tsp_inplace",
    ),
    (
        &[PowerOfTwo],
        "Iallgather_intra_sched_recursive_doubling Iallgatherv_intra_sched_recursive_doubling
         Ibcast_intra_sched_scatter_recursive_doubling_allgather Ireduce_scatter_block_intra_sched_noncommutative",
    ),
    (&[PowerOfTwo, EqualBlocks], "Ireduce_scatter_intra_sched_noncommutative"),
    (
        REDUCE_SCATTER_NEEDS,
        "Iallreduce_intra_sched_reduce_scatter_allgather Ireduce_intra_sched_reduce_scatter_gather",
    ),
    (
        &[Commutative],
        "Iallreduce_intra_tsp_ring Iallreduce_intra_tsp_recexch_reduce_scatter_recexch_allgatherv
         Ireduce_intra_tsp_tree Ireduce_scatter_intra_sched_pairwise Ireduce_scatter_intra_sched_recursive_halving
         Ireduce_scatter_intra_tsp_recexch Ireduce_scatter_block_intra_sched_pairwise
         Ireduce_scatter_block_intra_sched_recursive_halving Ireduce_scatter_block_intra_tsp_recexch",
    ),
];

/// Returns the calls that a composition leaves to another one in silence, in a release; `None` stands for the newest.
pub fn falls_back(name: &str, release: Option<Release>) -> Option<&'static str> {
    if release.is_some_and(|release| release < CHANGE) {
        return None;
    }
    match name {
        "MPIDI_Allgather_intra_composition_alpha" | "MPIDI_Alltoall_intra_composition_alpha" => Some(
            "of more than 4096 bytes a rank, and those on nodes without equally many consecutive ranks, to `beta`",
        ),
        "MPIDI_Allreduce_intra_composition_delta" => Some(
            "on nodes without equally many ranks, of fewer elements than leaders of a node, and of operations that are not commutative, to \
             the layer below",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{compositions, functions};
    use super::*;

    #[test]
    fn every_name_with_needs_is_one_that_the_reader_knows() {
        let names: Vec<&str> = OTHERS.iter().flat_map(|(_, names)| names.split_whitespace()).collect();
        assert!(names.len() > 35);
        for name in names {
            let is_function = functions::find_function(&format!("MPIR_{name}")).is_some();
            let is_composition = compositions::find(&format!("MPIDI_{name}")).is_some();
            assert!(is_function || is_composition, "{name}");
        }
    }

    #[test]
    fn needs_of_listed_and_other_functions() {
        assert_eq!(needs("MPIR_Allgather_intra_recursive_doubling"), [PowerOfTwo]);
        assert_eq!(needs("MPIR_Scan_intra_smp"), [ConsecutiveRanks]);
        assert_eq!(needs("MPIDI_Allreduce_intra_composition_gamma"), [OneNode]);
        assert_eq!(needs("MPIR_Bcast_intra_binomial"), []);
        let alpha = "MPIDI_Alltoall_intra_composition_alpha";
        assert!(falls_back(alpha, None).is_some() && falls_back(alpha, Some(Release::new(4, 0))).is_none());
    }
}
