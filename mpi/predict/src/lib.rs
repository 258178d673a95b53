//! Times of MPI collectives as pure values: network parameters, formulas and a simulator.
//!
//! Nothing here reads a file, a clock or a terminal.
//!
//! ```
//! use qtdec_mpi_predict::{shipped, simulate};
//! use qtdec_mpi_schedule::{Collective, Request, Schedule, find};
//!
//! let binomial = find(Collective::Bcast, "binomial")?;
//! let schedule = Schedule::build(binomial, &Request::new(16, 1 << 20)?)?;
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
pub mod fit;
#[doc(hidden)]
pub mod models;
pub mod network;
#[doc(hidden)]
pub mod predict;
pub mod simulate;
#[doc(hidden)]
pub mod trust;

pub use network::{Network, shipped};
pub use simulate::{SimulateError, Time, simulate};
