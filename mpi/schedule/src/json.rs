//! The file format of schedules, `qtdec-schedule/1`.
//!
//! The schema is `mpi/schedule/schema/qtdec-schedule-1.schema.json`; the meaning of operations is described in
//! [the module of schedules](super).

mod read;
mod write;

use std::fmt::{self, Display, Formatter};

pub use write::Times;

const FORMAT: &str = "qtdec-schedule/1";

/// A text that is formatted while it is written.
pub(super) struct Written<F>(pub(super) F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Written<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}
