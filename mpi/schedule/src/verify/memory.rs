//! The buffers of one rank: their contents and their last users.

use super::content::Content;
use crate::runs::Runs;
use crate::{Buffer, Part};

/// The buffers of one rank, cut into runs with the same history.
#[derive(Debug, Default)]
pub(super) struct Memory {
    buffers: [Runs<History>; Buffer::ALL.len()],
    /// The readers that were listed again when runs were cut.
    copied: usize,
}

/// The readers that take as much memory as a run.
const READERS: usize = 16;

/// What happened to a run of bytes.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) content: Option<Content>,
    /// The operation that wrote it last.
    pub(super) writer: Option<usize>,
    /// The operations that have read it since.
    pub(super) readers: Vec<usize>,
}

impl Memory {
    /// Returns buffers of which only `part` has content.
    pub(super) fn with(part: Option<Part>, content: Content) -> Self {
        let mut memory = Self::default();
        if let Some(part) = part {
            let history = History { content: Some(content), ..History::default() };
            memory.buffers[part.buffer as usize] = Runs::with(part.offset, part.end(), history);
        }
        memory
    }

    /// Returns the runs of `part` in order, cut at its borders; bytes that were never used become runs first.
    pub(super) fn over(&mut self, part: Part) -> impl Iterator<Item = (Part, &mut History)> {
        let (buffer, copied) = (part.buffer, &mut self.copied);
        let runs = self.buffers[buffer as usize].over(part.offset, part.end(), |history, bytes| {
            *copied += history.readers.len();
            let content = history.content.as_ref().map(|content| content.advanced(bytes));
            History { content, writer: history.writer, readers: history.readers.clone() }
        });
        runs.map(move |(offset, end, history)| (Part { buffer, offset, bytes: end - offset }, history))
    }

    /// Returns the number of runs, and of what takes as much memory.
    pub(super) fn len(&self) -> usize {
        self.buffers.iter().map(Runs::len).sum::<usize>() + self.copied / READERS
    }
}
