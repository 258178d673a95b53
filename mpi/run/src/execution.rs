//! The execution of one rank's schedule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;

use qtdec_mpi_schedule::{Action, Operation};

use crate::transport::{Progress, Transport};

/// The operations of a rank, of which some are complete and some under way.
#[derive(Debug)]
pub struct Execution<'s> {
    operations: &'s [Operation],
    /// The number of operations that must be complete, or begun if on the same channel, before each is begun.
    waits: Vec<u32>,
    /// The operations that wait for each to be complete.
    dependents: Vec<Vec<u32>>,
    /// The next operation with the same peer, rail and direction.
    next: Vec<Option<u32>>,
    /// The operations that may be begun, the first of the list on top.
    ready: BinaryHeap<Reverse<u32>>,
    left: usize,
    /// Memory for the operations that a transport completes.
    complete: Vec<u32>,
}

impl<'s> Execution<'s> {
    /// Creates the execution of a rank that has done nothing yet.
    pub fn new(operations: &'s [Operation]) -> Self {
        let mut execution = Self {
            operations,
            waits: Vec::with_capacity(operations.len()),
            dependents: vec![Vec::new(); operations.len()],
            next: vec![None; operations.len()],
            ready: BinaryHeap::new(),
            left: operations.len(),
            complete: Vec::new(),
        };
        let mut last = BTreeMap::new();
        for (index, operation) in (0..).zip(operations) {
            let mut waits = operation.after.len() as u32;
            for &before in &operation.after {
                execution.dependents[before as usize].push(index);
            }
            let channel = match operation.action {
                Action::Send { peer, rail, .. } => Some((true, peer, rail)),
                Action::Receive { peer, rail, .. } => Some((false, peer, rail)),
                Action::Reduce { .. } | Action::Copy { .. } => None,
            };
            if let Some(before) = channel.and_then(|channel| last.insert(channel, index)) {
                execution.next[before as usize] = Some(index);
                waits += 1;
            }
            execution.waits.push(waits);
            if waits == 0 {
                execution.ready.push(Reverse(index));
            }
        }
        execution
    }

    /// Begins the next operation that may be begun, the first of the list. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Fails if the transport fails.
    pub fn begin<T: Transport>(&mut self, transport: &mut T) -> Result<bool, T::Error> {
        let Some(index) = self.next_ready() else { return Ok(false) };
        let progress = match &self.operations[index as usize].action {
            Action::Send { peer, rail, parts } => transport.send(index, *peer, *rail, parts),
            Action::Receive { peer, rail, parts } => transport.receive(index, *peer, *rail, parts),
            Action::Reduce { parts, into } => transport.reduce(index, parts, *into),
            Action::Copy { parts, into } => transport.copy(index, parts, *into),
        };
        if progress? == Progress::Complete {
            self.end(index);
        }
        Ok(true)
    }

    /// Waits for operations to be complete. Returns their number.
    ///
    /// # Errors
    ///
    /// Fails if the transport fails.
    pub fn wait<T: Transport>(&mut self, transport: &mut T) -> Result<usize, T::Error> {
        let mut complete = std::mem::take(&mut self.complete);
        complete.clear();
        transport.wait(&mut complete)?;
        for &index in &complete {
            self.end(index);
        }
        self.complete = complete;
        Ok(self.complete.len())
    }

    /// Returns whether an operation may be begun.
    pub fn may_begin(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns whether all operations are complete.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Carries out all operations.
    ///
    /// # Errors
    ///
    /// Fails if the transport fails, or if no operation can be complete any more although some are not.
    pub fn run<T: Transport>(mut self, transport: &mut T) -> Result<(), RunError<T::Error>> {
        loop {
            while self.begin(transport).map_err(RunError::Transport)? {}
            if self.is_done() {
                return Ok(());
            }
            if self.wait(transport).map_err(RunError::Transport)? == 0 {
                return Err(RunError::Stuck);
            }
        }
    }

    /// Returns the operation to begin now, the first of the list, or `None` if all must wait.
    fn next_ready(&mut self) -> Option<u32> {
        let Reverse(operation) = self.ready.pop()?;
        if let Some(next) = self.next[operation as usize] {
            self.release(next);
        }
        Some(operation)
    }

    fn end(&mut self, operation: u32) {
        self.left -= 1;
        for dependent in std::mem::take(&mut self.dependents[operation as usize]) {
            self.release(dependent);
        }
    }

    fn release(&mut self, operation: u32) {
        let waits = &mut self.waits[operation as usize];
        *waits -= 1;
        if *waits == 0 {
            self.ready.push(Reverse(operation));
        }
    }
}

/// The error of a rank that cannot carry out all operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunError<E> {
    /// The transport failed.
    Transport(E),
    /// Operations are left, but nothing is under way that they could wait for.
    Stuck,
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => error.fmt(f),
            Self::Stuck => f.write_str(
                "the rank waits for operations that cannot be complete; verify the schedule of all ranks",
            ),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for RunError<E> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(peer: u32, after: &[u32]) -> Operation {
        Operation { action: Action::Send { peer, rail: 0, parts: Vec::new() }, after: after.to_vec() }
    }

    fn receive(peer: u32) -> Operation {
        Operation { action: Action::Receive { peer, rail: 0, parts: Vec::new() }, after: Vec::new() }
    }

    #[test]
    fn operations_wait_for_what_they_need_and_for_their_channel() {
        let operations = [receive(1), send(2, &[0]), send(2, &[]), receive(3), send(4, &[3])];
        let mut execution = Execution::new(&operations);
        let begun: Vec<_> = std::iter::from_fn(|| execution.next_ready()).collect();
        assert_eq!(begun, [0, 3], "the second message to 2 is begun behind the first");
        execution.end(3);
        assert_eq!((execution.next_ready(), execution.next_ready()), (Some(4), None));
        execution.end(0);
        assert_eq!(
            (execution.next_ready(), execution.next_ready(), execution.next_ready()),
            (Some(1), Some(2), None)
        );
        assert!(!execution.is_done());
        for operation in [1, 2, 4] {
            execution.end(operation);
        }
        assert!(execution.is_done());
    }
}
