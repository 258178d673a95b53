//! The program `qtdec-bench`: it measures collectives over a grid in one launch, or the parameters of the network.
//!
//! All ranks run the same code. The first one decides what comes next and tells the others, so that they decide by the same values.

mod arguments;
mod buffers;
mod cell;
mod clock;
mod entry;
mod grid;
mod layout;
#[cfg(test)]
#[path = "../tests/memory/mod.rs"]
mod memory;
mod method;
mod network;
mod race;
mod ruled;
mod smoke;
mod times;
mod warm_up;

pub use entry::bench;
#[cfg(target_os = "linux")]
pub(crate) use grid::{job, library, machine};
pub(crate) use method::Method;
