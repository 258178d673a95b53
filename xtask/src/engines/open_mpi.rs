//! Open MPI: its own reader and lookups, and complete runs.

mod maps;
mod reader;
mod running;
mod script;
mod spoilt;

pub(super) use reader::prove;
pub(super) use running::observe;
