//! Open MPI's component `coll/tuned`, 4.1 and 5.0: `ompi_info --param coll tuned --level 9`.
//!
//! What runs in an algorithm's place is in `ompi/mca/coll/base` of its source: another where the ranks are not a power of
//! two or odd, or the elements are fewer than the ranks. Operations that do not commute are not looked at there.

use super::library::{Algorithm, LeftOut, Library, Need, Segments};

use Need::{Commutative, CountAtLeastCommSize, Even, PowerOfTwo, TwoRanks};
use Segments::{Any, Needed, None as Whole};

/// Why scans are left out.
const NO_BENCHMARK: &str = "no program of the benchmarks measures it";

/// Open MPI.
#[derive(Debug)]
pub(super) struct OpenMpi;

const fn algorithm(id: u32, name: &'static str, segments: Segments, needs: &'static [Need]) -> Algorithm {
    Algorithm { name, id, segments, needs }
}

const ALLGATHER: &[Algorithm] = &[
    algorithm(1, "linear", Whole, &[]),
    algorithm(2, "bruck", Whole, &[]),
    algorithm(3, "recursive_doubling", Whole, &[PowerOfTwo]),
    algorithm(4, "ring", Whole, &[]),
    algorithm(5, "neighbor", Whole, &[Even]),
    algorithm(6, "two_proc", Whole, &[TwoRanks]),
];

// The library calls its first one `default`, which is no default here.
const ALLGATHERV: &[Algorithm] = &[
    algorithm(1, "linear", Whole, &[]),
    algorithm(2, "bruck", Whole, &[]),
    algorithm(3, "ring", Whole, &[]),
    algorithm(4, "neighbor", Whole, &[Even]),
    algorithm(5, "two_proc", Whole, &[TwoRanks]),
];

const ALLREDUCE: &[Algorithm] = &[
    algorithm(1, "basic_linear", Whole, &[]),
    algorithm(2, "nonoverlapping", Whole, &[]),
    algorithm(3, "recursive_doubling", Whole, &[]),
    algorithm(4, "ring", Whole, &[CountAtLeastCommSize, Commutative]),
    algorithm(5, "segmented_ring", Needed, &[CountAtLeastCommSize, Commutative]),
    algorithm(6, "rabenseifner", Whole, &[CountAtLeastCommSize, Commutative]),
];

const ALLTOALL: &[Algorithm] = &[
    algorithm(1, "linear", Whole, &[]),
    algorithm(2, "pairwise", Whole, &[]),
    algorithm(3, "modified_bruck", Whole, &[]),
    algorithm(4, "linear_sync", Whole, &[]),
    algorithm(5, "two_proc", Whole, &[TwoRanks]),
];

const ALLTOALLV: &[Algorithm] =
    &[algorithm(1, "basic_linear", Whole, &[]), algorithm(2, "pairwise", Whole, &[])];

const BARRIER: &[Algorithm] = &[
    algorithm(1, "linear", Whole, &[]),
    algorithm(2, "double_ring", Whole, &[]),
    algorithm(3, "recursive_doubling", Whole, &[]),
    algorithm(4, "bruck", Whole, &[]),
    algorithm(5, "two_proc", Whole, &[TwoRanks]),
    algorithm(6, "tree", Whole, &[]),
];

// The last two take a segment size and never look at it.
const BCAST: &[Algorithm] = &[
    algorithm(1, "basic_linear", Whole, &[]),
    algorithm(2, "chain", Any, &[]),
    algorithm(3, "pipeline", Any, &[]),
    algorithm(4, "split_binary_tree", Any, &[]),
    algorithm(5, "binary_tree", Any, &[]),
    algorithm(6, "binomial", Any, &[]),
    algorithm(7, "knomial", Any, &[]),
    algorithm(8, "scatter_allgather", Whole, &[CountAtLeastCommSize]),
    algorithm(9, "scatter_allgather_ring", Whole, &[CountAtLeastCommSize]),
];

