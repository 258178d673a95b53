//! A builder for the schedule of one rank.

use std::fmt;

use super::hazards::Hazards;
use super::steps::{Step, Steps, Verb};
use super::{Action, Buffer, Operation, Part, RankSchedule};

/// The maximum number of operations of a schedule, all ranks together: about a gigabyte.
pub const MAX_OPERATIONS: usize = 1 << 23;

/// The maximum number of parts of one operation.
const MAX_PARTS: usize = 1 << 20;

/// The maximum number of parts of all operations of a schedule: about two gigabytes.
const MAX_PARTS_OF_ALL: usize = 1 << 26;

/// A builder that collects the operations of one rank and determines what each waits for.
///
/// Operations are given in an order in which the rank could run them one after the other. The builder makes each wait
/// for exactly those earlier ones that touch the same bytes in a conflicting way: a reader waits for the writer, a
/// writer for those that still read. So a schedule is free of conflicts however its messages are timed.
///
/// Parts without bytes are omitted, and so are messages without parts: both sides of a message of zero bytes omit
/// it. [`signal`](Self::signal) and [`await_signal`](Self::await_signal) are messages that intentionally have no bytes.
#[derive(Clone, Debug)]
pub struct Builder {
    steps: Steps,
    hazards: Hazards,
    held: Vec<u32>,
    scratch: u64,
    limit: usize,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Creates a builder without operations.
    pub fn new() -> Self {
        Self::with_limit(MAX_OPERATIONS)
    }

    /// Creates a builder that accepts `limit` operations.
    pub(super) fn with_limit(limit: usize) -> Self {
        Self { steps: Steps::default(), hazards: Hazards::default(), held: Vec::new(), scratch: 0, limit }
    }

    /// Sends `parts` to `peer` on rail 0.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large, like every operation.
    pub fn send(&mut self, peer: u32, parts: impl Into<Parts>) -> Result<(), TooLarge> {
        self.send_on(0, peer, parts)
    }

    /// Sends `parts` to `peer` on `rail`.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn send_on(&mut self, rail: u32, peer: u32, parts: impl Into<Parts>) -> Result<(), TooLarge> {
        let parts = parts.into();
        if parts.is_empty() { Ok(()) } else { self.push(Verb::Send { peer, rail }, parts.iter()) }
    }

    /// Receives a message from `peer` on rail 0 into `parts`.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn receive(&mut self, peer: u32, parts: impl Into<Parts>) -> Result<(), TooLarge> {
        self.receive_on(0, peer, parts)
    }

    /// Receives a message from `peer` on `rail` into `parts`.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn receive_on(&mut self, rail: u32, peer: u32, parts: impl Into<Parts>) -> Result<(), TooLarge> {
        let parts = parts.into();
        if parts.is_empty() { Ok(()) } else { self.push(Verb::Receive { peer, rail }, parts.iter()) }
    }

    /// Sends a message of no bytes to `peer`.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn signal(&mut self, peer: u32) -> Result<(), TooLarge> {
        self.push(Verb::Send { peer, rail: 0 }, [])
    }

    /// Receives a message of no bytes from `peer`.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn await_signal(&mut self, peer: u32) -> Result<(), TooLarge> {
        self.push(Verb::Receive { peer, rail: 0 }, [])
    }

    /// Combines `operands` from left to right and stores the result in `into`, which may be one of them.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn reduce(&mut self, operands: &[Part], into: Part) -> Result<(), TooLarge> {
        debug_assert!(
            operands.iter().all(|part| part.bytes == into.bytes),
            "operands are as long as their result"
        );
        if into.bytes == 0 { Ok(()) } else { self.push(Verb::Reduce { into }, operands.iter().copied()) }
    }

    /// Copies `from` to `into`.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn copy(&mut self, from: Part, into: Part) -> Result<(), TooLarge> {
        debug_assert!(from.bytes == into.bytes, "a copy is as long as what is copied");
        if from.bytes == 0 || from == into { Ok(()) } else { self.push(Verb::Copy { into }, [from]) }
    }

    /// Returns `bytes` bytes of unused scratch memory.
    pub fn scratch(&mut self, bytes: u64) -> Part {
        let offset = self.scratch;
        self.scratch += bytes;
        Part { buffer: Buffer::Scratch, offset, bytes }
    }

    /// Makes the following operations wait for `operations`, given by position, in addition to those that their bytes require.
    ///
    /// It replaces the previous list; an empty list removes it.
    pub fn hold(&mut self, operations: impl IntoIterator<Item = usize>) {
        self.held.clear();
        self.held.extend(operations.into_iter().map(|index| index as u32));
    }

    /// Adds the schedule of a rank that is part of another one: `peers` gives the ranks of its peers, `parts` the
    /// places of its parts in buffers other than scratch memory.
    pub(super) fn embed(
        &mut self,
        schedule: RankSchedule,
        peers: impl Fn(u32) -> u32,
        parts: impl Fn(Part) -> Part,
    ) -> Result<(), TooLarge> {
        let scratch = self.scratch(schedule.scratch_bytes());
        let moved = |part: Part| match part.buffer {
            Buffer::Scratch => scratch.slice(part.offset, part.bytes),
            _ => parts(part),
        };
        let first = self.steps.len() as u32;
        for Operation { action, after } in schedule.operations {
            self.held.clear();
            self.held.extend(after.into_iter().map(|after| after + first));
            let parts = action.parts().iter().copied().map(moved);
            match action {
                Action::Send { peer, rail, .. } => self.push(Verb::Send { peer: peers(peer), rail }, parts),
                Action::Receive { peer, rail, .. } => {
                    self.push(Verb::Receive { peer: peers(peer), rail }, parts)
                }
                Action::Reduce { into, .. } => self.push(Verb::Reduce { into: moved(into) }, parts),
                Action::Copy { into, .. } => self.push(Verb::Copy { into: moved(into) }, parts),
            }?;
        }
        self.held.clear();
        Ok(())
    }

    /// Returns the number of operations so far, which is the position of the next one.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether there are no operations yet.
    pub fn is_empty(&self) -> bool {
        self.steps.len() == 0
    }

    /// Returns the schedule of `rank`.
    pub fn finish(self, rank: u32) -> RankSchedule {
        RankSchedule { rank, operations: self.steps.to_operations() }
    }

    /// Returns the operations so far, without copying them.
    pub(crate) fn steps(&self) -> impl ExactSizeIterator<Item = Step<'_>> + Clone {
        self.steps.iter()
    }

    /// Removes the operations but keeps the memory for the next rank.
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.hazards.clear();
        self.held.clear();
        self.scratch = 0;
    }

    /// Adds an operation unchanged, with what it waits for.
    fn push(&mut self, verb: Verb, parts: impl IntoIterator<Item = Part>) -> Result<(), TooLarge> {
        let index = self.steps.len();
        let Steps { parts: all, after, .. } = &mut self.steps;
        let first = all.len();
        all.extend(parts);
        let error = if index >= self.limit {
            Some(TooLarge::Operations { limit: self.limit })
        } else if all.len() - first > MAX_PARTS {
            Some(TooLarge::Parts { limit: MAX_PARTS })
        } else {
            None
        };
        if let Some(error) = error {
            all.truncate(first);
            return Err(error);
        }
        after.extend_from_slice(&self.held);
        let index = index as u32;
        for &part in &all[first..] {
            match verb {
                Verb::Receive { .. } => self.hazards.write(index, part, after),
                Verb::Send { .. } | Verb::Reduce { .. } | Verb::Copy { .. } => {
                    self.hazards.read(index, part, after);
                }
            }
        }
        if let Verb::Reduce { into } | Verb::Copy { into } = verb {
            self.hazards.write(index, into, after);
        }
        self.steps.close(verb);
        Ok(())
    }
}

