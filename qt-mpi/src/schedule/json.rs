//! The file form of a schedule, `qtdec-schedule/1`.
//!
//! The schema is `qt-mpi/schema/qtdec-schedule-1.schema.json`; what operations mean is said in
//! [the module of schedules](super).

mod read;
mod write;

pub use read::ReadError;
pub use write::Times;

/// The word that says what the file is.
const FORMAT: &str = "qtdec-schedule/1";
