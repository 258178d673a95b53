//! MPICH's device CH4: its compositions of collectives between nodes and on them, as methods such as `ch4:alpha`.
//!
//! A file of CH4 names them, and from 5.0 on variables force them. Those that are listed serve every communicator of several nodes with
//! several ranks: `src/mpid/ch4/src/ch4_coll.h` and `ch4_coll_impl.h` of 5.0.1. Not listed are those that call the layer below, such as
//! `gamma` of bcast, those that need more than such nodes, such as the ones of several leaders, and the single one of barriers.

use super::functions::CHANGE;
use super::restrictions::{BY_NODES, REDUCING_BY_NODES};
use crate::catalogue::algorithm::CH4;
use crate::catalogue::{Algorithm, Lifetime};

/// Returns the compositions for a collective.
pub fn algorithms(collective: &str) -> &'static [Algorithm] {
    match collective {
        "bcast" => BCAST,
        "reduce" => REDUCE,
        "allreduce" => ALLREDUCE,
        _ => &[],
    }
}

/// Returns the letter of a composition, or `None` for another algorithm.
pub fn letter(algorithm: &Algorithm) -> Option<&'static str> {
    algorithm.name.strip_prefix(CH4)
}

/// Returns the name in a file of CH4, such as `MPIDI_Bcast_intra_composition_alpha`.
pub fn function(collective: &str, letter: &str) -> String {
    let mut capital = collective.to_owned();
    capital[..1].make_ascii_uppercase();
    format!("MPIDI_{capital}_intra_composition_{letter}")
}

/// Returns the variable that forces a composition, as `NAME=VALUE`.
pub fn variable(collective: &str, letter: &str) -> String {
    let number = if letter == "beta" { 2 } else { 1 };
    format!("MPIR_CVAR_{}_COMPOSITION={number}", collective.to_uppercase())
}

const fn composition(name: &'static str) -> Algorithm {
    Algorithm { lifetime: Lifetime::since(CHANGE), ..Algorithm::new(name, &[]) }
}

const BCAST: &[Algorithm] =
    &[composition("ch4:alpha").needs(BY_NODES), composition("ch4:beta").needs(BY_NODES)];

const REDUCE: &[Algorithm] =
    &[composition("ch4:alpha").needs(REDUCING_BY_NODES), composition("ch4:beta").needs(REDUCING_BY_NODES)];

const ALLREDUCE: &[Algorithm] = &[composition("ch4:alpha").needs(REDUCING_BY_NODES)];

#[cfg(test)]
mod tests {
    use super::super::compositions::find;
    use super::{algorithms, function, letter, variable};
    use crate::catalogue::{Library, Release};

    #[test]
    fn a_composition_is_known_to_the_reader_of_files() {
        let mut count = 0;
        for collective in Library::Mpich.collectives() {
            for algorithm in algorithms(collective.name) {
                let name = function(collective.name, letter(algorithm).expect("it is one"));
                assert_eq!(find(&name).map(|(collective, _)| collective), Some(collective.name), "{name}");
                assert_eq!(Library::Mpich.find(collective.name, algorithm.name), Some(algorithm));
                assert!(
                    !algorithm.is_in(Some(Release::new(4, 0))) && algorithm.is_in(Some(Release::new(5, 0)))
                );
                count += 1;
            }
        }
        assert_eq!(count, 5);
        assert_eq!(Library::Mpich.find("bcast", "ch4:gamma"), None);
        assert_eq!(Library::OpenMpi.find("bcast", "ch4:alpha"), None);
        assert_eq!(variable("allreduce", "alpha"), "MPIR_CVAR_ALLREDUCE_COMPOSITION=1");
        assert_eq!(variable("bcast", "beta"), "MPIR_CVAR_BCAST_COMPOSITION=2");
    }
}
