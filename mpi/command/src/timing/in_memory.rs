//! Decision functions that are loaded at run time.

use qtdec_core::{DecisionTree, lookup};
use qtdec_lookup::Table;

use super::turns::{Round, nanoseconds};

/// A tree as a loadable table.
#[derive(Clone, Debug)]
pub struct Loadable {
    axes: usize,
    bytes: Vec<u8>,
}

impl Loadable {
    /// Returns the table of a tree, or `None` if it would be too large.
    pub fn from_tree(tree: &DecisionTree) -> Option<Self> {
        let bytes = lookup::table(tree).ok()?;
        let axes = tree.domain().axes().len();
        Some(Self { axes, bytes })
    }

    /// Returns a round that decides these queries.
    pub fn round(&self, queries: &[Vec<u64>]) -> Round<'_> {
        match self.axes {
            1 => self.round_of::<1>(queries),
            2 => self.round_of::<2>(queries),
            _ => self.round_of::<3>(queries),
        }
    }

    fn round_of<const AXES: usize>(&self, queries: &[Vec<u64>]) -> Round<'_> {
        let requested: Vec<[u64; AXES]> =
            queries.iter().filter_map(|query| query[..].try_into().ok()).collect();
        let loaded = Table::<AXES>::load(&self.bytes).expect("the bytes were loaded before");
        Box::new(move || nanoseconds(&requested, |sizes| u64::from(loaded.decide(*sizes).unwrap_or(0))))
    }
}
