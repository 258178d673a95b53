//! MPICH: the blocking algorithms within one communicator.
//!
//! The list is that of release 4.0.2; later additions and removals are marked. No algorithm of 4.0 takes a segment size. `nb` is
//! not listed: it only calls the nonblocking collective.

pub mod ch4;
pub mod compositions;
pub mod device;
pub mod functions;
pub mod parameters;
pub mod restrictions;

use super::Need::{
    BuiltIn, Commutative, CountAtLeastPowerOfTwo, EqualBlocks, Hierarchy, InPlace, OutOfPlace, PowerOfTwo,
};
use super::Segments::Optional;
use super::When::{Always, WithSegments};
use super::{Algorithm, Need, SizeUnit, TunedCollective};
use parameters::FAN_OUT;

/// The collectives whose algorithm a selection file can choose.
pub const COLLECTIVES: &[TunedCollective] = &[
    collective("allgather", SizeUnit::TimesRanks, ALLGATHER),
    collective("allgatherv", SizeUnit::Total, ALLGATHERV),
    collective("allreduce", SizeUnit::Buffer, ALLREDUCE),
    collective("alltoall", SizeUnit::PerRank, ALLTOALL),
    collective("alltoallv", SizeUnit::Nothing, ALLTOALLV),
    collective("barrier", SizeUnit::Nothing, BARRIER),
    collective("bcast", SizeUnit::Buffer, BCAST),
    collective("gather", SizeUnit::TimesRanks, BINOMIAL),
    collective("reduce", SizeUnit::Buffer, REDUCE),
    collective("reduce_scatter", SizeUnit::Total, REDUCE_SCATTER),
    collective("reduce_scatter_block", SizeUnit::Total, REDUCE_SCATTER_BLOCK),
    collective("scatter", SizeUnit::TimesRanks, BINOMIAL),
];

const fn collective(name: &'static str, unit: SizeUnit, algorithms: &'static [Algorithm]) -> TunedCollective {
    TunedCollective::new((name, name), unit, algorithms)
}

/// Returns the key with which a selection file compares message sizes in this unit.
pub fn size_key(unit: SizeUnit) -> &'static str {
    match unit {
        SizeUnit::Buffer | SizeUnit::PerRank => "avg_msg_size",
        SizeUnit::TimesRanks | SizeUnit::Total | SizeUnit::Nothing => "total_msg_size",
    }
}

/// Returns the function name used in a selection file, such as `MPIR_Bcast_intra_binomial`.
pub fn function(collective: &str, algorithm: &str) -> String {
    let mut capital = collective.to_owned();
    capital[..1].make_ascii_uppercase();
    format!("MPIR_{capital}_intra_{algorithm}")
}

/// The reason why `smp` is not measured.
const SMP: &str =
    "it calls the collective on parts of the communicator, where it is forced as well and cannot run";

/// The reason why exchanges in place are not measured.
const IN_PLACE: &str = "it is for buffers in place, which no benchmark measures";

const ALLGATHER: &[Algorithm] = &[
    Algorithm::new("brucks", &["bruck"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]).fails_without(&[PowerOfTwo]),
    Algorithm::new("ring", &[]),
    Algorithm::new("k_brucks", &[]).since(5, 0).fan_out(FAN_OUT),
    Algorithm::new("recexch_doubling", &[]).since(5, 0).fan_out(FAN_OUT),
    Algorithm::new("recexch_halving", &[]).since(5, 0).fan_out(FAN_OUT),
];

const ALLGATHERV: &[Algorithm] = &[
    Algorithm::new("brucks", &["bruck"]),
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]).fails_without(&[PowerOfTwo]),
    Algorithm::new("ring", &[]),
];

const ALLREDUCE: &[Algorithm] = &[
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]),
    Algorithm::new("reduce_scatter_allgather", &["rabenseifner"]).cuts(Always).needs(REDUCE_SCATTER_NEEDS),
    Algorithm::new("smp", &[]).needs(&[Hierarchy, Commutative]).unmeasured(SMP),
    Algorithm::new("recursive_multiplying", &[]).needs(&[Commutative]).since(5, 0).fan_out(FAN_OUT),
    Algorithm::new("tree", &[]).cuts(WithSegments).since(5, 0).fan_out(FAN_OUT).segments(Optional),
    Algorithm::new("recexch", &[]).since(5, 0).fan_out(FAN_OUT),
    Algorithm::new("ring", &[]).cuts(Always).needs(&[Commutative]).since(5, 0),
    Algorithm::new("k_reduce_scatter_allgather", &[])
        .cuts(Always)
        .needs(&[Commutative])
        .since(5, 0)
        .fan_out(FAN_OUT),
];

