//! What was put right or passed over on the way, counted.

use indexmap::IndexMap;

/// Warnings: what a user should know of, and what was done about it. Each is told once, with how often it was met.
#[derive(Clone, Debug, Default)]
pub struct Notes(IndexMap<String, u64>);

impl Notes {
    /// Notes that something was met.
    pub fn add(&mut self, what: impl Into<String>) {
        self.add_times(what, 1);
    }

    /// Notes that something was met so many times; nothing if it was not met.
    pub fn add_times(&mut self, what: impl Into<String>, times: u64) {
        if times > 0 {
            *self.0.entry(what.into()).or_default() += times;
        }
    }

    /// Every note, with how often it was met where that is more than once.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0
            .iter()
            .map(|(what, times)| if *times == 1 { what.clone() } else { format!("{what} ({times} times)") })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
