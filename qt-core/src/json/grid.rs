//! Nested arrays with an entry for each cell of a grid.

use serde_json::value::RawValue;

use super::raw::{elements, number};
use super::value::PlacedValue;
use crate::problem::{Diagnostics, Problem};

/// A value that the entries of a nested array have.
pub(crate) trait Entry: Sized {
    /// Returns the value; `None` if it is another kind of value.
    fn from_raw(raw: &RawValue) -> Option<Self>;
}

impl Entry for u64 {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        raw.get().parse().ok()
    }
}

impl Entry for f64 {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        number(raw)
    }
}

impl<T: Entry> Entry for Option<T> {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        if raw.get() == "null" { Some(None) } else { T::from_raw(raw).map(Some) }
    }
}

impl<T: Entry> Entry for Vec<T> {
    fn from_raw(raw: &RawValue) -> Option<Self> {
        elements(raw)?.into_iter().map(T::from_raw).collect()
    }
}

/// One level of a nested array.
pub(crate) struct Dim {
    pub(crate) len: usize,
    /// The reason for the length, as in "axis `msg_size` has 12 values".
    pub(crate) why: String,
}

impl PlacedValue<'_> {
    /// Returns a nested array of `T` as a row-major list, with one level for each of `dims`.
    ///
    /// `what` describes the entries in messages, as in "expected a method index or null".
    pub(crate) fn grid<T: Entry>(&self, dims: &[Dim], what: &str, check: &mut Diagnostics) -> Option<Vec<T>> {
        let mut entries = Vec::with_capacity(self.raw.get().len() / 8);
        self.extend_grid(dims, what, &mut entries, check).then_some(entries)
    }

    fn extend_grid<T: Entry>(
        &self,
        dims: &[Dim],
        what: &str,
        entries: &mut Vec<T>,
        check: &mut Diagnostics,
    ) -> bool {
        let [dim, inner @ ..] = dims else { return true };
        let row = if inner.is_empty() { Vec::<T>::from_raw(self.raw) } else { None };
        if let Some(row) = row.filter(|row| row.len() == dim.len) {
            entries.extend(row);
            return true;
        }
        let Some(elements) = self.elements(check) else { return false };
        let mut sound = elements.len() == dim.len;
        if !sound {
            check.add_with(|| {
                let Dim { len, why } = dim;
                let message = format!("expected {len} entries, found {}: {why}", elements.len());
                Problem::new(self.path.clone(), message)
            });
        }
        for element in &elements {
            if !inner.is_empty() {
                sound &= element.extend_grid(inner, what, entries, check);
            } else if T::from_raw(element.raw).is_none() {
                sound = false;
                element.refuse::<()>(what, check);
            }
        }
        sound
    }
}
