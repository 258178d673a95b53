//! Another fallback for a tree.

use super::guard::{fallback, unconditional};
use super::{DecisionTree, SplitTree};
use crate::message::Message;
use crate::problem::{Place, Problem};

impl DecisionTree {
    /// Replaces the fallback by the method with this label. A tree whose methods may run wherever it chooses them is unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown label, for that of a method that may not run everywhere, and if every method may run
    /// everywhere, so that no call takes the fallback.
    pub fn with_fallback(mut self, label: &str) -> Result<Self, Problem> {
        let fallback = fallback(&self.domain, label)
            .map_err(|message| Problem::new(Place::File, message).help(unconditional(&self.domain)))?;
        if self.domain.methods().iter().all(|method| method.requires.is_empty()) {
            let message = Message::default().setting("fallback", label);
            return Err(Problem::new(
                Place::File,
                message.text(" answers no call: no method of the map requires anything"),
            )
            .help(Message::from("omit ").option("fallback"))
            .help("write what the methods require into the map, as in \"requires\": [\"power_of_two\"]"));
        }
        if !self.guards.is_empty() {
            self.fallback = Some(fallback);
        }
        Ok(self)
    }
}

impl SplitTree {
    /// Replaces the fallback of both halves, as [`DecisionTree::with_fallback`] does.
    ///
    /// # Errors
    ///
    /// Returns the same errors.
    pub fn with_fallback(mut self, label: &str) -> Result<Self, Problem> {
        let [holding, failing] = *self.halves.clone();
        *self.halves = [holding.with_fallback(label)?, failing.with_fallback(label)?];
        Ok(self)
    }
}
