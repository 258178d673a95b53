//! What is known about MPI, as pure values: collectives, their algorithms as schedules, and network models.
//!
//! Nothing here reads a file, a clock or a terminal.

pub mod collective;
pub mod schedule;

pub use collective::Collective;
pub use schedule::{Request, Schedule};
