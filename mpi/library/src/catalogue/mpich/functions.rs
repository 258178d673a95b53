//! The names known to MPICH's reader of selection files: collectives, and the functions that run them.
//!
//! Extracted from `src/mpi/coll/src/csel.c` and `csel_container.c` of the releases 4.0.2 and 5.0.1. The reader aborts the
//! process at any other name. The functions include those for intercommunicators and nonblocking collectives, which the
//! catalogue of algorithms omits.

use crate::catalogue::{Lack, Release};

/// Returns the blocking collectives, whether called by MPI programs or by MPICH itself.
pub fn blocking() -> impl Iterator<Item = &'static str> + Clone {
    let is_blocking = |name: &&str| !name.starts_with('i') && !name.starts_with("neighbor_");
    COLLECTIVES.into_iter().filter(is_blocking)
}

/// Returns whether the reader knows a collective of this name, blocking or not.
pub fn is_collective(name: &str) -> bool {
    COLLECTIVES.contains(&name)
}

/// Returns the function of this name, if the reader of some release knows it.
pub fn find_function(name: &str) -> Option<Function> {
    let name = name.strip_prefix("MPIR_")?;
    let is_in = |known: &[&str]| known.binary_search(&name).is_ok();
    if is_in(&SHARED) {
        Some(Function::Shared)
    } else if is_in(&UNTIL_5_0) {
        Some(Function::Until(CHANGE))
    } else if is_in(&SINCE_5_0) {
        Some(Function::Since(CHANGE))
    } else {
        None
    }
}

/// Returns whether a function runs a collective, judging by its name.
pub fn is_of(function: &str, collective: &str) -> bool {
    let rest = function.strip_prefix("MPIR_").filter(|rest| {
        rest.get(..collective.len()).is_some_and(|start| start.eq_ignore_ascii_case(collective))
    });
    let kinds = ["_intra_", "_inter_", "_allcomm_"];
    rest.is_some_and(|rest| kinds.iter().any(|kind| rest[collective.len()..].starts_with(kind)))
}

/// The release whose names were compared with those of 4.0.
pub(super) const CHANGE: Release = Release::new(5, 0);

/// The releases that know a function.
///
/// The variants are complete: a function was always there, removed or added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// 4.0 and 5.0 know it.
    Shared,
    /// This release is the first without it.
    Until(Release),
    /// This release is the first with it.
    Since(Release),
}

impl Function {
    /// Returns why a release does not know the function, or `None` if it does. `None` as the release stands for one that knows all.
    pub fn lack(self, release: Option<Release>) -> Option<Lack> {
        match self {
            Self::Until(until) if release? >= until => Some(Lack::From(until)),
            Self::Since(since) if release? < since => Some(Lack::Before(since)),
            _ => None,
        }
    }
}

/// The collectives that may follow `collective=`.
const COLLECTIVES: [&str; 44] = [
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
    "iallgather",
    "iallgatherv",
    "iallreduce",
    "ialltoall",
    "ialltoallv",
    "ialltoallw",
    "ibarrier",
    "ibcast",
    "iexscan",
    "igather",
    "igatherv",
    "ineighbor_allgather",
    "ineighbor_allgatherv",
    "ineighbor_alltoall",
    "ineighbor_alltoallv",
    "ineighbor_alltoallw",
    "ireduce",
    "ireduce_scatter",
    "ireduce_scatter_block",
    "iscan",
    "iscatter",
    "iscatterv",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "scatter",
    "scatterv",
];

/// Functions of 4.0 that 5.0 dropped, without `MPIR_`, in byte order.
const UNTIL_5_0: [&str; 1] = ["Barrier_intra_dissemination"];

/// Functions that 5.0 added.
const SINCE_5_0: [&str; 15] = [
    "Allgather_intra_k_brucks",
    "Allgather_intra_recexch_doubling",
    "Allgather_intra_recexch_halving",
    "Allreduce_intra_ccl",
    "Allreduce_intra_k_reduce_scatter_allgather",
    "Allreduce_intra_recexch",
    "Allreduce_intra_recursive_multiplying",
    "Allreduce_intra_ring",
    "Allreduce_intra_tree",
    "Alltoall_intra_k_brucks",
    "Barrier_intra_k_dissemination",
    "Barrier_intra_recexch",
    "Bcast_intra_pipelined_tree",
    "Bcast_intra_tree",
    "Ibarrier_intra_tsp_k_dissem",
];

