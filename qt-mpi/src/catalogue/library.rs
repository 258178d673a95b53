//! Libraries, and the collectives that they choose algorithms for.

use qtdec_core::naming::snake;

use super::names::plain;
use super::{Algorithm, SizeUnit, intel_mpi, mpich, nccl, open_mpi, ucc};

/// A library whose algorithms are known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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

/// A collective for which a library chooses among algorithms.
#[derive(Debug)]
pub struct TunedCollective {
    /// MPI's name in lower case.
    pub name: &'static str,
    /// The word that the library's tuning files have for it.
    pub word: &'static str,
    /// The number that its tuning files have for it, where they have such.
    pub number: Option<u8>,
    /// What the library compares with message sizes.
    pub unit: SizeUnit,
    /// The algorithms, by their numbers if they have such.
    pub algorithms: &'static [Algorithm],
}

impl TunedCollective {
    /// Returns the algorithm of a number.
    pub fn algorithm(&self, number: u64) -> Option<&'static Algorithm> {
        self.algorithms.iter().find(|algorithm| algorithm.number == Some(number))
    }

    pub(super) const fn new(
        (name, word): (&'static str, &'static str),
        unit: SizeUnit,
        algorithms: &'static [Algorithm],
    ) -> Self {
        Self { name, word, number: None, unit, algorithms }
    }
}

impl Library {
    /// Every library.
    pub const ALL: [Self; 5] = [Self::OpenMpi, Self::Mpich, Self::Nccl, Self::IntelMpi, Self::Ucc];

    /// Returns its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "Open MPI",
            Self::Mpich => "MPICH",
            Self::Nccl => "NCCL",
            Self::IntelMpi => "Intel MPI",
            Self::Ucc => "UCC",
        }
    }

    /// Returns the collectives that it chooses algorithms for.
    pub fn collectives(self) -> &'static [TunedCollective] {
        match self {
            Self::OpenMpi => open_mpi::COLLECTIVES,
            Self::Mpich => mpich::COLLECTIVES,
            Self::Nccl => nccl::COLLECTIVES,
            Self::IntelMpi => intel_mpi::COLLECTIVES,
            Self::Ucc => ucc::COLLECTIVES,
        }
    }

    /// Returns the collective by MPI's name in lower case.
    pub fn collective(self, name: &str) -> Option<&'static TunedCollective> {
        self.collectives().iter().find(|collective| collective.name == name)
    }

    /// Returns the collective by the word that tuning files have for it.
    pub fn collective_by_word(self, word: &str) -> Option<&'static TunedCollective> {
        self.collectives().iter().find(|collective| collective.word == word)
    }

    /// Returns the algorithms for a collective; none for one that the library does not choose for.
    pub fn algorithms(self, collective: &str) -> &'static [Algorithm] {
        self.collective(collective).map_or(&[], |collective| collective.algorithms)
    }

    /// Returns what the library compares with the message sizes of a collective.
    pub fn unit(self, collective: &str) -> SizeUnit {
        self.collective(collective).map_or(SizeUnit::Nothing, |collective| collective.unit)
    }

    /// Returns the algorithm of a number, where people know the library's algorithms by such.
    pub fn numbered(self, collective: &str, number: u64) -> Option<&'static Algorithm> {
        let known = self.collective(collective)?;
        let preset = || intel_mpi::preset(number).filter(|_| self == Self::IntelMpi);
        known.algorithm(number).or_else(preset)
    }

    /// Returns the algorithm that goes by `name`, be it the library's word, that of another, or a function's name such
    /// as `MPIR_Bcast_intra_binomial`.
    pub fn find(self, collective: &str, name: &str) -> Option<&'static Algorithm> {
        let plain = plain(collective, name);
        let goes_by =
            |algorithm: &&Algorithm| plain == snake(algorithm.name) || algorithm.aliases.contains(&&*plain);
        let preset = || match self {
            Self::IntelMpi => self.numbered(collective, intel_mpi::preset_number(name)?),
            _ => None,
        };
        self.algorithms(collective).iter().find(goes_by).or_else(preset)
    }
}
