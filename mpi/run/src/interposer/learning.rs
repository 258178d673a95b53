//! A program that learns while it runs: other methods are tried in a share of its calls, and take over where a test shows them faster.
//!
//! ```text
//!  Call ──► Learner ──► Class ──► Turn: a method, and whether its time counts
//!                         ▲
//!           times on which the ranks agreed ──► Pace, Evidence, Level
//! ```
//!
//! All of this is values: times go in, choices come out. `c/` measures the times, and lets the ranks agree about the largest of each. Only
//! [`Learning`] reads and writes files.

mod beginnings;
mod candidates;
mod class;
mod evidence;
mod file;
mod learner;
mod level;
mod pace;
mod prior;
mod process;
mod spending;
#[cfg(test)]
mod tests;
mod trees;
mod window;

pub(super) use learner::Step;
pub(super) use process::{Learning, OfCommunicator};
pub(super) use window::Values;
