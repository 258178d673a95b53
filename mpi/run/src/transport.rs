//! How the operations of a rank are carried out.

use qtdec_mpi_schedule::Part;

/// The means of one rank to carry out operations: its buffers, and messages to other ranks.
///
/// Operations are named by their position in the list of the rank. An operation that is begun may be carried out at any time
/// until it is complete. Messages with the same peer, rail and direction are matched in the order in which they are begun; a
/// rail is the tag of its messages.
pub trait Transport {
    /// The reason why an operation cannot be carried out.
    type Error;

    /// Begins to send the concatenation of `parts` to `peer`.
    ///
    /// # Errors
    ///
    /// Fails if the message cannot be sent.
    fn send(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part])
    -> Result<Progress, Self::Error>;

    /// Begins to receive a message from `peer` into `parts`.
    ///
    /// # Errors
    ///
    /// Fails if the message cannot be received.
    fn receive(
        &mut self,
        operation: u32,
        peer: u32,
        rail: u32,
        parts: &[Part],
    ) -> Result<Progress, Self::Error>;

    /// Begins to combine `parts` from left to right into `into`, which may be one of them.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be combined.
    fn reduce(&mut self, operation: u32, parts: &[Part], into: Part) -> Result<Progress, Self::Error>;

    /// Begins to store the concatenation of `parts` in `into`.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be copied.
    fn copy(&mut self, operation: u32, parts: &[Part], into: Part) -> Result<Progress, Self::Error>;

    /// Waits until one of the operations under way is complete, and adds those that are to `complete`.
    ///
    /// Adds none if none can be complete any more.
    ///
    /// # Errors
    ///
    /// Fails if an operation that is under way failed.
    fn wait(&mut self, complete: &mut Vec<u32>) -> Result<(), Self::Error>;
}

/// The state of an operation that was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The operation is complete.
    Complete,
    /// The operation is under way; [`Transport::wait`] tells when it is complete.
    UnderWay,
}
