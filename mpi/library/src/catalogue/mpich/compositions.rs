//! The names known to the reader of CH4's selection files: compositions of collectives on nodes and between them.
//!
//! Extracted from `src/mpid/ch4/src/ch4_csel_container.h` of the releases 4.0.2 and 5.0.1. The reader aborts the process at any other name.

use super::functions::CHANGE;
use crate::catalogue::Lifetime;

/// Returns the collective that a composition runs and the releases that know it, or `None` if its name is unknown.
pub fn find(name: &str) -> Option<(&'static str, Lifetime)> {
    let (start, end) = name.strip_prefix("MPIDI_")?.split_once("_intra_composition_")?;
    let (collective, shared, added) = COMPOSITIONS.iter().copied().find(|(collective, ..)| {
        let (first, rest) = collective.split_at(1);
        start.strip_prefix(&first.to_uppercase()) == Some(rest)
    })?;
    let number = LETTERS.iter().position(|letter| *letter == end)?;
    let known = if number < shared { Lifetime::ALL } else { Lifetime::since(CHANGE) };
    (number < shared + added).then_some((collective, known))
}

/// The ends of the names, in order.
const LETTERS: [&str; 4] = ["alpha", "beta", "gamma", "delta"];

/// The number of compositions of each collective in 4.0, and the number that 5.0 added.
const COMPOSITIONS: [(&str, usize, usize); 17] = [
    ("allgather", 1, 1),
    ("allgatherv", 1, 0),
    ("allreduce", 3, 1),
    ("alltoall", 1, 1),
    ("alltoallv", 1, 0),
    ("alltoallw", 1, 0),
    ("barrier", 2, 0),
    ("bcast", 3, 1),
    ("exscan", 1, 0),
    ("gather", 1, 0),
    ("gatherv", 1, 0),
    ("reduce", 3, 0),
    ("reduce_scatter", 1, 0),
    ("reduce_scatter_block", 1, 0),
    ("scan", 2, 0),
    ("scatter", 1, 0),
    ("scatterv", 1, 0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_of_a_name() {
        let found = |name: &str| find(&format!("MPIDI_{name}"));
        assert_eq!(found("Bcast_intra_composition_gamma"), Some(("bcast", Lifetime::ALL)));
        assert_eq!(found("Bcast_intra_composition_delta"), Some(("bcast", Lifetime::since(CHANGE))));
        assert_eq!(
            found("Reduce_scatter_block_intra_composition_alpha"),
            Some(("reduce_scatter_block", Lifetime::ALL))
        );
        for name in
            ["Bcast_intra_composition_", "bcast_intra_composition_alpha", "Reduce_intra_composition_delta"]
        {
            assert_eq!(found(name), None, "{name}");
        }
    }
}
