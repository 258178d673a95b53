//! What the ranks of a communicator must have in common before any of them carries out a collective by itself.

use std::ffi::c_int;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of properties that are compared.
pub(super) const PROPERTIES: usize = 5;

/// What must be the same. The others are whether there is room for one more communicator, and whether this one has nothing to do with
/// processes that were spawned or connected.
const NAMES: [&str; PROPERTIES - 2] =
    ["trees or settings", "versions of the MPI library", "levels of threads"];
const HAS_ROOM: usize = NAMES.len();
const IS_OF_ONE_WORLD: usize = HAS_ROOM + 1;

/// The maximum number of communicators of a rank that have one of ours. MPICH has 2 048 in all, and the program's come first.
pub(super) const COMMUNICATORS: c_int = 256;

/// The properties of a rank. The first is 0 on a rank that leaves all to the library.
pub(super) type Identity = [u64; PROPERTIES];

/// Returns a number for what can be hashed.
pub(super) fn number(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), value).hash(&mut hasher);
    hasher.finish().max(1)
}

/// What ranks found out about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// All have the same trees.
    Same,
    /// All leave the collectives to the library.
    Off,
    /// The communicator may come from one with processes that were spawned or connected.
    Apart,
    /// A rank has as many communicators with collectives of ours as it may have.
    Full,
    /// Something differs.
    Different(&'static str),
}

/// Judges the largest and the smallest value of each property among all ranks.
pub(super) fn judge(largest: Identity, smallest: Identity) -> Agreement {
    let differs = (0..NAMES.len()).find(|place| largest[*place] != smallest[*place]);
    match differs {
        _ if smallest[IS_OF_ONE_WORLD] == 0 => Agreement::Apart,
        Some(place) => Agreement::Different(NAMES[place]),
        None if largest[0] == 0 => Agreement::Off,
        None if smallest[HAS_ROOM] == 0 => Agreement::Full,
        None => Agreement::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_must_have_all_in_common() {
        assert_eq!(judge([7, 8, 9, 1, 1], [7, 8, 9, 1, 1]), Agreement::Same);
        assert_eq!(judge([0, 8, 9, 1, 1], [0, 8, 9, 1, 1]), Agreement::Off);
        assert_eq!(judge([7, 8, 9, 1, 1], [0, 8, 9, 1, 1]), Agreement::Different("trees or settings"));
        assert_eq!(judge([7, 8, 9, 1, 1], [7, 8, 1, 1, 1]), Agreement::Different("levels of threads"));
        assert_eq!(judge([7, 8, 9, 1, 1], [7, 8, 9, 0, 1]), Agreement::Full);
        assert_eq!(judge([0, 8, 9, 1, 1], [0, 8, 9, 0, 1]), Agreement::Off);
        assert_eq!(judge([7, 8, 9, 1, 1], [7, 8, 9, 1, 0]), Agreement::Apart);
        assert_eq!(judge([7, 8, 9, 1, 1], [0, 8, 9, 0, 0]), Agreement::Apart);
        assert_ne!(number("4.1.4"), number("4.1.5"));
    }
}
