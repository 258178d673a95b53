//! Decision functions that are loaded when a program runs.

use qtdec_core::{DecisionTree, lookup};
use qtdec_lookup::{Table, Tree};

use super::turns::{Round, nanoseconds};

/// The forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A tree of one or two levels, in as few bytes as the decision tree allows.
    Tree,
    /// A table, found by exponents.
    Table,
}

/// A form of one tree.
#[derive(Clone, Debug)]
pub struct Loadable {
    form: Form,
    axes: usize,
    bytes: Vec<u8>,
    /// The bytes that decisions read.
    pub read_bytes: u64,
}

impl Form {
    /// All of them, with the name of each.
    pub const ALL: [(&'static str, Self); 2] = [("tree", Self::Tree), ("table", Self::Table)];

    /// The form of a tree; `None` where it has no such form.
    pub fn of(self, tree: &DecisionTree) -> Option<Loadable> {
        let bytes = match self {
            Self::Tree => lookup::tree(tree)?,
            Self::Table => lookup::table(tree).ok()?,
        };
        let axes = tree.domain().axes().len();
        let read = match axes {
            1 => read_bytes::<1>(self, &bytes),
            2 => read_bytes::<2>(self, &bytes),
            _ => read_bytes::<3>(self, &bytes),
        };
        Some(Loadable { form: self, axes, bytes, read_bytes: read? as u64 })
    }
}

fn read_bytes<const AXES: usize>(form: Form, bytes: &[u8]) -> Option<usize> {
    match form {
        Form::Tree => Some(Tree::<AXES>::load(bytes).ok()?.bytes()),
        Form::Table => Some(Table::<AXES>::load(bytes).ok()?.bytes()),
    }
}

impl Loadable {
    /// The bytes of the loaded form: what decisions read, and the names of axes and methods.
    pub fn loaded_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Decides these queries, again and again.
    pub fn round(&self, queries: &[Vec<u64>]) -> Round<'_> {
        match self.axes {
            1 => self.round_of::<1>(queries),
            2 => self.round_of::<2>(queries),
            _ => self.round_of::<3>(queries),
        }
    }

    fn round_of<const AXES: usize>(&self, queries: &[Vec<u64>]) -> Round<'_> {
        let asked: Vec<[u64; AXES]> = queries.iter().filter_map(|query| query[..].try_into().ok()).collect();
        let told = |error: qtdec_lookup::Error| error.to_string();
        match self.form {
            Form::Tree => Box::new(move || {
                let loaded = Tree::<AXES>::load(&self.bytes).map_err(told)?;
                Ok(nanoseconds(&asked, |sizes| u64::from(loaded.decide(*sizes).unwrap_or(0))))
            }),
            Form::Table => Box::new(move || {
                let loaded = Table::<AXES>::load(&self.bytes).map_err(told)?;
                Ok(nanoseconds(&asked, |sizes| u64::from(loaded.decide(*sizes).unwrap_or(0))))
            }),
        }
    }
}
