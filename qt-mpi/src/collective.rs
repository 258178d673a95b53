//! Collectives whose algorithms this crate builds.

use std::fmt;
use std::str::FromStr;

/// An MPI collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Collective {
    /// `MPI_Bcast`.
    Bcast,
    /// `MPI_Reduce`.
    Reduce,
    /// `MPI_Allreduce`.
    Allreduce,
    /// `MPI_Scatter`.
    Scatter,
    /// `MPI_Gather`.
    Gather,
    /// `MPI_Allgather`.
    Allgather,
    /// `MPI_Alltoall`.
    Alltoall,
    /// `MPI_Reduce_scatter_block`.
    ReduceScatterBlock,
    /// `MPI_Barrier`.
    Barrier,
}

impl Collective {
    /// Every collective, in listing order.
    pub const ALL: [Self; 9] = [
        Self::Bcast,
        Self::Reduce,
        Self::Allreduce,
        Self::Scatter,
        Self::Gather,
        Self::Allgather,
        Self::Alltoall,
        Self::ReduceScatterBlock,
        Self::Barrier,
    ];

    /// Returns MPI's name in lower case, without the prefix `MPI_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bcast => "bcast",
            Self::Reduce => "reduce",
            Self::Allreduce => "allreduce",
            Self::Scatter => "scatter",
            Self::Gather => "gather",
            Self::Allgather => "allgather",
            Self::Alltoall => "alltoall",
            Self::ReduceScatterBlock => "reduce_scatter_block",
            Self::Barrier => "barrier",
        }
    }

    /// Returns whether the collective has a root.
    pub const fn is_rooted(self) -> bool {
        matches!(self, Self::Bcast | Self::Reduce | Self::Scatter | Self::Gather)
    }

    /// Returns whether the collective combines values with an operation.
    pub const fn is_reduction(self) -> bool {
        matches!(self, Self::Reduce | Self::Allreduce | Self::ReduceScatterBlock)
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of a name that is not the name of a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCollective(pub String);

impl fmt::Display for UnknownCollective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = Collective::ALL.iter().map(|collective| collective.name()).collect();
        write!(f, "unknown collective `{}`; the collectives are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownCollective {}

impl FromStr for Collective {
    type Err = UnknownCollective;

    fn from_str(name: &str) -> Result<Self, UnknownCollective> {
        Self::ALL
            .into_iter()
            .find(|known| known.name() == name)
            .ok_or_else(|| UnknownCollective(name.to_owned()))
    }
}