const ALLTOALL: &[Algorithm] = &[
    Algorithm::new("brucks", &["bruck", "modified_bruck"]).needs(&[OutOfPlace]),
    Algorithm::new("pairwise", &["pairwise_exchange"]).needs(&[OutOfPlace]),
    Algorithm::new("pairwise_sendrecv_replace", &[]).needs(&[InPlace]).unmeasured(IN_PLACE),
    Algorithm::new("scattered", &["linear", "basic_linear"]).needs(&[OutOfPlace]),
    Algorithm::new("k_brucks", &[]).needs(&[OutOfPlace]).since(5, 0).fan_out(FAN_OUT),
];

const ALLTOALLV: &[Algorithm] = &[
    Algorithm::new("pairwise_sendrecv_replace", &[]).needs(&[InPlace]).unmeasured(IN_PLACE),
    Algorithm::new("scattered", &["linear", "basic_linear"]).needs(&[OutOfPlace]),
];

const BARRIER: &[Algorithm] = &[
    Algorithm::new("dissemination", &["bruck"]).until(5, 0),
    Algorithm::new("smp", &[]).needs(&[Hierarchy]).unmeasured(SMP),
    Algorithm::new("k_dissemination", &[]).since(5, 0).fan_out(FAN_OUT),
    Algorithm::new("recexch", &[]).since(5, 0).fan_out(FAN_OUT),
];

const BCAST: &[Algorithm] = &[
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("smp", &[]).needs(&[Hierarchy]).unmeasured(SMP),
    Algorithm::new("scatter_recursive_doubling_allgather", &["scatter_allgather", "scatter_rdb_allgather"]),
    Algorithm::new("scatter_ring_allgather", &["scatter_allgather_ring", "scatter_lr_allgather"]),
    Algorithm::new("tree", &[]).since(5, 0).fan_out(FAN_OUT),
    Algorithm::new("pipelined_tree", &[]).since(5, 0).fan_out(FAN_OUT).segments(Optional),
];

const BINOMIAL: &[Algorithm] = &[Algorithm::new("binomial", &["binomial_tree"])];

const REDUCE: &[Algorithm] = &[
    Algorithm::new("binomial", &["binomial_tree"]),
    Algorithm::new("smp", &[]).needs(&[Hierarchy, Commutative]).unmeasured(SMP),
    Algorithm::new("reduce_scatter_gather", &["rabenseifner", "scatter_gather"])
        .cuts(Always)
        .needs(REDUCE_SCATTER_NEEDS),
];

/// What the algorithm of Rabenseifner asserts.
const REDUCE_SCATTER_NEEDS: &[Need] = &[CountAtLeastPowerOfTwo, BuiltIn];

const REDUCE_SCATTER: &[Algorithm] = &[
    NONCOMMUTATIVE
        .fails_without(&[PowerOfTwo, EqualBlocks])
        .caution("ends the program where the blocks of ranks differ (an assertion of 4.0 and 5.0)"),
    PAIRWISE,
    RECURSIVE_DOUBLING,
    RECURSIVE_HALVING,
];

const REDUCE_SCATTER_BLOCK: &[Algorithm] =
    &[NONCOMMUTATIVE.fails_without(&[PowerOfTwo]), PAIRWISE, RECURSIVE_DOUBLING, RECURSIVE_HALVING];

const NONCOMMUTATIVE: Algorithm = Algorithm::new("noncommutative", &[]).cuts(Always);
const PAIRWISE: Algorithm = Algorithm::new("pairwise", &[]).cuts(Always).needs(&[Commutative]);
const RECURSIVE_DOUBLING: Algorithm =
    Algorithm::new("recursive_doubling", &["rec_doubling", "rdb"]).cuts(Always);
const RECURSIVE_HALVING: Algorithm =
    Algorithm::new("recursive_halving", &["rec_halving"]).cuts(Always).needs(&[Commutative]);
