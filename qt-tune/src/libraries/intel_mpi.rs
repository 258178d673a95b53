//! Intel MPI: the algorithms of the variables `I_MPI_ADJUST_…`.
//!
//! Numbers are those of the lists in the Developer Reference, "`I_MPI_ADJUST` Family Environment Variables", of the releases
//! 2019 and 2020. From 2021.8 on that page speaks of presets, of which there are more than algorithms, and that of 2021.14
//! numbers its lists no longer: `impi_info` tells those of an installation. A preset that the lists do not name is
//! `preset_27` here.
//!
//! Held against copies of the page: allgather, allgatherv, allreduce, alltoall, alltoallv and bcast; and, as far as the
//! older references of 4.1 and 5.1 go, barrier and reduce (1 to 6), `reduce_scatter`, gather and scatter (1 to 3). There was no
//! copy of the rest of the lists, nor of the table of message sizes.

use super::{Algorithm, Unit};

/// What the variables compare with their message sizes: the table of message sizes on the same page, which leaves the
/// sizes of some collectives out.
pub fn unit(collective: &str) -> Unit {
    match collective {
        "allgather" | "alltoall" | "gather" | "scatter" => Unit::PerRank,
        "allgatherv" | "reduce_scatter" => Unit::Total,
        "allreduce" | "bcast" | "exscan" | "reduce" | "scan" => Unit::Buffer,
        _ => Unit::Nothing,
    }
}

/// Blocking collectives by MPI's name, and the end of their variables.
pub const COLLECTIVES: [(&str, &str); 15] = [
    ("allgather", "ALLGATHER"),
    ("allgatherv", "ALLGATHERV"),
    ("allreduce", "ALLREDUCE"),
    ("alltoall", "ALLTOALL"),
    ("alltoallv", "ALLTOALLV"),
    ("barrier", "BARRIER"),
    ("bcast", "BCAST"),
    ("exscan", "EXSCAN"),
    ("gather", "GATHER"),
    ("gatherv", "GATHERV"),
    ("reduce", "REDUCE"),
    ("reduce_scatter", "REDUCE_SCATTER"),
    ("scan", "SCAN"),
    ("scatter", "SCATTER"),
    ("scatterv", "SCATTERV"),
];

/// The algorithms for a collective, by their numbers from 1 on.
pub fn algorithms(collective: &str) -> &'static [Algorithm] {
    match collective {
        "allgather" => &ALLGATHER,
        "allgatherv" => &ALLGATHERV,
        "allreduce" => &ALLREDUCE,
        "alltoall" => &ALLTOALL,
        "alltoallv" => &ALLTOALLV,
        "barrier" => &BARRIER,
        "bcast" => &BCAST,
        "exscan" => &EXSCAN,
        "gather" => &GATHER,
        "gatherv" => &GATHERV,
        "reduce" => &REDUCE,
        "reduce_scatter" => &REDUCE_SCATTER,
        "scan" => &SCAN,
        "scatter" => &SCATTER,
        "scatterv" => &SCATTERV,
        _ => &[],
    }
}

/// The algorithm of a number, or the preset.
pub fn algorithm(collective: &str, number: u64) -> Option<&'static Algorithm> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    match algorithms(collective) {
        [] => None,
        known => known.get(index).or_else(|| PRESETS.get(index)),
    }
}

/// The number of an algorithm or preset; 0 leaves the choice to Intel MPI.
pub fn number_of(collective: &str, algorithm: &Algorithm) -> u64 {
    let position = |known: &[Algorithm]| known.iter().position(|known| known == algorithm);
    let index = position(algorithms(collective)).or_else(|| position(&PRESETS));
    index.map_or(0, |index| index as u64 + 1)
}

/// The preset of this name, such as `preset_27`: an algorithm where the lists name it.
pub(super) fn preset(collective: &str, name: &str) -> Option<&'static Algorithm> {
    algorithm(collective, name.strip_prefix("preset_")?.parse().ok()?)
}

macro_rules! presets {
    ($($number:literal)*) => { [$(Algorithm::new(concat!("preset_", $number), &[])),*] };
}

/// As many presets have a name.
const PRESETS: [Algorithm; 64] = presets![
    1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
    33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
];

