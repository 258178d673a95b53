//! A program that learns while it runs: other methods are tried in a share of its calls, and take over where a test shows them faster.
//!
//! All of this is values: times go in, choices come out. `c/` measures the times, and lets the ranks agree about the largest of each.

mod class;
mod evidence;
mod level;
mod pace;
#[cfg(test)]
mod simulation;
mod spending;
mod window;
