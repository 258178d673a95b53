//! The calls that no written rule reaches.
//!
//! Nonblocking and persistent calls are operations of their own: Open MPI serves them with `coll/libnbc`, MPICH's files name them as
//! collectives of their own (`ibcast`), and Intel MPI has variables of their own (`I_MPI_ADJUST_IBCAST`).

use super::{FUNCTIONS, Library};

/// What the names of the collectives of neighbors begin with.
const NEIGHBOR: &str = "neighbor_";

/// The calls that no rule for a library reaches, so that they keep the library's own choice. The nonblocking and the persistent forms of
/// every collective belong to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The collectives, by MPI's names in lower case, without those of neighbors.
    pub collectives: Vec<&'static str>,
    /// Whether those of neighbors belong to them.
    pub neighbors: bool,
}

impl Library {
    /// Returns the calls that no rule for the library reaches.
    pub fn unreached(self) -> Unreached {
        let unknown: Vec<&str> =
            FUNCTIONS.into_iter().filter(|name| self.collective(name).is_none()).collect();
        let (neighbors, collectives): (Vec<&str>, Vec<&str>) =
            unknown.into_iter().partition(|name| name.starts_with(NEIGHBOR));
        Unreached { collectives, neighbors: !neighbors.is_empty() }
    }
}

impl Unreached {
    /// Returns the names of the calls, for a sentence: `MPI_Gatherv`, …
    pub fn names(&self) -> Vec<String> {
        let functions = self.collectives.iter().map(|name| {
            let mut capital = (*name).to_owned();
            capital[..1].make_ascii_uppercase();
            format!("MPI_{capital}")
        });
        let neighbors = self.neighbors.then(|| "the neighborhood collectives".to_owned());
        let forms = "any nonblocking or persistent collective (MPI_Ibcast, MPI_Bcast_init, …)".to_owned();
        functions.chain(neighbors).chain([forms]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_collective_is_reached_or_named() {
        for library in Library::ALL {
            let unreached = library.unreached();
            for name in FUNCTIONS {
                let is_named = unreached.collectives.contains(&name)
                    || (unreached.neighbors && name.starts_with(NEIGHBOR));
                assert_ne!(library.collective(name).is_some(), is_named, "{library:?} {name}");
            }
        }
    }

    /// The rules of `coll/tuned` have numbers for `gatherv`, `scatterv` and `alltoallw`, and no algorithms.
    #[test]
    fn open_mpi_reaches_no_vectored_gather() {
        let expected = [
            "MPI_Gatherv",
            "MPI_Scatterv",
            "MPI_Alltoallw",
            "the neighborhood collectives",
            "any nonblocking or persistent collective (MPI_Ibcast, MPI_Bcast_init, …)",
        ];
        assert_eq!(Library::OpenMpi.unreached().names(), expected);
    }
}
