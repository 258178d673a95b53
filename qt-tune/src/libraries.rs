//! What MPI libraries call their algorithms.
//!
//! A map may call a method as its benchmark did; a rule or a tuning file uses the library's own word. The tables here
//! bring the two together.

pub mod intel_mpi;
pub mod mpich;
pub mod nccl;
pub mod open_mpi;
pub mod ucc;

mod matching;

pub use matching::{Matching, NotMatched};

use std::fmt;

use qtdec_core::{Basis, Requirement};
pub use qtdec_mpi::catalogue::Release;

/// An MPI library whose algorithms are known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Open MPI's component `coll/tuned`.
    OpenMpi,
    /// MPICH and what descends from it.
    Mpich,
    /// NCCL and RCCL.
    Nccl,
    /// Intel MPI.
    IntelMpi,
    /// UCC's transport layer UCP.
    Ucc,
}

/// One algorithm of a library, for one collective.
#[derive(Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// What the library calls it.
    pub name: &'static str,
    /// What others call it, in `snake_case`.
    pub aliases: &'static [&'static str],
    /// Whether it heeds a segment size.
    pub segmented: bool,
    /// The first release that has it, where that is not the oldest one described here.
    pub since: Option<Release>,
    /// The first release that has it no more.
    pub until: Option<Release>,
    /// A fault that whoever forces the algorithm is warned of: a predicate, such as `corrupts data if …`.
    pub caution: Option<&'static str>,
}

/// Why a release lacks an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// This release is the first that has it.
    Before(Release),
    /// This release is the first without it.
    From(Release),
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(release) => write!(f, "{release} is the first release that has it"),
            Self::From(release) => write!(f, "{release} is the first release without it"),
        }
    }
}

/// What a library compares with the message sizes in its tuning files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Size · count, of a buffer that all ranks have alike.
    Buffer,
    /// The bytes for one peer · communicator size.
    TimesRanks,
    /// The bytes of all ranks, divided by the communicator size and rounded down.
    PerRank,
    /// The bytes of all ranks.
    Total,
    /// Nothing: message sizes make no difference.
    Nothing,
}

impl Unit {
    /// What a map of the same numbers would count.
    pub fn basis(self) -> Option<Basis> {
        match self {
            Self::Buffer => Some(Basis::Buffer),
            Self::TimesRanks | Self::Total => Some(Basis::Total),
            Self::PerRank => Some(Basis::Block),
            Self::Nothing => None,
        }
    }

    /// The unit in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Buffer => "bytes of the buffer",
            Self::TimesRanks => "bytes for one peer times ranks",
            Self::PerRank => "bytes of all ranks divided by their number",
            Self::Total => "bytes of all ranks",
            Self::Nothing => "nothing: message sizes are not looked at",
        }
    }
}

impl Library {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "Open MPI",
            Self::Mpich => "MPICH",
            Self::Nccl => "NCCL",
            Self::IntelMpi => "Intel MPI",
            Self::Ucc => "UCC",
        }
    }

    /// The algorithms for a collective; none for one that the library does not choose for.
    pub fn algorithms(self, collective: &str) -> &'static [Algorithm] {
        match self {
            Self::OpenMpi => open_mpi::algorithms(collective),
            Self::Mpich => mpich::algorithms(collective),
            Self::Nccl => nccl::algorithms(collective),
            Self::IntelMpi => intel_mpi::algorithms(collective),
            Self::Ucc => ucc::algorithms(collective),
        }
    }

    /// The algorithm of a number, where people know the library's algorithms by such.
    pub fn numbered(self, collective: &str, number: u64) -> Option<&'static Algorithm> {
        match self {
            Self::OpenMpi => open_mpi::collective(collective)?.algorithm(number),
            Self::IntelMpi => intel_mpi::algorithm(collective, number),
            Self::Ucc => ucc::algorithms(collective).get(usize::try_from(number).ok()?),
            Self::Mpich | Self::Nccl => None,
        }
    }

    /// The algorithm that goes by `name`, be it the library's word, that of another, or a function's name such as
    /// `MPIR_Bcast_intra_binomial`.
    pub fn find(self, collective: &str, name: &str) -> Option<&'static Algorithm> {
        let plain = plain(collective, name);
        let goes_by = |algorithm: &&Algorithm| {
            plain == qtdec_core::naming::snake(algorithm.name) || algorithm.aliases.contains(&&*plain)
        };
        let preset = || intel_mpi::preset(collective, name).filter(|_| self == Self::IntelMpi);
        self.algorithms(collective).iter().find(goes_by).or_else(preset)
    }
}

impl Algorithm {
    /// Returns whether a release has the algorithm; `None` stands for one that has every algorithm.
    pub fn is_in(&self, release: Option<Release>) -> bool {
        self.lack(release).is_none()
    }

    /// Returns why a release lacks the algorithm, or `None` if it has it.
    pub fn lack(&self, release: Option<Release>) -> Option<Lack> {
        let release = release?;
        let since = self.since.filter(|since| release < *since).map(Lack::Before);
        since.or_else(|| self.until.filter(|until| release >= *until).map(Lack::From))
    }

