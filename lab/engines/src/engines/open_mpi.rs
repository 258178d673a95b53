//! Open MPI: its own reader and lookups, and complete runs.

mod han;
mod malformed;
mod maps;
mod nodes;
mod reader;
mod running;
mod script;
mod smoke;
mod spy;

pub(super) use reader::{component, prove};
pub(super) use running::observe;
