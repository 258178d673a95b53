//! Knowledge about MPI as pure values: collectives, their algorithms as schedules, and network models.
//!
//! Nothing here reads a file, a clock or a terminal.
//!
//! ```
//! use qtdec_mpi::{Collective, Request, Schedule, find, shipped, simulate};
//!
//! let binomial = find(Collective::Bcast, "binomial")?;
//! let schedule = Schedule::build(binomial, &Request::new(16, 1 << 20)?)?;
//! let verified = schedule.verify()?;
//! assert_eq!(verified.counts().rounds, 4);
//! let time = simulate(&schedule, &shipped("grig")?)?;
//! assert!(time.seconds() > 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! The items at the root of this crate keep their meaning within a minor version. **Everything else is not stable**: the
//! packages of qtdec depend on exactly this version, and any release may change their modules.

#[doc(hidden)]
pub mod catalogue;
pub mod collective;
#[doc(hidden)]
pub mod experiment;
#[doc(hidden)]
pub mod fit;
#[doc(hidden)]
pub mod models;
pub mod network;
#[doc(hidden)]
pub mod predict;
mod radix;
mod rails;
#[doc(hidden)]
pub mod rules;
pub mod schedule;
pub mod simulate;
#[doc(hidden)]
pub mod trust;

pub use collective::Collective;
pub use network::{Network, shipped};
pub use schedule::{
    Action, Buffer, Fault, Operation, Part, RankSchedule, Request, RequestError, Schedule, ScheduleError,
    Verified, algorithms, find,
};
pub use simulate::{SimulateError, Time, simulate};
