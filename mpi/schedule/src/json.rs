//! The file format of schedules, `qtdec-schedule/1`.
//!
//! The schema is `mpi/schedule/schema/qtdec-schedule-1.schema.json`; the meaning of operations is described in
//! [the module of schedules](super).

mod read;
mod write;

pub use write::Times;

const FORMAT: &str = "qtdec-schedule/1";
