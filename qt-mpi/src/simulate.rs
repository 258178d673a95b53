//! Times of collectives by simulation of their schedules.
//!
//! One event-driven engine runs a schedule on a [`Network`]:
//!
//! - **Send ports.** A node has one for each rail. A message of `m` bytes holds it for `g(m)`; messages leave in the order
//!   in which they were handed over. A send is complete when its message has left the port.
//! - **Receive ports.** Likewise. `L` after it began to leave, a message reaches the port, and holds it for `g(m)` in the
//!   order of arrival (`fifo`), or shares it with those of other ranks (`shared`; the messages of one rank to another
//!   stay in order).
//! - **Processors.** A rank's is busy for `os(m)` with a send and for `or(m)` with a receive: not at all (`ignored`), in the
//!   time that the message takes anyway (`inside`), or before it leaves and after it arrived (`outside`). It also combines
//!   and copies. Of what waits for a processor, what stands first in the rank's list comes first.
//! - **Handshakes.** A message above the eager limit is sent when a request of one byte and a reply have gone back and
//!   forth, through the ports like any message; the receiver replies when its receive is posted. A smaller message goes
//!   at once, and is copied if its receive is posted later.
//! - **Nodes.** Messages between ranks of one node take ports of these ranks, not those of the node.
//!
//! Time is counted in whole picoseconds. What happens at the same moment happens in the order in which it was foreseen, and
//! operations that can be posted at the same moment are posted in the order of ranks and lists. So a simulation gives
//! the same to the last digit on every machine.

mod costs;
mod engine;
mod error;
mod events;
mod grid;
mod noise;
mod program;
mod shared;
mod time;

pub use engine::Engine;
pub use error::{Place, SimulateError};
pub use grid::{Point, Simulator, times};
pub use noise::Noise;
pub use program::Program;
pub use time::Time;

use crate::network::Network;
use crate::schedule::Schedule;

/// What looks on while a schedule is simulated, for example to draw it.
pub trait Observer {
    /// Whether it looks on at all; otherwise it is never told.
    const LOOKS: bool = true;

    /// Is told when an operation is posted.
    fn posted(&mut self, operation: Place, at: Time) {
        let _ = (operation, at);
    }

    /// Is told from when to when the message of a send holds its port.
    fn sent(&mut self, send: Place, from: Time, to: Time) {
        let _ = (send, from, to);
    }

    /// Is told when an operation is complete.
    fn completed(&mut self, operation: Place, at: Time) {
        let _ = (operation, at);
    }
}

/// Nobody looks on.
impl Observer for () {
    const LOOKS: bool = false;
}

/// Simulates one schedule and returns when the last rank is done.
///
/// # Errors
///
/// The schedule is not sound: a message has no other side, or the ranks wait for each other.
pub fn simulate(schedule: &Schedule, network: &Network) -> Result<Time, SimulateError> {
    Engine::default().run(&Program::new(schedule)?, network, Noise::default(), &mut ())
}
