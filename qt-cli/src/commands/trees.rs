//! Trees: maps become decisions and code, and what these cost.

pub(crate) mod c45;
pub(crate) mod decide;
pub(crate) mod emit;
pub(crate) mod encode;
mod hold_out;
mod leave_out;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod stats;
pub(crate) mod sweep;
