//! Measured times: readers of benchmark output, the resulting measurements, and the maps made from them.

pub mod canonical;
pub(crate) mod faults;
pub mod hold_out;
pub mod launches;
pub mod measurements;
pub mod notes;
pub mod profile;
pub mod readers;
pub mod selection;
pub mod size;
