//! The limits at which the reading of a file ends: of the memory for times, because compressed files can hold hundreds of times as many
//! rows as bytes, and of the number of faults.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use qtdec_times::faults::FaultCount;

use super::advice;

/// The maximum number of bytes for times, points and names, as counted by the tables that hold them. A table that grows
/// takes up to half as much again.
const MAX: usize = 512 << 20;

/// The memory taken by the data read from all files together.
#[derive(Clone, Debug, Default)]
pub(super) struct TakenMemory(Rc<Cell<usize>>);

impl TakenMemory {
    pub(super) fn set(&self, bytes: usize) {
        self.0.set(bytes);
    }
}

/// A reader that returns a limited number of bytes per row: whoever reads rows sets `left` anew.
pub(crate) struct RowReader<R> {
    pub(crate) input: R,
    pub(crate) left: u64,
    /// Whether the end was reached: the last row may have no line end.
    pub(crate) ended: bool,
    pub(crate) too_long: &'static str,
}

impl<R: Read> Read for RowReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(self.too_long));
        }
        let length = self.input.read(buffer)?;
        self.left = self.left.saturating_sub(length as u64);
        self.ended = length == 0;
        Ok(length)
    }
}

/// A reader that returns an error once a limit is reached, and remembers the last byte.
pub(super) struct LimitedReader<R> {
    pub(super) input: R,
    pub(super) taken: TakenMemory,
    pub(super) faults: FaultCount,
    pub(super) last: u8,
}

impl<R> LimitedReader<R> {
    fn check(&self) -> io::Result<()> {
        if self.taken.0.get() > MAX {
            return Err(io::Error::other(advice::too_many_times(MAX >> 20)));
        }
        self.faults.check().map_err(io::Error::other)
    }
}

impl<R: BufRead> Read for LimitedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        let length = self.input.read(buffer)?;
        self.last = buffer[..length].last().copied().unwrap_or(self.last);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for LimitedReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.input.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        // Consumed bytes are already buffered, so nothing is read here.
        if let Some(before) = length.checked_sub(1)
            && let Ok(bytes) = self.input.fill_buf()
        {
            self.last = bytes.get(before).copied().unwrap_or(self.last);
        }
        self.input.consume(length);
    }
}
