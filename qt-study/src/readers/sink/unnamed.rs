//! Unnamed columns whose values change among the times of one method at one point.
//!
//! Such a column may be a condition of the measurement, so that its rows are not repeats of each other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use indexmap::IndexMap;

use crate::readers::content::Content;

#[derive(Default)]
pub(in crate::readers) struct Unnamed {
    /// Whether each column changes, and was reported or recognised.
    columns: IndexMap<String, bool>,
    /// The hash of the first value in each column, by the number of the collective, point and method.
    first: HashMap<(usize, Vec<u64>, usize), HashMap<usize, u64>>,
}

pub(in crate::readers) struct Cell<'r> {
    /// The number returned by [`Unnamed::column`].
    pub(in crate::readers) column: usize,
    pub(in crate::readers) value: &'r [u8],
}

impl Unnamed {
    /// Returns the number of a column, adding it if it is new.
    pub(in crate::readers) fn column(&mut self, name: &str) -> usize {
        let known = self.columns.get_index_of(name);
        known.unwrap_or_else(|| self.columns.insert_full(name.to_owned(), false).0)
    }

    pub(super) fn bytes(&self) -> usize {
        self.first.len() * (256 + 48 * self.columns.len())
    }

    pub(super) fn name(&self, column: usize) -> &str {
        self.columns.get_index(column).map_or("", |(name, _)| name)
    }

    /// Returns the content of the column if this row is the first in which it changes; `Some(None)` if it may be a condition.
    pub(super) fn change(
        &mut self,
        part: usize,
        sizes: &[u64],
        method: usize,
        cell: &Cell<'_>,
    ) -> Option<Option<Content>> {
        let (name, is_reported) =
            self.columns.get_index_mut(cell.column).filter(|(_, is_reported)| !**is_reported)?;
        let mut hasher = DefaultHasher::new();
        cell.value.hash(&mut hasher);
        let hash = hasher.finish();
        let first = self.first.entry((part, sizes.to_vec(), method)).or_default();
        if *first.entry(cell.column).or_insert(hash) == hash {
            return None;
        }
        *is_reported = true;
        let value = String::from_utf8_lossy(cell.value);
        Some(Content::from_column(name, &value))
    }
}
