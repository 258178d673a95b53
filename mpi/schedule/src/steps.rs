//! The operations of one rank while they are collected, in flat lists that are reused for the next rank.

use super::{Action, Operation, Part};

/// An operation's action, without the parts that it sends, receives, combines or copies. The variants are complete: a schedule has no other
/// operations.
#[derive(Clone, Copy, Debug)]
pub enum Verb {
    /// Send the parts to a peer.
    Send {
        /// The rank that receives.
        peer: u32,
        /// The port of the node.
        rail: u32,
    },
    /// Receive the parts from a peer.
    Receive {
        /// The rank that sends.
        peer: u32,
        /// The port of the node.
        rail: u32,
    },
    /// Combine the parts.
    Reduce {
        /// The place of the result.
        into: Part,
    },
    /// Copy the parts.
    Copy {
        /// The place of the copies.
        into: Part,
    },
}

/// An operation whose lists are stored elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The action.
    pub verb: Verb,
    /// What is sent, received, combined or copied.
    pub parts: &'a [Part],
    /// The operations of this rank that it waits for.
    pub after: &'a [u32],
}

impl Step<'_> {
    /// Returns the bytes of a message, or those that a reduction or a copy writes.
    pub fn bytes(&self) -> u64 {
        match self.verb {
            Verb::Send { .. } | Verb::Receive { .. } => {
                self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.bytes))
            }
            Verb::Reduce { into } | Verb::Copy { into } => into.bytes,
        }
    }

    pub(super) fn to_operation(self) -> Operation {
        let parts = self.parts.to_vec();
        let action = match self.verb {
            Verb::Send { peer, rail } => Action::Send { peer, rail, parts },
            Verb::Receive { peer, rail } => Action::Receive { peer, rail, parts },
            Verb::Reduce { into } => Action::Reduce { parts, into },
            Verb::Copy { into } => Action::Copy { parts, into },
        };
        Operation { action, after: self.after.to_vec() }
    }
}

impl<'a> From<&'a Operation> for Step<'a> {
    fn from(operation: &'a Operation) -> Self {
        let verb = match operation.action {
            Action::Send { peer, rail, .. } => Verb::Send { peer, rail },
            Action::Receive { peer, rail, .. } => Verb::Receive { peer, rail },
            Action::Reduce { into, .. } => Verb::Reduce { into },
            Action::Copy { into, .. } => Verb::Copy { into },
        };
        Self { verb, parts: operation.action.parts(), after: &operation.after }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    rows: Vec<Row>,
    pub(super) parts: Vec<Part>,
    pub(super) after: Vec<u32>,
}

/// An operation, with the ends of its lists; they begin where those of the previous one end.
#[derive(Clone, Copy, Debug)]
struct Row {
    verb: Verb,
    parts: usize,
    after: usize,
}

impl Steps {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.parts.clear();
        self.after.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds an operation with the entries added to the lists since the last one, and sorts its dependencies. Returns their number.
    pub(super) fn close(&mut self, verb: Verb) -> usize {
        let start = self.rows.last().map_or(0, |row| row.after);
        if self.after.len() > start + 1 {
            self.after[start..].sort_unstable();
            let mut kept = start + 1;
            for index in start + 1..self.after.len() {
                if self.after[index] != self.after[kept - 1] {
                    self.after[kept] = self.after[index];
                    kept += 1;
                }
            }
            self.after.truncate(kept);
        }
        self.rows.push(Row { verb, parts: self.parts.len(), after: self.after.len() });
        self.after.len() - start
    }

    #[inline]
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = Step<'_>> + Clone {
        let (mut parts, mut after) = (0, 0);
        self.rows.iter().map(move |row| {
            let step = Step {
                verb: row.verb,
                parts: &self.parts[parts..row.parts],
                after: &self.after[after..row.after],
            };
            (parts, after) = (row.parts, row.after);
            step
        })
    }
}
