//! What rules of a library know of the nodes that ranks are on.

use super::Library;

/// The part of the placement of ranks on nodes that rules of a library can test.
///
/// The variants are complete: code that writes rules must handle each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Nothing, for this reason.
    Unknown(&'static str),
    /// Whether each node has one rank, and whether all ranks are on one node.
    Distribution,
    /// The average number of ranks on the nodes of a communicator.
    RanksPerNode,
}

impl Library {
    /// Returns what the library's tuning files can test of the placement of ranks.
    pub fn placement(self) -> Placement {
        match self {
            // `comm_avg_ppn<=` of `src/mpi/coll/src/csel.c`, 4.0.2 to 5.0.1.
            Self::Mpich => Placement::RanksPerNode,
            Self::OpenMpi => Placement::Unknown(
                "a rule of coll/tuned compares ranks and bytes before 6.0, and one of coll/han names a component for a level, no algorithm",
            ),
            Self::IntelMpi => Placement::Unknown("I_MPI_ADJUST has ranges of bytes and of ranks only"),
        }
    }
}