    /// What a call must be like, or it fails.
    pub fn requires(&self, library: Library, collective: &str) -> Option<Requirement> {
        match (library, collective, self.name) {
            (Library::OpenMpi, _, "two_proc") => Some(Requirement::CommSize(2)),
            (Library::Mpich, "allgather" | "allgatherv", "recursive_doubling")
            | (Library::Mpich, "bcast", "scatter_recursive_doubling_allgather")
            | (Library::Mpich, "reduce_scatter" | "reduce_scatter_block", "noncommutative") => {
                Some(Requirement::PowerOfTwo)
            }
            _ => None,
        }
    }

    const fn new(name: &'static str, aliases: &'static [&'static str]) -> Self {
        Self { name, aliases, segmented: false, since: None, until: None, caution: None }
    }

    const fn segmented(name: &'static str, aliases: &'static [&'static str]) -> Self {
        Self { segmented: true, ..Self::new(name, aliases) }
    }

    const fn since(self, major: u16, minor: u16) -> Self {
        Self { since: Some(Release::new(major, minor)), ..self }
    }

    const fn until(self, major: u16, minor: u16) -> Self {
        Self { until: Some(Release::new(major, minor)), ..self }
    }

    const fn caution(self, fault: &'static str) -> Self {
        Self { caution: Some(fault), ..self }
    }
}

/// Words before the algorithm's own name in the names of functions.
const PREFIXES: [&str; 8] = ["mpir_", "mpich_", "mpi_", "ompi_", "coll_", "base_", "tuned_", "intra_"];

/// The name in `snake_case`, without library and collective.
fn plain(collective: &str, name: &str) -> String {
    let snake = qtdec_core::naming::snake(name);
    let mut rest = &*snake;
    // MPICH's functions for the regular form go by the name of the other.
    let names = [collective, collective.strip_suffix("_block").unwrap_or(collective)];
    loop {
        let collective =
            names.iter().find_map(|name| rest.strip_prefix(name).and_then(|rest| rest.strip_prefix('_')));
        let shorter = collective.or_else(|| PREFIXES.iter().find_map(|prefix| rest.strip_prefix(prefix)));
        match shorter {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => return rest.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_algorithm_is_found_by_every_name_it_goes_by() {
        let cases = [
            (Library::OpenMpi, "bcast", "linear", Some("basic_linear")),
            (Library::OpenMpi, "bcast", "splitBinary", Some("split_binary_tree")),
            (Library::OpenMpi, "bcast", "ompi_coll_base_bcast_intra_pipeline", Some("pipeline")),
            (Library::OpenMpi, "reduce", "in-order binary", Some("in-order_binary")),
            (
                Library::OpenMpi,
                "bcast",
                "MPIR_Bcast_intra_scatter_ring_allgather",
                Some("scatter_allgather_ring"),
            ),
            (Library::Mpich, "bcast", "scatter_allgather_ring", Some("scatter_ring_allgather")),
            (Library::Mpich, "reduce_scatter_block", "MPICH_reduce_scatter_block_pairwise", Some("pairwise")),
            (Library::Mpich, "reduce_scatter_block", "MPICH_reduce_scatter_pairwise", Some("pairwise")),
            (Library::OpenMpi, "bcast", "ring", None),
            (Library::OpenMpi, "pingpong", "linear", None),
            (Library::IntelMpi, "allreduce", "nonoverlapping", Some("reduce_bcast")),
            (Library::IntelMpi, "allreduce", "preset_27", Some("preset_27")),
            (Library::IntelMpi, "allreduce", "preset_3", Some("reduce_bcast")),
            (Library::IntelMpi, "allreduce", "preset_65", None),
            (Library::IntelMpi, "pingpong", "preset_27", None),
            (Library::Ucc, "bcast", "preset_27", None),
        ];
        for (library, collective, name, expected) in cases {
            assert_eq!(library.find(collective, name).map(|found| found.name), expected, "{name}");
        }
    }

    #[test]
    fn an_algorithm_is_found_by_its_number() {
        let name = |library: Library, number| library.numbered("bcast", number).map(|found| found.name);
        assert_eq!(
            [0, 1, 14, 15, 64, 65].map(|number| name(Library::IntelMpi, number)),
            [None, Some("binomial"), Some("numa_shm_avx512"), Some("preset_15"), Some("preset_64"), None]
        );
        assert_eq!((name(Library::OpenMpi, 6), name(Library::Mpich, 1)), (Some("binomial"), None));
        assert_eq!([0, 2, 3].map(|number| name(Library::Ucc, number)), [Some("knomial"), Some("dbt"), None]);
        for number in 1..=64 {
            let found = intel_mpi::algorithm("bcast", number).expect("all are named");
            assert_eq!(intel_mpi::number_of("bcast", found), number);
        }
    }

    #[test]
    fn no_two_algorithms_of_a_collective_go_by_one_name() {
        let collectives = || {
            let open_mpi = open_mpi::COLLECTIVES.iter().map(|collective| collective.name);
            let others = intel_mpi::COLLECTIVES.iter().chain(&ucc::COLLECTIVES).map(|(name, _)| *name);
            open_mpi.chain(others)
        };
        let libraries = [Library::OpenMpi, Library::Mpich, Library::Nccl, Library::IntelMpi, Library::Ucc];
        for library in libraries {
            for collective in collectives() {
                let mut seen = std::collections::HashSet::new();
                for algorithm in library.algorithms(collective) {
                    let own = qtdec_core::naming::snake(algorithm.name);
                    for name in algorithm.aliases.iter().map(ToString::to_string).chain([own]) {
                        assert!(seen.insert(name.clone()), "{collective}: {name}");
                    }
                }
            }
        }
    }
}
