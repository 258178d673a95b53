//! The names known to MPICH's reader of selection files: collectives, and the functions that run them.
//!
//! Extracted from `src/mpi/coll/src/csel.c` and `csel_container.c` of the releases 4.0.2 and 5.0.1. The reader aborts the
//! process at any other name. The functions include those for intercommunicators and nonblocking collectives, which the
//! catalogue of algorithms omits.

use qtdec_times::collective;

use crate::catalogue::{Lifetime, Release};

/// Returns the blocking collectives in alphabetical order, whether called by MPI programs or by MPICH itself.
pub fn blocking() -> impl Iterator<Item = &'static str> + Clone {
    let mut names = collective::FUNCTIONS.to_vec();
    names.retain(|name| !name.starts_with("neighbor_"));
    names.sort_unstable();
    names.into_iter()
}

/// Returns whether the reader knows a collective of this name, blocking or not.
pub fn is_collective(name: &str) -> bool {
    collective::is_known(name.strip_prefix('i').unwrap_or(name))
}

/// Returns the releases whose readers know the function of this name, if some do.
pub fn find_function(name: &str) -> Option<Lifetime> {
    let name = name.strip_prefix("MPIR_")?;
    let line = FUNCTIONS.lines().find(|line| line.trim_start_matches(['-', '+']) == name)?;
    Some(match line.as_bytes().first() {
        Some(b'-') => Lifetime::until(CHANGE),
        Some(b'+') => Lifetime::since(CHANGE),
        _ => Lifetime::ALL,
    })
}

/// Returns whether a function runs a collective, judging by its name.
pub fn is_of(function: &str, collective: &str) -> bool {
    let rest = function.strip_prefix("MPIR_").filter(|rest| {
        rest.get(..collective.len()).is_some_and(|start| start.eq_ignore_ascii_case(collective))
    });
    let kinds = ["_intra_", "_inter_", "_allcomm_"];
    rest.is_some_and(|rest| kinds.iter().any(|kind| rest[collective.len()..].starts_with(kind)))
}

/// The release whose names were compared with those of 4.0.
pub(super) const CHANGE: Release = Release::new(5, 0);

/// The functions without `MPIR_`, each on a line: `-` marks those of 4.0 that 5.0 dropped, and `+` those that 5.0 added.
const FUNCTIONS: &str = include_str!("functions.txt");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Library, mpich};

    #[test]
    fn the_collectives_are_those_that_may_follow_the_key() {
        let names = "allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast exscan gather gatherv reduce \
                     reduce_scatter reduce_scatter_block scan scatter scatterv";
        assert_eq!(blocking().collect::<Vec<_>>(), names.split(' ').collect::<Vec<_>>());
        assert!(is_collective("ineighbor_alltoallw") && is_collective("ibcast") && !is_collective("iibcast"));
        assert_eq!(FUNCTIONS.lines().count(), 193);
    }

    #[test]
    fn the_catalogue_of_algorithms_agrees_with_the_reader() {
        for collective in Library::Mpich.collectives() {
            assert!(is_collective(collective.name), "{}", collective.name);
            for algorithm in collective.algorithms {
                let name = mpich::function(collective.name, algorithm.name);
                let function = find_function(&name).unwrap_or_else(|| panic!("{name} is missing"));
                for release in [None, Some(Release::new(4, 0)), Some(CHANGE)] {
                    assert_eq!(function.lack(release), algorithm.lack(release), "{name}");
                }
            }
        }
    }
}