const ALLGATHER: [Algorithm; 5] = [
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("bruck", &["brucks"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("topology_aware_gatherv_bcast", &[]),
    Algorithm::new("knomial", &["k_nomial"]),
];

const ALLGATHERV: [Algorithm; 4] = [
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("bruck", &["brucks"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("topology_aware_gatherv_bcast", &[]),
];

const ALLREDUCE: [Algorithm; 12] = [
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("rabenseifner", &["reduce_scatter_allgather"]),
    Algorithm::new("reduce_bcast", &["nonoverlapping", "non_overlapping"]),
    Algorithm::new("topology_aware_reduce_bcast", &[]),
    Algorithm::new("binomial_gather_scatter", &[]),
    Algorithm::new("topology_aware_binomial_gather_scatter", &[]),
    Algorithm::new("shumilin_ring", &[]),
    Algorithm::new("ring", &[]),
    Algorithm::new("knomial", &["k_nomial"]),
    Algorithm::new("shm_flat", &["topology_aware_shm_based_flat"]),
    Algorithm::new("shm_knomial", &["topology_aware_shm_based_knomial"]),
    Algorithm::new("shm_knary", &["topology_aware_shm_based_knary"]),
];

const ALLTOALL: [Algorithm; 4] = [
    Algorithm::new("bruck", &["brucks", "modified_bruck"]),
    Algorithm::new("isend_irecv_waitall", &["linear", "basic_linear", "scattered"]),
    Algorithm::new("pairwise", &["pairwise_exchange", "pair_wise_exchange"]),
    Algorithm::new("plum", &["plums"]),
];

const ALLTOALLV: [Algorithm; 2] = [
    Algorithm::new("isend_irecv_waitall", &["linear", "basic_linear", "scattered"]),
    Algorithm::new("plum", &["plums"]),
];

const BARRIER: [Algorithm; 9] = [
    Algorithm::new("dissemination", &["bruck", "brucks"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("topology_aware_dissemination", &[]),
    Algorithm::new("topology_aware_recursive_doubling", &[]),
    Algorithm::new("binomial_gather_scatter", &[]),
    Algorithm::new("topology_aware_binomial_gather_scatter", &[]),
    Algorithm::new("shm_flat", &["topology_aware_shm_based_flat"]),
    Algorithm::new("shm_knomial", &["topology_aware_shm_based_knomial"]),
    Algorithm::new("shm_knary", &["topology_aware_shm_based_knary"]),
];

const BCAST: [Algorithm; 14] = [
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("ring", &[]),
    Algorithm::new("topology_aware_binomial", &[]),
    Algorithm::new("topology_aware_recursive_doubling", &[]),
    Algorithm::new("topology_aware_ring", &[]),
    Algorithm::new("shumilin", &["shumilins"]),
    Algorithm::new("knomial", &["k_nomial", "knomial_tree"]),
    Algorithm::new("shm_flat", &["topology_aware_shm_based_flat"]),
    Algorithm::new("shm_knomial", &["topology_aware_shm_based_knomial"]),
    Algorithm::new("shm_knary", &["topology_aware_shm_based_knary"]),
    Algorithm::new("numa_shm_sse4", &["numa_aware_shm_based_sse4_2"]),
    Algorithm::new("numa_shm_avx2", &["numa_aware_shm_based_avx2"]),
    Algorithm::new("numa_shm_avx512", &["numa_aware_shm_based_avx512"]),
];

const EXSCAN: [Algorithm; 2] = [
    Algorithm::new("partial_results_gathering", &[]),
    Algorithm::new("layout_partial_results_gathering", &[]),
];

const GATHER: [Algorithm; 4] = [
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("topology_aware_binomial", &[]),
    Algorithm::new("shumilin", &["shumilins"]),
    Algorithm::new("segmented_binomial", &["binomial_with_segmentation"]),
];

const GATHERV: [Algorithm; 3] = [
    Algorithm::new("linear", &["basic_linear"]),
    Algorithm::new("topology_aware_linear", &[]),
    Algorithm::new("knomial", &["k_nomial"]),
];

const REDUCE: [Algorithm; 11] = [
    Algorithm::new("shumilin", &["shumilins"]),
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("topology_aware_shumilin", &[]),
    Algorithm::new("topology_aware_binomial", &[]),
    Algorithm::new("rabenseifner", &["reduce_scatter_gather", "scatter_gather"]),
    Algorithm::new("topology_aware_rabenseifner", &[]),
    Algorithm::new("knomial", &["k_nomial", "knomial_tree"]),
    Algorithm::new("shm_flat", &["topology_aware_shm_based_flat"]),
    Algorithm::new("shm_knomial", &["topology_aware_shm_based_knomial"]),
    Algorithm::new("shm_knary", &["topology_aware_shm_based_knary"]),
    Algorithm::new("shm_binomial", &["topology_aware_shm_based_binomial"]),
];

const REDUCE_SCATTER: [Algorithm; 5] = [
    Algorithm::new("recursive_halving", &["rec_halving"]),
    Algorithm::new("pairwise", &["pairwise_exchange", "pair_wise_exchange"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("reduce_scatterv", &["nonoverlapping", "non_overlapping"]),
    Algorithm::new("topology_aware_reduce_scatterv", &[]),
];

const SCAN: [Algorithm; 2] = [
    Algorithm::new("partial_results_gathering", &[]),
    Algorithm::new("topology_aware_partial_results_gathering", &[]),
];

const SCATTER: [Algorithm; 3] = [
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("topology_aware_binomial", &[]),
    Algorithm::new("shumilin", &["shumilins"]),
];

const SCATTERV: [Algorithm; 2] =
    [Algorithm::new("linear", &["basic_linear"]), Algorithm::new("topology_aware_linear", &[])];
