//! Intel MPI: the algorithms of the variables `I_MPI_ADJUST_…`.
//!
//! The numbers are those of the Developer Reference, "`I_MPI_ADJUST` Family Environment Variables", of the releases 2019
//! and 2020. Since 2021.8 that page describes presets, of which there are more than algorithms, and the page of 2021.14 no
//! longer numbers its lists: `impi_info` lists the presets of an installation. A preset that the lists do not name is
//! called `preset_27` here.
//!
//! Checked against copies of the page: allgather, allgatherv, allreduce, alltoall, alltoallv and bcast; and, as far as the
//! older references of 4.1 and 5.1 go, barrier and reduce (1 to 6), `reduce_scatter`, gather and scatter (1 to 3). No copy
//! was available of the other lists or of the table of message sizes.

use super::When::Always;
use super::algorithm::algorithm;
use super::{Algorithm, SizeUnit, TunedCollective};

/// Blocking collectives and the suffixes of their variables. The units are those of the table of message sizes on the same
/// page, which omits the sizes of some collectives. Release 2021.18.1 was seen to compare these, with one block for allgatherv.
pub const COLLECTIVES: &[TunedCollective] = &[
    collective(("allgather", "ALLGATHER"), SizeUnit::PerRank, 6, ALLGATHER),
    collective(("allgatherv", "ALLGATHERV"), SizeUnit::PerRank, 5, ALLGATHERV),
    collective(("allreduce", "ALLREDUCE"), SizeUnit::Buffer, 32, ALLREDUCE),
    collective(("alltoall", "ALLTOALL"), SizeUnit::PerRank, 18, ALLTOALL),
    collective(("alltoallv", "ALLTOALLV"), SizeUnit::Nothing, 9, ALLTOALLV),
    collective(("barrier", "BARRIER"), SizeUnit::Nothing, 11, BARRIER),
    collective(("bcast", "BCAST"), SizeUnit::Buffer, 22, BCAST),
    collective(("exscan", "EXSCAN"), SizeUnit::Buffer, 3, EXSCAN),
    collective(("gather", "GATHER"), SizeUnit::PerRank, 5, GATHER),
    collective(("gatherv", "GATHERV"), SizeUnit::Nothing, 4, GATHERV),
    collective(("reduce", "REDUCE"), SizeUnit::Buffer, 19, REDUCE),
    collective(("reduce_scatter", "REDUCE_SCATTER"), SizeUnit::Total, 6, REDUCE_SCATTER),
    collective(("scan", "SCAN"), SizeUnit::Buffer, 3, SCAN),
    collective(("scatter", "SCATTER"), SizeUnit::PerRank, 5, SCATTER),
    collective(("scatterv", "SCATTERV"), SizeUnit::Nothing, 4, SCATTERV),
];

const fn collective(
    names: (&'static str, &'static str),
    unit: SizeUnit,
    last_preset: u64,
    algorithms: &'static [Algorithm],
) -> TunedCollective {
    TunedCollective { last_preset: Some(last_preset), ..TunedCollective::new(names, unit, algorithms) }
}

/// Returns the preset with a number, for any collective that has a variable.
pub(super) fn preset(number: u64) -> Option<&'static Algorithm> {
    PRESETS.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

/// The release whose presets are known.
pub const PRESETS_OF: &str = "2021.18.1";

/// Returns the greatest preset of a collective in that release, which ignores greater numbers: `impi_info -v I_MPI_ADJUST_BCAST` of the wheel
/// `impi-rt` prints `range: 0-22`.
pub fn last_preset(collective: &str) -> Option<u64> {
    COLLECTIVES.iter().find(|known| known.name == collective)?.last_preset
}

/// Returns the number of a preset from its name, such as `preset_27`.
pub(super) fn preset_number(name: &str) -> Option<u64> {
    name.strip_prefix("preset_")?.parse().ok()
}

macro_rules! presets {
    ($($number:literal)*) => { [$(algorithm($number, concat!("preset_", $number), &[])),*] };
}

/// The presets that have a name.
const PRESETS: [Algorithm; 64] = presets![
    1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
    33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
];

const ALLGATHER: &[Algorithm] = &[
    algorithm(1, "recursive_doubling", &["rec_doubling", "rdb"]),
    algorithm(2, "bruck", &["brucks"]),
    algorithm(3, "ring", &[]),
    algorithm(4, "topology_aware_gatherv_bcast", &[]),
    algorithm(5, "knomial", &["k_nomial"]),
];

const ALLGATHERV: &[Algorithm] = &[
    algorithm(1, "recursive_doubling", &["rec_doubling", "rdb"]),
    algorithm(2, "bruck", &["brucks"]),
    algorithm(3, "ring", &[]),
    algorithm(4, "topology_aware_gatherv_bcast", &[]),
];

const ALLREDUCE: &[Algorithm] = &[
    algorithm(1, "recursive_doubling", &["rec_doubling", "rdb"]),
    algorithm(2, "rabenseifner", &["reduce_scatter_allgather"]).cuts(Always),
    algorithm(3, "reduce_bcast", &["nonoverlapping", "non_overlapping"]),
    algorithm(4, "topology_aware_reduce_bcast", &[]),
    algorithm(5, "binomial_gather_scatter", &[]),
    algorithm(6, "topology_aware_binomial_gather_scatter", &[]),
    algorithm(7, "shumilin_ring", &[]).cuts(Always),
    algorithm(8, "ring", &[]).cuts(Always),
    algorithm(9, "knomial", &["k_nomial"]),
    algorithm(10, "shm_flat", &["topology_aware_shm_based_flat"]),
    algorithm(11, "shm_knomial", &["topology_aware_shm_based_knomial"]),
    algorithm(12, "shm_knary", &["topology_aware_shm_based_knary"]),
];

