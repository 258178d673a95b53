//! MPICH 4.0: `MPIR_CVAR_…_INTRA_ALGORITHM`.
//!
//! Left out are `nb`, which goes by way of the nonblocking call, the exchange in place, which no benchmark asks for, and
//! `smp`: it calls the collective again on parts of the communicator, where it is forced as well and cannot run.
//!
//! With `MPIR_CVAR_COLLECTIVE_FALLBACK=error` an algorithm that cannot run ends the program instead of giving way.

use super::library::{Algorithm, Library, Need, Segments};

use Need::{Commutative, CountAtLeastCommSize, PowerOfTwo};

/// MPICH.
#[derive(Debug)]
pub(super) struct Mpich;

const fn algorithm(name: &'static str, needs: &'static [Need]) -> Algorithm {
    Algorithm { name, id: 0, segments: Segments::None, needs }
}

const COLLECTIVES: [(&str, &[Algorithm]); 8] = [
    (
        "allgather",
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
    ("barrier", &[algorithm("dissemination", &[])]),
    (
        "bcast",
        &[
            algorithm("binomial", &[]),
            algorithm("scatter_recursive_doubling_allgather", &[PowerOfTwo]),
            algorithm("scatter_ring_allgather", &[]),
        ],
    ),
    (
        "reduce",
        &[
            algorithm("binomial", &[]),
            algorithm("reduce_scatter_gather", &[CountAtLeastCommSize, Commutative]),
        ],
    ),
    ("reduce_scatter", REDUCE_SCATTER),
    ("reduce_scatter_block", REDUCE_SCATTER),
];

const REDUCE_SCATTER: &[Algorithm] = &[
    algorithm("noncommutative", &[PowerOfTwo]),
    algorithm("pairwise", &[Commutative]),
    algorithm("recursive_doubling", &[]),
    algorithm("recursive_halving", &[Commutative]),
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