/// Functions of both releases.
const SHARED: [&str; 177] = [
    "Allgather_allcomm_nb",
    "Allgather_inter_local_gather_remote_bcast",
    "Allgather_intra_brucks",
    "Allgather_intra_recursive_doubling",
    "Allgather_intra_ring",
    "Allgatherv_allcomm_nb",
    "Allgatherv_inter_remote_gather_local_bcast",
    "Allgatherv_intra_brucks",
    "Allgatherv_intra_recursive_doubling",
    "Allgatherv_intra_ring",
    "Allreduce_allcomm_nb",
    "Allreduce_inter_reduce_exchange_bcast",
    "Allreduce_intra_recursive_doubling",
    "Allreduce_intra_reduce_scatter_allgather",
    "Allreduce_intra_smp",
    "Alltoall_allcomm_nb",
    "Alltoall_inter_pairwise_exchange",
    "Alltoall_intra_brucks",
    "Alltoall_intra_pairwise",
    "Alltoall_intra_pairwise_sendrecv_replace",
    "Alltoall_intra_scattered",
    "Alltoallv_allcomm_nb",
    "Alltoallv_inter_pairwise_exchange",
    "Alltoallv_intra_pairwise_sendrecv_replace",
    "Alltoallv_intra_scattered",
    "Alltoallw_allcomm_nb",
    "Alltoallw_inter_pairwise_exchange",
    "Alltoallw_intra_pairwise_sendrecv_replace",
    "Alltoallw_intra_scattered",
    "Barrier_allcomm_nb",
    "Barrier_inter_bcast",
    "Barrier_intra_smp",
    "Bcast_allcomm_nb",
    "Bcast_inter_remote_send_local_bcast",
    "Bcast_intra_binomial",
    "Bcast_intra_scatter_recursive_doubling_allgather",
    "Bcast_intra_scatter_ring_allgather",
    "Bcast_intra_smp",
    "Exscan_allcomm_nb",
    "Exscan_intra_recursive_doubling",
    "Gather_allcomm_nb",
    "Gather_inter_linear",
    "Gather_inter_local_gather_remote_send",
    "Gather_intra_binomial",
    "Gatherv_allcomm_linear",
    "Gatherv_allcomm_nb",
    "Iallgather_inter_sched_local_gather_remote_bcast",
    "Iallgather_intra_sched_brucks",
    "Iallgather_intra_sched_recursive_doubling",
    "Iallgather_intra_sched_ring",
    "Iallgather_intra_tsp_brucks",
    "Iallgather_intra_tsp_recexch_doubling",
    "Iallgather_intra_tsp_recexch_halving",
    "Iallgather_intra_tsp_ring",
    "Iallgatherv_inter_sched_remote_gather_local_bcast",
    "Iallgatherv_intra_sched_brucks",
    "Iallgatherv_intra_sched_recursive_doubling",
    "Iallgatherv_intra_sched_ring",
    "Iallgatherv_intra_tsp_brucks",
    "Iallgatherv_intra_tsp_recexch_doubling",
    "Iallgatherv_intra_tsp_recexch_halving",
    "Iallgatherv_intra_tsp_ring",
    "Iallreduce_inter_sched_remote_reduce_local_bcast",
    "Iallreduce_intra_sched_naive",
    "Iallreduce_intra_sched_recursive_doubling",
    "Iallreduce_intra_sched_reduce_scatter_allgather",
    "Iallreduce_intra_sched_smp",
    "Iallreduce_intra_tsp_recexch_multiple_buffer",
    "Iallreduce_intra_tsp_recexch_reduce_scatter_recexch_allgatherv",
    "Iallreduce_intra_tsp_recexch_single_buffer",
    "Iallreduce_intra_tsp_ring",
    "Iallreduce_intra_tsp_tree",
    "Ialltoall_inter_sched_pairwise_exchange",
    "Ialltoall_intra_sched_brucks",
    "Ialltoall_intra_sched_inplace",
    "Ialltoall_intra_sched_pairwise",
    "Ialltoall_intra_sched_permuted_sendrecv",
    "Ialltoall_intra_tsp_brucks",
    "Ialltoall_intra_tsp_ring",
    "Ialltoall_intra_tsp_scattered",
    "Ialltoallv_inter_sched_pairwise_exchange",
    "Ialltoallv_intra_sched_blocked",
    "Ialltoallv_intra_sched_inplace",
    "Ialltoallv_intra_tsp_blocked",
    "Ialltoallv_intra_tsp_inplace",
    "Ialltoallv_intra_tsp_scattered",
    "Ialltoallw_inter_sched_pairwise_exchange",
    "Ialltoallw_intra_sched_blocked",
    "Ialltoallw_intra_sched_inplace",
    "Ialltoallw_intra_tsp_blocked",
    "Ialltoallw_intra_tsp_inplace",
    "Ibarrier_inter_sched_bcast",
    "Ibarrier_intra_sched_recursive_doubling",
    "Ibarrier_intra_tsp_recexch",
    "Ibcast_inter_sched_flat",
    "Ibcast_intra_sched_binomial",
    "Ibcast_intra_sched_scatter_recursive_doubling_allgather",
    "Ibcast_intra_sched_scatter_ring_allgather",
    "Ibcast_intra_sched_smp",
    "Ibcast_intra_tsp_ring",
    "Ibcast_intra_tsp_scatterv_recexch_allgatherv",
    "Ibcast_intra_tsp_tree",
    "Iexscan_intra_sched_recursive_doubling",
    "Igather_inter_sched_long",
    "Igather_inter_sched_short",
    "Igather_intra_sched_binomial",
    "Igather_intra_tsp_tree",
    "Igatherv_allcomm_sched_linear",
    "Igatherv_allcomm_tsp_linear",
    "Ineighbor_allgather_allcomm_sched_linear",
    "Ineighbor_allgather_allcomm_tsp_linear",
    "Ineighbor_allgatherv_allcomm_sched_linear",
    "Ineighbor_allgatherv_allcomm_tsp_linear",
    "Ineighbor_alltoall_allcomm_sched_linear",
    "Ineighbor_alltoall_allcomm_tsp_linear",
    "Ineighbor_alltoallv_allcomm_sched_linear",
    "Ineighbor_alltoallv_allcomm_tsp_linear",
    "Ineighbor_alltoallw_allcomm_sched_linear",
    "Ineighbor_alltoallw_allcomm_tsp_linear",
    "Ireduce_inter_sched_local_reduce_remote_send",
    "Ireduce_intra_sched_binomial",
    "Ireduce_intra_sched_reduce_scatter_gather",
    "Ireduce_intra_sched_smp",
    "Ireduce_intra_tsp_ring",
    "Ireduce_intra_tsp_tree",
    "Ireduce_scatter_block_inter_sched_remote_reduce_local_scatterv",
    "Ireduce_scatter_block_intra_sched_noncommutative",
    "Ireduce_scatter_block_intra_sched_pairwise",
    "Ireduce_scatter_block_intra_sched_recursive_doubling",
    "Ireduce_scatter_block_intra_sched_recursive_halving",
    "Ireduce_scatter_block_intra_tsp_recexch",
    "Ireduce_scatter_inter_sched_remote_reduce_local_scatterv",
    "Ireduce_scatter_intra_sched_noncommutative",
    "Ireduce_scatter_intra_sched_pairwise",
    "Ireduce_scatter_intra_sched_recursive_doubling",
    "Ireduce_scatter_intra_sched_recursive_halving",
    "Ireduce_scatter_intra_tsp_recexch",
    "Iscan_intra_sched_recursive_doubling",
    "Iscan_intra_sched_smp",
    "Iscan_intra_tsp_recursive_doubling",
    "Iscatter_inter_sched_linear",
    "Iscatter_inter_sched_remote_send_local_scatter",
    "Iscatter_intra_sched_binomial",
    "Iscatter_intra_tsp_tree",
    "Iscatterv_allcomm_sched_linear",
    "Iscatterv_allcomm_tsp_linear",
    "Neighbor_allgather_allcomm_nb",
    "Neighbor_allgatherv_allcomm_nb",
    "Neighbor_alltoall_allcomm_nb",
    "Neighbor_alltoallv_allcomm_nb",
    "Neighbor_alltoallw_allcomm_nb",
    "Reduce_allcomm_nb",
    "Reduce_inter_local_reduce_remote_send",
    "Reduce_intra_binomial",
    "Reduce_intra_reduce_scatter_gather",
    "Reduce_intra_smp",
    "Reduce_scatter_allcomm_nb",
    "Reduce_scatter_block_allcomm_nb",
    "Reduce_scatter_block_inter_remote_reduce_local_scatter",
    "Reduce_scatter_block_intra_noncommutative",
    "Reduce_scatter_block_intra_pairwise",
    "Reduce_scatter_block_intra_recursive_doubling",
    "Reduce_scatter_block_intra_recursive_halving",
    "Reduce_scatter_inter_remote_reduce_local_scatter",
    "Reduce_scatter_intra_noncommutative",
    "Reduce_scatter_intra_pairwise",
    "Reduce_scatter_intra_recursive_doubling",
    "Reduce_scatter_intra_recursive_halving",
    "Scan_allcomm_nb",
    "Scan_intra_recursive_doubling",
    "Scan_intra_smp",
    "Scatter_allcomm_nb",
    "Scatter_inter_linear",
    "Scatter_inter_remote_send_local_scatter",
    "Scatter_intra_binomial",
    "Scatterv_allcomm_linear",
    "Scatterv_allcomm_nb",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Library, mpich};

    #[test]
    fn names_are_sorted_for_the_search() {
        assert!(SHARED.is_sorted() && UNTIL_5_0.is_sorted() && SINCE_5_0.is_sorted());
    }

    #[test]
    fn the_catalogue_of_algorithms_agrees_with_the_reader() {
        for collective in Library::Mpich.collectives() {
            assert!(is_collective(collective.name), "{}", collective.name);
            for algorithm in collective.algorithms {
                let name = mpich::function(collective.name, algorithm.name);
                let function = find_function(&name).unwrap_or_else(|| panic!("{name} is missing"));
                for release in [None, Some(Release::new(4, 0)), Some(CHANGE)] {
                    assert_eq!(function.lack(release), algorithm.lack(release), "{name}");
                }
            }
        }
    }
}