const ALLTOALL: &[Algorithm] = &[
    algorithm(1, "bruck", &["brucks", "modified_bruck"]),
    algorithm(2, "isend_irecv_waitall", &["linear", "basic_linear", "scattered"]),
    algorithm(3, "pairwise", &["pairwise_exchange", "pair_wise_exchange"]),
    algorithm(4, "plum", &["plums"]),
];

const ALLTOALLV: &[Algorithm] = &[
    algorithm(1, "isend_irecv_waitall", &["linear", "basic_linear", "scattered"]),
    algorithm(2, "plum", &["plums"]),
];

const BARRIER: &[Algorithm] = &[
    algorithm(1, "dissemination", &["bruck", "brucks"]),
    algorithm(2, "recursive_doubling", &["rec_doubling", "rdb"]),
    algorithm(3, "topology_aware_dissemination", &[]),
    algorithm(4, "topology_aware_recursive_doubling", &[]),
    algorithm(5, "binomial_gather_scatter", &[]),
    algorithm(6, "topology_aware_binomial_gather_scatter", &[]),
    algorithm(7, "shm_flat", &["topology_aware_shm_based_flat"]),
    algorithm(8, "shm_knomial", &["topology_aware_shm_based_knomial"]),
    algorithm(9, "shm_knary", &["topology_aware_shm_based_knary"]),
];

const BCAST: &[Algorithm] = &[
    algorithm(1, "binomial", &["binomial_tree"]),
    algorithm(2, "recursive_doubling", &["rec_doubling", "rdb"]),
    algorithm(3, "ring", &[]),
    algorithm(4, "topology_aware_binomial", &[]),
    algorithm(5, "topology_aware_recursive_doubling", &[]),
    algorithm(6, "topology_aware_ring", &[]),
    algorithm(7, "shumilin", &["shumilins"]),
    algorithm(8, "knomial", &["k_nomial", "knomial_tree"]),
    algorithm(9, "shm_flat", &["topology_aware_shm_based_flat"]),
    algorithm(10, "shm_knomial", &["topology_aware_shm_based_knomial"]),
    algorithm(11, "shm_knary", &["topology_aware_shm_based_knary"]),
    algorithm(12, "numa_shm_sse4", &["numa_aware_shm_based_sse4_2"]),
    algorithm(13, "numa_shm_avx2", &["numa_aware_shm_based_avx2"]),
    algorithm(14, "numa_shm_avx512", &["numa_aware_shm_based_avx512"]),
];

const EXSCAN: &[Algorithm] =
    &[algorithm(1, "partial_results_gathering", &[]), algorithm(2, "layout_partial_results_gathering", &[])];

const GATHER: &[Algorithm] = &[
    algorithm(1, "binomial", &["binomial_tree"]),
    algorithm(2, "topology_aware_binomial", &[]),
    algorithm(3, "shumilin", &["shumilins"]),
    algorithm(4, "segmented_binomial", &["binomial_with_segmentation"]),
];

const GATHERV: &[Algorithm] = &[
    algorithm(1, "linear", &["basic_linear"]),
    algorithm(2, "topology_aware_linear", &[]),
    algorithm(3, "knomial", &["k_nomial"]),
];

const REDUCE: &[Algorithm] = &[
    algorithm(1, "shumilin", &["shumilins"]),
    algorithm(2, "binomial", &["binomial_tree"]),
    algorithm(3, "topology_aware_shumilin", &[]),
    algorithm(4, "topology_aware_binomial", &[]),
    algorithm(5, "rabenseifner", &["reduce_scatter_gather", "scatter_gather"]).cuts(Always),
    algorithm(6, "topology_aware_rabenseifner", &[]).cuts(Always),
    algorithm(7, "knomial", &["k_nomial", "knomial_tree"]),
    algorithm(8, "shm_flat", &["topology_aware_shm_based_flat"]),
    algorithm(9, "shm_knomial", &["topology_aware_shm_based_knomial"]),
    algorithm(10, "shm_knary", &["topology_aware_shm_based_knary"]),
    algorithm(11, "shm_binomial", &["topology_aware_shm_based_binomial"]),
];

const REDUCE_SCATTER: &[Algorithm] = &[
    algorithm(1, "recursive_halving", &["rec_halving"]).cuts(Always),
    algorithm(2, "pairwise", &["pairwise_exchange", "pair_wise_exchange"]).cuts(Always),
    algorithm(3, "recursive_doubling", &["rec_doubling", "rdb"]).cuts(Always),
    algorithm(4, "reduce_scatterv", &["nonoverlapping", "non_overlapping"]),
    algorithm(5, "topology_aware_reduce_scatterv", &[]),
];

const SCAN: &[Algorithm] = &[
    algorithm(1, "partial_results_gathering", &[]),
    algorithm(2, "topology_aware_partial_results_gathering", &[]),
];

const SCATTER: &[Algorithm] = &[
    algorithm(1, "binomial", &["binomial_tree"]),
    algorithm(2, "topology_aware_binomial", &[]),
    algorithm(3, "shumilin", &["shumilins"]),
];

const SCATTERV: &[Algorithm] =
    &[algorithm(1, "linear", &["basic_linear"]), algorithm(2, "topology_aware_linear", &[])];
