//! What the ranks of a communicator must have in common before any of them carries out a collective by itself.

use std::ffi::c_int;
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) const PROPERTIES: usize = 7;

/// What must be the same. The others are whether there is room for one more communicator, whether this one has nothing to do with
/// processes that were spawned or connected, what is learned, and the largest number of a communicator on which something is.
const NAMES: [&str; PROPERTIES - 4] =
    ["trees or settings", "versions of the MPI library", "levels of threads"];
const HAS_ROOM: usize = NAMES.len();
const IS_OF_ONE_WORLD: usize = HAS_ROOM + 1;
const LEARNS: usize = HAS_ROOM + 2;

/// The maximum number of communicators of a rank that have one of ours. MPICH has 2 048 in all, and the program's come first.
pub(super) const COMMUNICATORS: c_int = 256;

/// The properties of a rank. The first is 0 on a rank without trees, and that of learning on one that learns nothing.
pub(super) type Identity = [u64; PROPERTIES];

/// Returns a number for what can be hashed. It is below 2^63: the maximum of `MPI_UINT64_T` is that of signed numbers in MPICH 4.0.
pub(super) fn number(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), value).hash(&mut hasher);
    (hasher.finish() >> 1).max(1)
}

/// What ranks found out about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// All have the same trees, if they have any, and learn the same.
    Same { learns: bool },
    /// All have the same trees, and would learn different things.
    LearnsDifferently { has_trees: bool },
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
    let has_trees = largest[0] != 0;
    match differs {
        _ if smallest[IS_OF_ONE_WORLD] == 0 => Agreement::Apart,
        Some(place) => Agreement::Different(NAMES[place]),
        None if !has_trees && largest[LEARNS] == 0 => Agreement::Off,
        None if smallest[HAS_ROOM] == 0 => Agreement::Full,
        None if largest[LEARNS] != smallest[LEARNS] => Agreement::LearnsDifferently { has_trees },
        None => Agreement::Same { learns: largest[LEARNS] != 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_must_have_all_in_common() {
        let all = |largest: [u64; 6], smallest: [u64; 6]| {
            let of =
                |[one, two, three, room, world, learns]: [u64; 6]| [one, two, three, room, world, learns, 9];
            judge(of(largest), of(smallest))
        };
        let same = |learns| Agreement::Same { learns };
        assert_eq!(all([7, 8, 9, 1, 1, 0], [7, 8, 9, 1, 1, 0]), same(false));
        assert_eq!(all([0, 8, 9, 1, 1, 0], [0, 8, 9, 1, 1, 0]), Agreement::Off);
        assert_eq!(all([7, 8, 9, 1, 1, 0], [0, 8, 9, 1, 1, 0]), Agreement::Different("trees or settings"));
        assert_eq!(all([7, 8, 9, 1, 1, 0], [7, 8, 1, 1, 1, 0]), Agreement::Different("levels of threads"));
        assert_eq!(all([7, 8, 9, 1, 1, 0], [7, 8, 9, 0, 1, 0]), Agreement::Full);
        assert_eq!(all([0, 8, 9, 1, 1, 0], [0, 8, 9, 0, 1, 0]), Agreement::Off);
        assert_eq!(all([7, 8, 9, 1, 1, 0], [7, 8, 9, 1, 0, 0]), Agreement::Apart);
        assert_eq!(all([7, 8, 9, 1, 1, 0], [0, 8, 9, 0, 0, 0]), Agreement::Apart);
        assert_eq!(all([0, 8, 9, 1, 1, 4], [0, 8, 9, 1, 1, 4]), same(true));
        assert_eq!(all([0, 8, 9, 1, 1, 4], [0, 8, 9, 0, 1, 4]), Agreement::Full);
        let differ = |has_trees| Agreement::LearnsDifferently { has_trees };
        assert_eq!(all([0, 8, 9, 1, 1, 4], [0, 8, 9, 1, 1, 0]), differ(false));
        assert_eq!(all([7, 8, 9, 1, 1, 4], [7, 8, 9, 1, 1, 3]), differ(true));
        assert_ne!(number("4.1.4"), number("4.1.5"));
        assert!((0..64).all(|value| i64::try_from(number(value)).is_ok()));
    }
}