/// What a schedule whose ranks are built one after the other may still grow by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    limit: usize,
    operations: usize,
    parts: usize,
}

impl Room {
    /// Returns the room of a schedule of at most `limit` operations.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, operations: limit, parts: MAX_PARTS_OF_ALL }
    }

    /// Returns a builder for the next rank.
    pub(super) fn builder(&self) -> Builder {
        Builder::with_limit(self.operations)
    }

    /// Takes the room of a rank that was built.
    pub(crate) fn take(&mut self, rank: &Builder) -> Result<(), TooLarge> {
        let left = |room: usize, taken: usize, error| room.checked_sub(taken).ok_or(error);
        self.operations = left(self.operations, rank.len(), TooLarge::Operations { limit: self.limit })?;
        self.parts = left(self.parts, rank.steps.parts.len(), TooLarge::Parts { limit: MAX_PARTS_OF_ALL })?;
        Ok(())
    }
}

/// The parts of a message: those that have bytes, with adjacent parts joined.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The first part. Most messages have only one.
    first: Option<Part>,
    more: Vec<Part>,
}

impl Parts {
    fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    fn iter(&self) -> impl Iterator<Item = Part> + '_ {
        self.first.into_iter().chain(self.more.iter().copied())
    }
}

impl FromIterator<Part> for Parts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        let mut joined = Self::default();
        for part in parts.into_iter().filter(|part| part.bytes > 0) {
            match joined.more.last_mut().or(joined.first.as_mut()) {
                Some(last) if last.buffer == part.buffer && last.end() == part.offset => {
                    last.bytes += part.bytes;
                }
                Some(_) => joined.more.push(part),
                None => joined.first = Some(part),
            }
        }
        joined
    }
}

impl From<Part> for Parts {
    fn from(part: Part) -> Self {
        Self::from_iter([part])
    }
}

impl From<Vec<Part>> for Parts {
    fn from(parts: Vec<Part>) -> Self {
        Self::from_iter(parts)
    }
}

/// The error of a schedule that would be too large for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooLarge {
    /// There are too many operations.
    Operations {
        /// The maximum number of operations that was allowed.
        limit: usize,
    },
    /// The operations have too many parts.
    Parts {
        /// The maximum number of parts.
        limit: usize,
    },
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (limit, what) = match self {
            Self::Operations { limit } => (limit, "operations"),
            Self::Parts { limit } => (limit, "parts of messages"),
        };
        write!(
            f,
            "the schedule has more than {limit} {what}; use fewer ranks or larger segments, or build single ranks"
        )
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ranks_together_have_room_for_a_number_of_operations_and_parts() {
        let part = |offset| Part { buffer: Buffer::Send, offset, bytes: 1 };
        let mut rank = Builder::new();
        rank.send(1, vec![part(0), part(2), part(4)]).unwrap();
        rank.send(2, part(6)).unwrap();
        let mut room = Room { limit: 4, operations: 4, parts: 10 };
        room.take(&rank).unwrap();
        room.take(&rank).unwrap();
        assert_eq!(room.take(&rank), Err(TooLarge::Operations { limit: 4 }));
        let mut room = Room { parts: 7, ..Room::new(100) };
        room.take(&rank).unwrap();
        assert_eq!(room.take(&rank), Err(TooLarge::Parts { limit: MAX_PARTS_OF_ALL }));
    }
}
