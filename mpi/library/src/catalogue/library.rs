//! The list of libraries.

use super::{Algorithm, SizeUnit, TunedCollective, intel_mpi, mpich, open_mpi};

/// A library with named algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Library {
    /// Open MPI's component `coll/tuned`.
    OpenMpi,
    /// MPICH and its derivatives.
    Mpich,
    /// Intel MPI.
    IntelMpi,
}

impl Library {
    /// Every library.
    pub const ALL: [Self; 3] = [Self::OpenMpi, Self::Mpich, Self::IntelMpi];

    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenMpi => "Open MPI",
            Self::Mpich => "MPICH",
            Self::IntelMpi => "Intel MPI",
        }
    }

    /// Returns the collectives for which the library chooses algorithms.
    pub fn collectives(self) -> &'static [TunedCollective] {
        match self {
            Self::OpenMpi => open_mpi::COLLECTIVES,
            Self::Mpich => mpich::COLLECTIVES,
            Self::IntelMpi => intel_mpi::COLLECTIVES,
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

    /// Returns whether rules leave calls with operations of the program to the library: a file of MPICH can tell them from others.
    pub fn spares_operations_of_programs(self, collective: &str) -> bool {
        self == Self::Mpich && ["reduce", "allreduce"].contains(&collective)
    }

    /// Returns whether rules of the library test one size at most: [`PRESETS_OF`](intel_mpi::PRESETS_OF) ignores the message sizes of rules
    /// that also test processes.
    pub fn tests_one_size(self) -> bool {
        self == Self::IntelMpi
    }

    /// Returns the algorithm with a number, if the library's users refer to algorithms by number.
    pub fn numbered(self, collective: &str, number: u64) -> Option<&'static Algorithm> {
        let known = self.collective(collective)?;
        let preset = || intel_mpi::preset(number).filter(|_| self == Self::IntelMpi);
        known.algorithm(number).or_else(preset)
    }

    /// Returns the algorithms of a collective that divide the ranks among the nodes, in a part of the library that comes before the one
    /// whose algorithms [`algorithms`](Self::algorithms) lists: Open MPI's component HAN, or MPICH's device CH4.
    pub fn algorithms_by_nodes(self, collective: &str) -> &'static [Algorithm] {
        match self {
            Self::OpenMpi => open_mpi::han::algorithms(collective),
            Self::Mpich => mpich::ch4::algorithms(collective),
            Self::IntelMpi => &[],
        }
    }

    /// Returns the algorithm called `name`, as [`TunedCollective::find`] does, a preset of the library, or one of
    /// [`algorithms_by_nodes`](Self::algorithms_by_nodes).
    pub fn find(self, collective: &str, name: &str) -> Option<&'static Algorithm> {
        let number = || intel_mpi::preset_number(name).filter(|_| self == Self::IntelMpi);
        let preset = || self.numbered(collective, number()?);
        let by_nodes = || self.algorithms_by_nodes(collective).iter().find(|known| known.name == name);
        self.collective(collective)?.find(name).or_else(preset).or_else(by_nodes)
    }
}
