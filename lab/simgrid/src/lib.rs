//! What SimGrid needs of qtdec: networks as its platforms, and points of a grid as files.
//!
//! With the feature `simgrid`, the program `qtdec-simgrid` runs schedules in [SimGrid](https://simgrid.org), which is linked
//! dynamically. Without it this package needs only Rust.

pub mod platform;
pub mod points;