const GATHER: &[Algorithm] = &[
    algorithm(1, "basic_linear", Whole, &[]),
    algorithm(2, "binomial", Whole, &[]),
    algorithm(3, "linear_sync", Any, &[]),
];

const REDUCE: &[Algorithm] = &[
    algorithm(1, "linear", Whole, &[]),
    algorithm(2, "chain", Any, &[Commutative]),
    algorithm(3, "pipeline", Any, &[Commutative]),
    algorithm(4, "binary", Any, &[Commutative]),
    algorithm(5, "binomial", Any, &[Commutative]),
    algorithm(6, "in-order_binary", Any, &[]),
    algorithm(7, "rabenseifner", Whole, &[CountAtLeastCommSize, Commutative]),
];

const REDUCE_SCATTER: &[Algorithm] = &[
    algorithm(1, "non-overlapping", Whole, &[]),
    algorithm(2, "recursive_halving", Whole, &[Commutative]),
    algorithm(3, "ring", Whole, &[Commutative]),
    algorithm(4, "butterfly", Whole, &[Commutative]),
];

const REDUCE_SCATTER_BLOCK: &[Algorithm] = &[
    algorithm(1, "basic_linear", Whole, &[]),
    algorithm(2, "recursive_doubling", Whole, &[Commutative]),
    algorithm(3, "recursive_halving", Whole, &[Commutative]),
    algorithm(4, "butterfly", Whole, &[Commutative]),
];

const SCATTER: &[Algorithm] = &[
    algorithm(1, "basic_linear", Whole, &[]),
    algorithm(2, "binomial", Whole, &[]),
    algorithm(3, "linear_nb", Whole, &[]),
];

const COLLECTIVES: [(&str, &[Algorithm]); 12] = [
    ("allgather", ALLGATHER),
    ("allgatherv", ALLGATHERV),
    ("allreduce", ALLREDUCE),
    ("alltoall", ALLTOALL),
    ("alltoallv", ALLTOALLV),
    ("barrier", BARRIER),
    ("bcast", BCAST),
    ("gather", GATHER),
    ("reduce", REDUCE),
    ("reduce_scatter", REDUCE_SCATTER),
    ("reduce_scatter_block", REDUCE_SCATTER_BLOCK),
    ("scatter", SCATTER),
];

impl Library for OpenMpi {
    fn name(&self) -> &'static str {
        "open-mpi"
    }

    fn title(&self) -> &'static str {
        "Open MPI (4.1 and 5.0)"
    }

    fn collectives(&self) -> Vec<&'static str> {
        COLLECTIVES.iter().map(|(name, _)| *name).collect()
    }

    fn algorithms(&self, collective: &str) -> &'static [Algorithm] {
        COLLECTIVES.iter().find(|(name, _)| *name == collective).map_or(&[], |(_, algorithms)| algorithms)
    }

    fn left_out(&self) -> &'static [LeftOut] {
        &[
            LeftOut { collective: "scan", algorithm: None, why: NO_BENCHMARK },
            LeftOut { collective: "exscan", algorithm: None, why: NO_BENCHMARK },
        ]
    }

    /// From 5.0 on HAN has a higher priority; HCOLL and UCC have one wherever they are built in.
    fn switches(&self) -> &'static [&'static str] {
        &[
            "OMPI_MCA_coll_han_priority=0",
            "OMPI_MCA_coll_hcoll_enable=0",
            "OMPI_MCA_coll_ucc_enable=0",
            "OMPI_MCA_coll_tuned_use_dynamic_rules=1",
        ]
    }

    fn force(&self, collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String> {
        let mut variables = vec![format!("OMPI_MCA_coll_tuned_{collective}_algorithm={}", algorithm.id)];
        if algorithm.segments != Whole {
            variables.push(format!("OMPI_MCA_coll_tuned_{collective}_algorithm_segmentsize={segment}"));
        }
        variables
    }
}
