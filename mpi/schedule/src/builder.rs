//! A builder for the schedule of one rank.

use std::collections::VecDeque;

use super::budget::{Budget, Costs, MAX_OPERATIONS, TooLarge};
use super::hazards::Hazards;
use super::steps::{Step, Steps, Verb};
use super::{Action, Buffer, Operation, Part, RankSchedule};

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
    budget: Budget,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// Creates a builder without operations.
    pub fn new() -> Self {
        Self::within(Budget::new(Costs::PROVED, MAX_OPERATIONS))
    }

    /// Creates a builder that takes no more than `budget`.
    pub(crate) fn within(budget: Budget) -> Self {
        Self { steps: Steps::default(), hazards: Hazards::default(), held: Vec::new(), scratch: 0, budget }
    }

    /// Builds a rank that is to be part of this one, within the same limits.
    pub(super) fn inner(
        &mut self,
        rank: u32,
        build: impl FnOnce(&mut Self) -> Result<(), TooLarge>,
    ) -> Result<RankSchedule, TooLarge> {
        let mut inner = Self::within(self.budget);
        build(&mut inner)?;
        self.budget.take_steps_of(&inner.budget);
        Ok(inner.finish(rank))
    }

    /// Continues with the limits of another rank.
    #[doc(hidden)]
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Returns the number of parts of all operations so far.
    #[doc(hidden)]
    pub fn parts(&self) -> usize {
        self.steps.parts.len()
    }

    /// Returns what is left of the limits.
    pub fn budget(&self) -> Budget {
        self.budget
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
        self.budget.step(parts.given)?;
        if parts.is_empty() { Ok(()) } else { self.push(Verb::Send { peer, rail }, parts) }
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
        self.budget.step(parts.given)?;
        if parts.is_empty() { Ok(()) } else { self.push(Verb::Receive { peer, rail }, parts) }
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
        self.budget.step(operands.len() as u64)?;
        if into.bytes == 0 { Ok(()) } else { self.push(Verb::Reduce { into }, operands.iter().copied()) }
    }

    /// Copies `from` to `into`.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is too large.
    pub fn copy(&mut self, from: Part, into: Part) -> Result<(), TooLarge> {
        debug_assert!(from.bytes == into.bytes, "a copy is as long as what is copied");
        self.budget.step(1)?;
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
    /// places of its parts in buffers other than scratch memory. A copy of bytes to their own place is left out.
    ///
    /// Operations that wait for no other one of the schedule wait for those that are [held](Self::hold).
    pub(super) fn embed<P: Into<Parts>>(
        &mut self,
        schedule: RankSchedule,
        peers: impl Fn(u32) -> u32,
        parts: impl Fn(Part) -> P,
    ) -> Result<(), TooLarge> {
        let scratch = self.scratch(schedule.scratch_bytes());
        let moved = |part: Part| match part.buffer {
            Buffer::Scratch => scratch.slice(part.offset, part.bytes).into(),
            _ => parts(part).into(),
        };
        let held = std::mem::take(&mut self.held);
        // An operation of the schedule becomes those from its own number to that of the next.
        let mut numbers = vec![self.steps.len() as u32];
        for Operation { action, after } in schedule.operations {
            self.held.clear();
            match &after[..] {
                [] => self.held.extend_from_slice(&held),
                after => {
                    let became = |&after: &u32| numbers[after as usize]..numbers[after as usize + 1];
                    self.held.extend(after.iter().flat_map(became));
                }
            }
            let parts = action.parts().iter().flat_map(|&part| moved(part).into_iter());
            match action {
                Action::Send { peer, rail, .. } => {
                    self.push(Verb::Send { peer: peers(peer), rail }, parts.collect::<Parts>())?;
                }
                Action::Receive { peer, rail, .. } => {
                    self.push(Verb::Receive { peer: peers(peer), rail }, parts.collect::<Parts>())?;
                }
                Action::Reduce { into, .. } => {
                    let operands: Vec<Part> = parts.collect();
                    for into in moved(into) {
                        debug_assert!(
                            operands.iter().all(|operand| operand.bytes == into.bytes),
                            "what is combined has one place"
                        );
                        self.push(Verb::Reduce { into }, operands.iter().copied())?;
                    }
                }
                Action::Copy { into, .. } => {
                    let mut from: VecDeque<Part> = parts.collect();
                    for into in moved(into) {
                        let copied = take_bytes(&mut from, into.bytes);
                        if copied[..] != [into] {
                            self.push(Verb::Copy { into }, copied)?;
                        }
                    }
                }
            }
            numbers.push(self.steps.len() as u32);
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
        RankSchedule { rank, operations: self.steps.iter().map(Step::to_operation).collect() }
    }

    /// Returns the operations so far, without copying them.
    #[doc(hidden)]
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step<'_>> + Clone {
        self.steps.iter()
    }

    /// Removes the operations but keeps the memory for the next rank, and what is left of the limits.
    #[doc(hidden)]
    pub fn clear(&mut self) {
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
        if let Err(error) = self.budget.operation(all.len() - first) {
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
        let count = self.steps.close(verb);
        self.budget.after(count)
    }
}

/// The parts of a message: those that have bytes, with adjacent parts joined.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The first part. Most messages have only one.
    first: Option<Part>,
    more: Vec<Part>,
    /// The number of parts before they were joined, at least one.
    given: u64,
}

impl Parts {
    fn is_empty(&self) -> bool {
        self.first.is_none()
    }
}

impl IntoIterator for Parts {
    type Item = Part;
    type IntoIter = std::iter::Chain<std::option::IntoIter<Part>, std::vec::IntoIter<Part>>;

    fn into_iter(self) -> Self::IntoIter {
        self.first.into_iter().chain(self.more)
    }
}

/// Removes the first `bytes` bytes from consecutive parts, and returns them.
fn take_bytes(parts: &mut VecDeque<Part>, bytes: u64) -> Vec<Part> {
    let mut left = bytes;
    let mut taken = Vec::new();
    while left > 0
        && let Some(first) = parts.pop_front()
    {
        let cut = left.min(first.bytes);
        taken.push(first.slice(0, cut));
        left -= cut;
        if cut < first.bytes {
            parts.push_front(first.slice(cut, first.bytes - cut));
        }
    }
    taken
}

impl FromIterator<Part> for Parts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        let mut joined = Self { given: 1, ..Self::default() };
        for part in parts {
            joined.given += 1;
            if part.bytes == 0 {
                continue;
            }
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
