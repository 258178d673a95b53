//! The execution of one rank's schedule.

use std::fmt;

use qtdec_mpi_schedule::{Action, Operation};

use crate::agenda::Agenda;
use crate::transport::{Progress, Transport};

/// The operations of a rank, of which some are complete and some under way.
#[derive(Debug)]
pub struct Execution<'s> {
    operations: &'s [Operation],
    agenda: Agenda,
    /// Memory for the operations that a transport completes.
    complete: Vec<u32>,
}

impl<'s> Execution<'s> {
    /// Creates the execution of a rank that has done nothing yet.
    pub fn new(operations: &'s [Operation]) -> Self {
        Self { operations, agenda: Agenda::new(operations), complete: Vec::new() }
    }

    /// Begins the next operation that may be begun, the first of the list. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Fails if the transport fails.
    pub fn begin<T: Transport>(&mut self, transport: &mut T) -> Result<bool, T::Error> {
        let Some(index) = self.agenda.post() else { return Ok(false) };
        let progress = match &self.operations[index as usize].action {
            Action::Send { peer, rail, parts } => transport.send(index, *peer, *rail, parts),
            Action::Receive { peer, rail, parts } => transport.receive(index, *peer, *rail, parts),
            Action::Reduce { parts, into } => transport.reduce(index, parts, *into),
            Action::Copy { parts, into } => transport.copy(index, parts, *into),
        };
        if progress? == Progress::Complete {
            self.agenda.complete(index);
        }
        Ok(true)
    }

    /// Waits for operations to be complete. Returns their number.
    ///
    /// # Errors
    ///
    /// Fails if the transport fails.
    pub fn wait<T: Transport>(&mut self, transport: &mut T) -> Result<usize, T::Error> {
        self.complete.clear();
        transport.wait(&mut self.complete)?;
        for &index in &self.complete {
            self.agenda.complete(index);
        }
        Ok(self.complete.len())
    }

    /// Returns whether an operation may be begun.
    pub fn may_begin(&self) -> bool {
        self.agenda.may_post()
    }

    /// Returns whether all operations are complete.
    pub fn is_done(&self) -> bool {
        self.agenda.is_done()
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
