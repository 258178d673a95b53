//! The operations that a rank may post next.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use qtdec_mpi_schedule::{Action, Operation};

/// The operations of a rank and their dependencies.
#[derive(Debug)]
pub struct Agenda {
    /// The number of operations that must be complete, or posted if on the same channel, before each is posted.
    waits: Vec<u32>,
    /// The operations that wait for each to be complete.
    dependents: Vec<Vec<u32>>,
    /// The next operation with the same peer, rail and direction.
    next: Vec<Option<u32>>,
    /// The operations that may be posted, the first of the list on top.
    ready: BinaryHeap<Reverse<u32>>,
    left: usize,
}

impl Agenda {
    /// Creates the agenda of a rank that has done nothing yet.
    pub fn new(operations: &[Operation]) -> Self {
        let mut agenda = Self {
            waits: Vec::with_capacity(operations.len()),
            dependents: vec![Vec::new(); operations.len()],
            next: vec![None; operations.len()],
            ready: BinaryHeap::new(),
            left: operations.len(),
        };
        let mut last = BTreeMap::new();
        for (index, operation) in (0..).zip(operations) {
            let mut waits = operation.after.len() as u32;
            for &before in &operation.after {
                agenda.dependents[before as usize].push(index);
            }
            let channel = match operation.action {
                Action::Send { peer, rail, .. } => Some((true, peer, rail)),
                Action::Receive { peer, rail, .. } => Some((false, peer, rail)),
                Action::Reduce { .. } | Action::Copy { .. } => None,
            };
            if let Some(before) = channel.and_then(|channel| last.insert(channel, index)) {
                agenda.next[before as usize] = Some(index);
                waits += 1;
            }
            agenda.waits.push(waits);
            if waits == 0 {
                agenda.ready.push(Reverse(index));
            }
        }
        agenda
    }

    /// Returns whether an operation may be posted now.
    pub fn may_post(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns the operation to post now, the first of the list, or `None` if all must wait.
    pub fn post(&mut self) -> Option<u32> {
        let Reverse(operation) = self.ready.pop()?;
        if let Some(next) = self.next[operation as usize] {
            self.release(next);
        }
        Some(operation)
    }

    /// Releases the operations that wait for an operation to be complete.
    pub fn complete(&mut self, operation: u32) {
        self.left -= 1;
        for dependent in std::mem::take(&mut self.dependents[operation as usize]) {
            self.release(dependent);
        }
    }

    /// Returns whether all operations are complete.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    fn release(&mut self, operation: u32) {
        let waits = &mut self.waits[operation as usize];
        *waits -= 1;
        if *waits == 0 {
            self.ready.push(Reverse(operation));
        }
    }
}

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
        let mut agenda = Agenda::new(&[receive(1), send(2, &[0]), send(2, &[]), receive(3), send(4, &[3])]);
        let posted: Vec<_> = std::iter::from_fn(|| agenda.post()).collect();
        assert_eq!(posted, [0, 3], "the second message to 2 is posted behind the first");
        agenda.complete(3);
        assert_eq!((agenda.post(), agenda.post()), (Some(4), None));
        agenda.complete(0);
        assert_eq!((agenda.post(), agenda.post(), agenda.post()), (Some(1), Some(2), None));
        assert!(!agenda.is_done());
        for operation in [1, 2, 4] {
            agenda.complete(operation);
        }
        assert!(agenda.is_done());
    }
}
