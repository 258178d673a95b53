//! Errors of simulations.

use std::fmt;

use qtdec_mpi_schedule::ScheduleError;

/// An operation of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The operation's rank.
    pub rank: u32,
    /// The operation's position in the rank's list.
    pub operation: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {} of rank {}", self.operation, self.rank)
    }
}

/// The error of a schedule that cannot be simulated to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimulateError {
    /// The schedule could not be built.
    Schedule(ScheduleError),
    /// A message to a rank that does not exist or does not take part, to the rank itself, or on a rail beyond 64.
    Unmatched(Place),
    /// A send and its receive have different sizes.
    SizesDiffer(Place, Place),
    /// An operation waits for one that stands behind it.
    WaitsForLater(Place),
    /// A deadlock: nothing more can happen, and the operation is not complete.
    Stuck(Place),
    /// The collective takes longer than 213 days.
    TooLong,
    /// The pattern in which ranks arrive has the delays of fewer ranks than the call.
    TooFewDelays {
        /// The number of delays.
        delays: usize,
        /// The number of ranks.
        comm_size: usize,
    },
}

impl fmt::Display for SimulateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schedule(error) => error.fmt(f),
            Self::Unmatched(place) => write!(f, "{place} has no matching operation at its peer"),
            Self::SizesDiffer(send, receive) => {
                write!(f, "the number of bytes of {send} is not the one that {receive} expects")
            }
            Self::WaitsForLater(place) => {
                write!(f, "{place} waits for an operation that does not precede it")
            }
            Self::Stuck(place) => {
                write!(f, "the ranks wait for each other, first at {place}")
            }
            Self::TooLong => f.write_str("the collective takes longer than 213 days"),
            Self::TooFewDelays { delays, comm_size } => {
                write!(
                    f,
                    "the skew has the delays of {delays} ranks, and the call has {comm_size}: add one for each of the others"
                )
            }
        }
    }
}

impl std::error::Error for SimulateError {}
