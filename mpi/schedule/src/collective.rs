//! Collectives whose algorithms this crate builds, or whose schedules it proves.

use std::fmt;
use std::str::FromStr;

use crate::RequestError;

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
    /// `MPI_Scatterv`.
    Scatterv,
    /// `MPI_Gatherv`.
    Gatherv,
    /// `MPI_Allgatherv`.
    Allgatherv,
    /// `MPI_Alltoallv`.
    Alltoallv,
    /// `MPI_Reduce_scatter`.
    ReduceScatter,
    /// `MPI_Scan`.
    Scan,
    /// `MPI_Exscan`.
    Exscan,
    /// An exchange whose result no standard states: what the ranks end with is not checked.
    Custom,
}

impl Collective {
    /// Every collective that has algorithms, in listing order.
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

    /// The collectives without algorithms of this crate, whose schedules are proved nevertheless.
    pub const PROVED: [Self; 8] = [
        Self::Scatterv,
        Self::Gatherv,
        Self::Allgatherv,
        Self::Alltoallv,
        Self::ReduceScatter,
        Self::Scan,
        Self::Exscan,
        Self::Custom,
    ];

    /// Returns every collective of which there can be a schedule.
    pub fn known() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(Self::PROVED)
    }

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
            Self::Scatterv => "scatterv",
            Self::Gatherv => "gatherv",
            Self::Allgatherv => "allgatherv",
            Self::Alltoallv => "alltoallv",
            Self::ReduceScatter => "reduce_scatter",
            Self::Scan => "scan",
            Self::Exscan => "exscan",
            Self::Custom => "custom",
        }
    }

    /// Returns whether the collective has a root.
    pub const fn is_rooted(self) -> bool {
        matches!(
            self,
            Self::Bcast | Self::Reduce | Self::Scatter | Self::Gather | Self::Scatterv | Self::Gatherv
        )
    }

    /// Returns whether the collective combines values with an operation.
    pub const fn is_reduction(self) -> bool {
        matches!(
            self,
            Self::Reduce
                | Self::Allreduce
                | Self::ReduceScatterBlock
                | Self::ReduceScatter
                | Self::Scan
                | Self::Exscan
        )
    }

    /// Returns how many counts a call of `comm_size` ranks has, if it has one for each rank or for each pair of ranks.
    pub fn counts(self, comm_size: u32) -> Option<usize> {
        let ranks = comm_size as usize;
        match self {
            Self::Scatterv | Self::Gatherv | Self::Allgatherv | Self::ReduceScatter => Some(ranks),
            Self::Alltoallv => Some(ranks * ranks),
            _ => None,
        }
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Collective {
    type Err = RequestError;

    fn from_str(name: &str) -> Result<Self, RequestError> {
        Self::known().find(|known| known.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::known().map(Self::name).collect();
            let message = format!("unknown collective `{name}`; the collectives are {}", known.join(", "));
            RequestError::new(message)
        })
    }
}
