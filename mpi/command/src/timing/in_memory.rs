//! Decision functions that are loaded at run time.

use qtdec_core::{DecisionTree, lookup};
use qtdec_lookup::Table;

use super::turns::{Round, nanoseconds};

/// A tree as a loadable table.
#[derive(Clone, Debug)]
pub struct Loadable {
    axes: usize,
    bytes: Vec<u8>,
    /// The number of bytes that decisions read.
    pub read_bytes: u64,
}

fn read_bytes<const AXES: usize>(bytes: &[u8]) -> Option<usize> {
    Some(Table::<AXES>::load(bytes).ok()?.bytes())
}

impl Loadable {
    /// Returns the table of a tree, or `None` if it would be too large.
    pub fn from_tree(tree: &DecisionTree) -> Option<Self> {
        let bytes = lookup::table(tree).ok()?;
        let axes = tree.domain().axes().len();
        let read = match axes {
            1 => read_bytes::<1>(&bytes),
            2 => read_bytes::<2>(&bytes),
            _ => read_bytes::<3>(&bytes),
        };
        Some(Self { axes, bytes, read_bytes: read? as u64 })
    }

    /// Returns the size of the loaded table: the bytes that decisions read, and the names of axes and methods.
    pub fn loaded_bytes(&self) -> u64 {
        self.bytes.len() as u64
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
