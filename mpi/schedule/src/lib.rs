//! Collectives as data: which rank sends which bytes to whom, and after what.
//!
//! An algorithm is a pure function of one rank: it returns the [`RankSchedule`] of that rank without looking at any other
//! rank's. [`Schedule`] collects the ranks. The model is that of GOAL (Hoefler, Siebert and Lumsdaine, "Group Operation
//! Assembly Language", ICPP 2009) and of libNBC: a list of operations, each with the operations it waits for.
//!
//! ```text
//!  Request ─┬─► Algorithm ─► RankSchedule, one a rank ─► Schedule ─► verified, counted, drawn, simulated, exported
//!           └── p, root, count, element size, segment size, variant
//! ```
//!
//! # Semantics
//!
//! - Every rank owns a few [`Buffer`]s. A [`Part`] is a range of bytes of one of them.
//! - An operation is *posted* as soon as every operation in its `after` is complete, and it completes by itself later.
//!   All operations that may be posted are posted; nothing else orders the operations of a rank, with one exception:
//! - Operations of one rank with the same peer, rail and direction are posted in list order. The n-th send of rank a to
//!   rank b on a rail is received by the n-th receive from a on that rail at b, as MPI matches messages of one
//!   communicator and tag.
//! - A message is the concatenation of its parts; the receiver cuts it into parts of its own. Both have the same total
//!   size. A message without parts has no bytes.
//! - `reduce` combines its operands from left to right, element by element, and stores the result in `into`, which is
//!   read only if it is one of the operands. `copy` stores the concatenation of its parts in `into`.
//! - A send reads and a receive writes its parts at any time between its posting and its completion.
//!
//! ```
//! use qtdec_mpi_schedule::{Collective, Request, Schedule, find};
//!
//! let binomial = find(Collective::Bcast, "binomial")?;
//! let schedule = Schedule::build(binomial, &Request::new(16, 1 << 20)?)?;
//! assert_eq!(schedule.verify()?.counts().rounds, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! The items at the root of this crate keep their meaning within a minor version. **Everything else is not stable**: the
//! packages of qtdec depend on exactly this version, and any release may change their modules.

mod algorithm;
mod algorithms;
mod all_ranks;
mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod bcast;
mod blocks;
mod budget;
mod builder;
mod circulant;
mod clusters;
pub mod collective;
mod counts;
mod delivery;
mod error;
mod fault;
mod goal;
mod graph;
mod group;
mod hazards;
mod json;
mod mirror;
mod open_mpi;
mod operation;
mod partial;
#[doc(hidden)]
pub mod radix;
mod reduce;
mod reduce_scatter_block;
mod request;
mod runs;
mod slots;
mod standard;
mod steps;
mod symmetry;
mod tree;
mod two_level;
mod two_trees;
mod verify;
mod whole;

pub use algorithm::{Algorithm, Entry, Plan};
#[doc(hidden)]
pub use algorithms::{accept, all};
pub use algorithms::{algorithms, find};
pub use all_ranks::Schedule;
#[doc(hidden)]
pub use budget::{Budget, Costs};
pub use budget::{Limits, MAX_OPERATIONS, TooLarge};
pub use builder::Builder;
pub use clusters::Clusters;
pub use collective::Collective;
pub use counts::{Bounds, Counts, Passage};
pub use delivery::{Arrival, DeliveryTree};
pub use error::{RequestError, ScheduleError};
pub use fault::{Fault, FaultKind, Site};
pub use json::Times;
pub use operation::{Action, Buffer, MAX_RAILS, Operation, Part, RankSchedule, Span};
pub use request::{Library, MAX_COMM_SIZE, MAX_SEGMENTS, Request, Variant};
#[doc(hidden)]
pub use steps::{Step, Verb};
#[doc(hidden)]
pub use symmetry::Symmetry;
pub use two_level::Named;
#[doc(hidden)]
pub use two_level::{Level, TwoLevel};
pub use verify::Verified;
