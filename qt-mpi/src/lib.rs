//! Knowledge about MPI as pure values: collectives, their algorithms as schedules, and network models.
//!
//! Nothing here reads a file, a clock or a terminal.

pub mod catalogue;
pub mod collective;
pub mod experiment;
pub mod fit;
pub mod models;
pub mod network;
pub mod predict;
pub mod rules;
pub mod schedule;
pub mod simulate;
pub mod trust;

pub use collective::Collective;
pub use network::Network;
pub use schedule::{Request, Schedule};
