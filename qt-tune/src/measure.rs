//! Measured times: readers of benchmark output, the measurements they yield, and the map chosen from them.

pub(crate) mod faults;
pub mod hold_out;
pub mod measurements;
pub mod notes;
pub mod profile;
pub mod readers;
pub mod selection;
