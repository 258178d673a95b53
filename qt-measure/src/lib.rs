//! Measures the methods of a decision in a program's own benchmark, and writes the decision map or all times.
//!
//! A [`Benchmark`] is a grid of sizes or labels and the methods to choose from, each a closure. Its place is a `[[bench]]` with
//! `harness = false`: `cargo bench` writes the map, and the next build uses it.
//!
//! ```
//! use qtdec_measure::Benchmark;
//!
//! let measured = Benchmark::new()
//!     .axis("len", [16, 256])
//!     .method("forwards", |point| {
//!         let data: Vec<u64> = (0..point["len"]).collect();
//!         move || data.iter().sum::<u64>()
//!     })
//!     .method("backwards", |point| {
//!         let data: Vec<u64> = (0..point["len"]).collect();
//!         move || data.iter().rev().sum::<u64>()
//!     })
//!     .rounds(3)
//!     .quiet()
//!     .measure()?;
//! let map = measured.map()?;
//! assert_eq!(map.cells().len(), 2);
//! assert_eq!(map.costs().unwrap().unit.as_deref(), Some("ns"));
//! # Ok::<(), qtdec_measure::Error>(())
//! ```
//!
//! How it measures:
//!
//! - A *round* measures every method at every point once, so that what slows the machine down for a while affects all methods alike.
//!   The order of the methods changes from round to round.
//! - One repeat is a batch of calls that takes about a millisecond, after a warm-up at the point. Its time is the mean of its calls.
//! - A method that is clearly slower than the best one at a point in three or more rounds is measured no further there
//!   ([`race`](Benchmark::race)).
//! - After ten rounds, only methods that are still close are measured, until the time budget ends. It is checked between repeats; the first
//!   round is always finished, because without it there is no map.
//! - Before a map is written, the processor time of the thread is compared with the wall clock, and the repeats with each other. A
//!   measurement that other programs [disturbed](Measured::disturbance) replaces no map.
//! - The cost of a method is the median of its repeats, or another [statistic](Benchmark::statistic). [`Benchmark::keep_times`] keeps the repeats themselves, as canonical times, which
//!   every command of `qtdec` reads.

mod arguments;
mod benchmark;
mod clock;
mod disturbed;
mod error;
mod machine;
mod measured;
mod point;
mod progress;
mod rounds;
mod timing;

pub use benchmark::Benchmark;
pub use clock::Clock;
pub use error::Error;
pub use measured::Measured;
pub use point::Point;
pub use qtdec_core::{Axis, DecisionMap, Method, Problems, Samples};
pub use qtdec_times::{Statistic, Times};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
