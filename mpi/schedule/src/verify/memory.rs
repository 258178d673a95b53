//! The buffers of one rank: their contents and their last users.

use std::collections::BTreeMap;

use super::content::Content;
use crate::{Buffer, Part};

/// The buffers of one rank, cut into runs with the same history.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Non-overlapping runs of bytes, by start. Bytes outside any run were never used.
    runs: BTreeMap<(Buffer, u64), Run>,
    /// The readers that were listed again when runs were cut.
    copied: usize,
}

/// The readers that take as much memory as a run.
const READERS: usize = 16;

/// A run of bytes with the same history.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    end: u64,
    /// The content, if it is known.
    pub(super) content: Option<Content>,
    /// The operation that wrote it last.
    pub(super) writer: Option<usize>,
    /// The operations that have read it since.
    pub(super) readers: Vec<usize>,
}

impl Memory {
    /// Returns buffers of which only `part` has content.
    pub(super) fn with(part: Option<Part>, content: Content) -> Self {
        let run = |part: Part| Run { end: part.end(), content: Some(content), ..Run::default() };
        Self {
            runs: part.map(|part| ((part.buffer, part.offset), run(part))).into_iter().collect(),
            copied: 0,
        }
    }

    /// Visits the runs of `part` in order, cut at its borders; bytes that were never used become runs first.
    pub(super) fn visit<E>(
        &mut self,
        part: Part,
        mut visit: impl FnMut(Part, &mut Run) -> Result<(), E>,
    ) -> Result<(), E> {
        let (buffer, end) = (part.buffer, part.end());
        self.cut(buffer, part.offset);
        self.cut(buffer, end);
        self.fill(part);
        for (&(_, offset), run) in self.runs.range_mut((buffer, part.offset)..(buffer, end)) {
            visit(Part { buffer, offset, bytes: run.end - offset }, run)?;
        }
        Ok(())
    }

    /// Returns the number of runs, and of what takes as much memory.
    pub(super) fn len(&self) -> usize {
        self.runs.len() + self.copied / READERS
    }

    /// Returns the lengths and contents of the runs of `part`, in order.
    pub(super) fn runs(&self, part: Part) -> Vec<(u64, Option<Content>)> {
        let (buffer, end) = (part.buffer, part.end());
        let before = self.runs.range((buffer, 0)..(buffer, part.offset)).next_back();
        let inside = self.runs.range((buffer, part.offset)..(buffer, end));
        let mut runs = Vec::new();
        let mut at = part.offset;
        for (&(_, start), run) in before.filter(|(_, run)| run.end > part.offset).into_iter().chain(inside) {
            if at < start {
                runs.push((start - at, None));
                at = start;
            }
            let stop = run.end.min(end);
            let content = run.content.as_ref().map(|content| content.advanced(at - start));
            runs.push((stop - at, content));
            at = stop;
        }
        if at < end {
            runs.push((end - at, None));
        }
        runs
    }

    fn cut(&mut self, buffer: Buffer, at: u64) {
        let Some((&(_, start), run)) = self.runs.range_mut((buffer, 0)..(buffer, at)).next_back() else {
            return;
        };
        if run.end > at {
            let mut behind = run.clone();
            behind.content = run.content.as_ref().map(|content| content.advanced(at - start));
            run.end = at;
            self.copied += behind.readers.len();
            self.runs.insert((buffer, at), behind);
        }
    }

    fn fill(&mut self, part: Part) {
        let (buffer, end) = (part.buffer, part.end());
        let mut at = part.offset;
        let mut gaps = Vec::new();
        for (&(_, start), run) in self.runs.range((buffer, at)..(buffer, end)) {
            if at < start {
                gaps.push((at, start));
            }
            at = run.end;
        }
        if at < end {
            gaps.push((at, end));
        }
        for (start, end) in gaps {
            self.runs.insert((buffer, start), Run { end, ..Run::default() });
        }
    }
}
