//! Libraries, and the collectives for which they choose algorithms.

use qtdec_core::naming::snake;

use super::names::plain;
use super::{Algorithm, SizeUnit, intel_mpi, mpich, nccl, open_mpi, ucc};

/// A library with named algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Library {
    /// Open MPI's component `coll/tuned`.
    OpenMpi,
    /// MPICH and its derivatives.
    Mpich,
    /// NCCL and RCCL.
    Nccl,
    /// Intel MPI.
    IntelMpi,
    /// UCC's transport layer UCP.
    Ucc,
}

/// A collective for which a library chooses an algorithm.
#[derive(Debug)]
pub struct TunedCollective {
    /// MPI's name in lower case.
    pub name: &'static str,
    /// The name in the library's tuning files.
    pub word: &'static str,
    /// The number in the library's tuning files, if it has one.
    pub number: Option<u8>,
    /// The quantity that the library compares with message sizes.
    pub unit: SizeUnit,
    /// The algorithms, in the order of their numbers if they have numbers.
    pub algorithms: &'static [Algorithm],
}

impl TunedCollective {
    /// Returns the algorithm with a number.
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

    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "Open MPI",
            Self::Mpich => "MPICH",
            Self::Nccl => "NCCL",
            Self::IntelMpi => "Intel MPI",
            Self::Ucc => "UCC",
        }
    }

    /// Returns the collectives for which the library chooses algorithms.
    pub fn collectives(self) -> &'static [TunedCollective] {
        match self {
            Self::OpenMpi => open_mpi::COLLECTIVES,
            Self::Mpich => mpich::COLLECTIVES,
            Self::Nccl => nccl::COLLECTIVES,
            Self::IntelMpi => intel_mpi::COLLECTIVES,
            Self::Ucc => ucc::COLLECTIVES,
        }
    }

    /// Returns a collective from MPI's name in lower case.
    pub fn collective(self, name: &str) -> Option<&'static TunedCollective> {
        self.collectives().iter().find(|collective| collective.name == name)
    }

    /// Returns a collective from its name in tuning files.
    pub fn collective_by_word(self, word: &str) -> Option<&'static TunedCollective> {
        self.collectives().iter().find(|collective| collective.word == word)
    }

    /// Returns the algorithms of a collective, or an empty slice if the library does not choose its algorithm.
    pub fn algorithms(self, collective: &str) -> &'static [Algorithm] {
        self.collective(collective).map_or(&[], |collective| collective.algorithms)
    }

    /// Returns the quantity that the library compares with the message sizes of a collective.
    pub fn unit(self, collective: &str) -> SizeUnit {
        self.collective(collective).map_or(SizeUnit::Nothing, |collective| collective.unit)
    }

    /// Returns the algorithm with a number, if the library's users refer to algorithms by number.
    pub fn numbered(self, collective: &str, number: u64) -> Option<&'static Algorithm> {
        let known = self.collective(collective)?;
        let preset = || intel_mpi::preset(number).filter(|_| self == Self::IntelMpi);
        known.algorithm(number).or_else(preset)
    }

    /// Returns the algorithm called `name`: the library's name, an alias, or a function name such as
    /// `MPIR_Bcast_intra_binomial`.
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
