//! Counted notes about corrected or ignored input.

use indexmap::IndexMap;

/// Warnings about the input, with the corrections made. Each is reported once, with its number of occurrences.
#[derive(Clone, Debug, Default)]
pub struct Notes(IndexMap<String, u64>);

impl Notes {
    /// Adds a note.
    pub fn add(&mut self, what: impl Into<String>) {
        self.add_counted(what, 1);
    }

    /// Adds a note that occurred a number of times; nothing if that is 0.
    pub fn add_counted(&mut self, what: impl Into<String>, times: u64) {
        if times > 0 {
            *self.0.entry(what.into()).or_default() += times;
        }
    }

    /// Adds the notes of another part of the input. A note of both parts counts once.
    pub fn merge(&mut self, other: &Self) {
        for (what, times) in &other.0 {
            self.0.entry(what.clone()).or_insert(*times);
        }
    }

    /// Returns every note, with its number of occurrences if that is more than one.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0
            .iter()
            .map(|(what, times)| if *times == 1 { what.clone() } else { format!("{what} ({times} times)") })
    }

    /// Returns whether there are no notes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
