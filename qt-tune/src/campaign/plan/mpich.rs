//! MPICH 4.0: `MPIR_CVAR_…_INTRA_ALGORITHM`.
//!
//! `nb`, which goes by way of the nonblocking call, is no algorithm of its own.
//!
//! With `MPIR_CVAR_COLLECTIVE_FALLBACK=error` an algorithm that cannot run ends the program instead of giving way.

use super::library::{Algorithm, LeftOut, Library, Need, Segments};

use Need::{Commutative, CountAtLeastCommSize, PowerOfTwo};

/// MPICH.
#[derive(Debug)]
pub(super) struct Mpich;

const fn algorithm(name: &'static str, needs: &'static [Need]) -> Algorithm {
    Algorithm { name, id: 0, segments: Segments::None, needs }
}

const COLLECTIVES: [(&str, &[Algorithm]); 12] = [
    (
        "allgather",
        &[algorithm("brucks", &[]), algorithm("recursive_doubling", &[PowerOfTwo]), algorithm("ring", &[])],
    ),
    (
        "allgatherv",
        &[algorithm("brucks", &[]), algorithm("recursive_doubling", &[PowerOfTwo]), algorithm("ring", &[])],
    ),
    (
        "allreduce",
        &[
            algorithm("recursive_doubling", &[]),
            algorithm("reduce_scatter_allgather", &[CountAtLeastCommSize, Commutative]),
        ],
    ),
    ("alltoall", &[algorithm("brucks", &[]), algorithm("pairwise", &[]), algorithm("scattered", &[])]),
    ("alltoallv", &[algorithm("scattered", &[])]),
    ("barrier", &[algorithm("dissemination", &[])]),
    (
        "bcast",
        &[
            algorithm("binomial", &[]),
            algorithm("scatter_recursive_doubling_allgather", &[PowerOfTwo]),
            algorithm("scatter_ring_allgather", &[]),
        ],
    ),
    ("gather", &[algorithm("binomial", &[])]),
    (
        "reduce",
        &[
            algorithm("binomial", &[]),
            algorithm("reduce_scatter_gather", &[CountAtLeastCommSize, Commutative]),
        ],
    ),
    ("reduce_scatter", REDUCE_SCATTER),
    ("reduce_scatter_block", REDUCE_SCATTER),
    ("scatter", &[algorithm("binomial", &[])]),
];

const REDUCE_SCATTER: &[Algorithm] = &[
    algorithm("noncommutative", &[PowerOfTwo]),
    algorithm("pairwise", &[Commutative]),
    algorithm("recursive_doubling", &[]),
    algorithm("recursive_halving", &[Commutative]),
];

const SMP: &str =
    "it calls the collective on parts of the communicator, where it is forced as well and cannot run";
const IN_PLACE: &str = "it is for buffers in place, which no benchmark measures";

const fn left_out(collective: &'static str, algorithm: &'static str, why: &'static str) -> LeftOut {
    LeftOut { collective, algorithm: Some(algorithm), why }
}

const LEFT_OUT: [LeftOut; 6] = [
    left_out("allreduce", "smp", SMP),
    left_out("alltoall", "pairwise_sendrecv_replace", IN_PLACE),
    left_out("alltoallv", "pairwise_sendrecv_replace", IN_PLACE),
    left_out("barrier", "smp", SMP),
    left_out("bcast", "smp", SMP),
    left_out("reduce", "smp", SMP),
];

impl Library for Mpich {
    fn name(&self) -> &'static str {
        "mpich"
    }

    fn title(&self) -> &'static str {
        "MPICH (4.0)"
    }

    fn collectives(&self) -> Vec<&'static str> {
        COLLECTIVES.iter().map(|(name, _)| *name).collect()
    }

    fn algorithms(&self, collective: &str) -> &'static [Algorithm] {
        COLLECTIVES.iter().find(|(name, _)| *name == collective).map_or(&[], |(_, algorithms)| algorithms)
    }

    fn left_out(&self) -> &'static [LeftOut] {
        &LEFT_OUT
    }

    fn switches(&self) -> &'static [&'static str] {
        &["MPIR_CVAR_DEVICE_COLLECTIVES=none"]
    }

    fn force(&self, collective: &str, algorithm: &Algorithm, _segment: u64) -> Vec<String> {
        // Benchmarks call reductions of a few elements themselves, to gather their times: there, an algorithm that needs
        // more gives way, and says so. Its own messages are large enough.
        let needs_elements = algorithm.needs.contains(&CountAtLeastCommSize);
        let fallback = if needs_elements { "print" } else { "error" };
        vec![
            format!("MPIR_CVAR_COLLECTIVE_FALLBACK={fallback}"),
            format!("MPIR_CVAR_{}_INTRA_ALGORITHM={}", collective.to_uppercase(), algorithm.name),
        ]
    }
}
