//! Times of collectives by simulation of their schedules.
//!
//! One event-driven engine runs a schedule on a [`Network`]:
//!
//! - **Send ports.** A node has one for each rail. A message of `m` bytes occupies it for `g(m)`; messages leave in the order
//!   in which they were handed over. A send is complete when its message has left the port.
//! - **Receive ports.** A node has one for each rail. `L` after it began to leave, a message reaches the port. It occupies the
//!   port for `g(m)` in the order of arrival (`fifo`), or shares it with those of other ranks (`shared`; the messages of one
//!   rank to another stay in order).
//! - **Processors.** A rank's processor is busy for `os(m)` with a send and for `or(m)` with a receive: not at all (`ignored`),
//!   during the time that the message takes anyway (`inside`), or before it leaves and after it arrived (`outside`). It also
//!   combines and copies. Operations that wait for a processor run in the order of the rank's list.
//! - **Handshakes.** A message above the eager limit is sent after an exchange of a one-byte request and a reply,
//!   which pass the ports like any message; the receiver replies when its receive is posted. A smaller message is sent
//!   at once, and is copied if its receive is posted later.
//! - **Arrivals.** A rank begins when it arrives, by a [`Skew`] after the common start, from which times count. Messages to it wait
//!   like those whose receive is posted later.
//! - **Nodes.** Messages between ranks of one node use ports of these ranks, not those of the node.
//!
//! Time is counted in whole picoseconds. Simultaneous events happen in the order in which they were scheduled, and
//! operations that can be posted at the same moment are posted in the order of ranks and lists. Processors that become free
//! at that moment then serve the operations that wait for them, in the order of ranks. So a simulation gives exactly the
//! same result on every machine.

mod arrivals;
mod costs;
mod engine;
mod error;
mod events;
mod grid;
mod memory;
mod noise;
mod program;
mod shared_port;
mod skew;
mod ties;
mod time;

pub use arrivals::Arrivals;
#[doc(hidden)]
pub use engine::Engine;
pub use error::{Place, SimulateError};
pub(crate) use grid::in_parallel;
pub use grid::{Point, Simulator, times};
#[doc(hidden)]
pub use memory::of_rank as memory_of_rank;
pub use noise::Noise;
#[doc(hidden)]
pub use program::Program;
pub use skew::Skew;
pub use time::Time;

use crate::network::Network;
use qtdec_mpi_schedule::Schedule;

/// An observer of a simulation, which can for example draw it.
///
/// Other crates can implement the trait. Every method has a default that does nothing.
pub trait Observer {
    /// Whether the observer needs to be called at all.
    const LOOKS: bool = true;

    /// Called when an operation is posted.
    fn posted(&mut self, operation: Place, at: Time) {
        let _ = (operation, at);
    }

    /// Called with the times from and to which the message of a send occupies its port.
    fn sent(&mut self, send: Place, from: Time, to: Time) {
        let _ = (send, from, to);
    }

    /// Called when something is scheduled to happen: to a message at its receiver, `to`, or at the rank that schedules it. Events at which
    /// a processor becomes free are left out.
    #[doc(hidden)]
    fn foreseen(&mut self, now: Time, at: Time, to: Option<u32>) {
        let _ = (now, at, to);
    }

    /// Called when an operation is complete.
    fn completed(&mut self, operation: Place, at: Time) {
        let _ = (operation, at);
    }
}

/// An observer that does nothing.
impl Observer for () {
    const LOOKS: bool = false;
}

/// Simulates one schedule and returns the time at which the last rank is done.
///
/// # Errors
///
/// Fails if the schedule is not sound: a message has no counterpart, or ranks wait for each other.
pub fn simulate(schedule: &Schedule, network: &Network) -> Result<Time, SimulateError> {
    Engine::default().run(&Program::new(schedule)?, network, Noise::default(), &mut ())
}
