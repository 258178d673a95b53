//! The memory of simulations, known from their arguments.

use super::SimulateError;
use crate::network::{Description, ReceivePort};
use qtdec_mpi_schedule::{Budget, Costs, MAX_OPERATIONS, ScheduleError, TooLarge};

/// The memory that all simulations of a process may take together, in bytes.
pub(super) const ALL: u64 = 800 << 20;

/// The memory of one simulation that runs while no other one of its size does.
pub(super) const ONE: u64 = 640 << 20;

/// The memory of a rank without ports.
const FIXED: u64 = 400;

/// The memory of a port: its lanes of events.
const PORT: u64 = 420;

/// The memory that a port takes in addition if messages share it.
const SHARED: u64 = 240;

/// Returns the memory in bytes of one rank on a network: its share of its node's ports and its own port.
pub fn of_rank(network: &Description) -> u64 {
    let port = PORT + if network.receive == ReceivePort::Shared { SHARED } else { 0 };
    let of_node = (u64::from(network.rails) * port).div_ceil(network.ranks_per_node.max(1));
    FIXED + port + of_node
}

/// Checks that the ports of all ranks fit into memory.
pub(super) fn check(network: &Description, comm_size: usize) -> Result<(), SimulateError> {
    let most = ONE / of_rank(network);
    let fit = comm_size as u64 <= most;
    fit.then_some(()).ok_or(SimulateError::Schedule(ScheduleError::TooLarge(TooLarge::Ranks { most })))
}

/// Returns the budget of a simulation whose ranks take `rank` bytes.
pub(super) const fn budget(limit: u64, rank: u64) -> Budget {
    Budget::new(Costs::simulated(limit, rank), MAX_OPERATIONS)
}
