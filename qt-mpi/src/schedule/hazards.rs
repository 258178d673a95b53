//! Which operation of a rank has to wait for which, by the bytes that both touch.

use std::collections::BTreeMap;

use super::{Action, Buffer, Part};

/// The operations that used each byte of a rank's buffers last.
#[derive(Debug, Default)]
pub(super) struct Hazards {
    /// Runs of bytes without overlap, by where they start.
    runs: BTreeMap<(Buffer, u64), Run>,
}

#[derive(Clone, Debug, Default)]
struct Run {
    end: u64,
    writer: Option<u32>,
    /// Those that read what the writer wrote.
    readers: Vec<u32>,
}

impl Hazards {
    /// Notes that operation `index` does `action`, and adds to `after` what it must wait for: who wrote what it reads,
    /// who read or wrote what it writes.
    pub(super) fn note(&mut self, index: u32, action: &Action, after: &mut Vec<u32>) {
        for &part in action.reads() {
            self.visit(part, |run| {
                after.extend(run.writer);
                if run.readers.last() != Some(&index) {
                    run.readers.push(index);
                }
            });
        }
        for &part in action.writes() {
            self.visit(part, |run| {
                // Readers waited for the writer. An operation that combines in place has read the run itself.
                let readers = run.readers.iter().copied().filter(|&reader| reader != index);
                let before = after.len();
                after.extend(readers);
                if after.len() == before {
                    after.extend(run.writer.filter(|&writer| writer != index));
                }
                *run = Run { end: run.end, writer: Some(index), readers: Vec::new() };
            });
        }
    }

    /// Visits every run of `part`, cut at its borders; bytes that nobody used before are runs too.
    fn visit(&mut self, part: Part, mut visit: impl FnMut(&mut Run)) {
        let Part { buffer, offset, .. } = part;
        let end = part.end();
        self.cut(buffer, offset);
        self.cut(buffer, end);
        let mut at = offset;
        let mut gaps = Vec::new();
        for (&(_, start), run) in self.runs.range_mut((buffer, offset)..(buffer, end)) {
            if at < start {
                gaps.push((at, start));
            }
            visit(run);
            at = run.end;
        }
        if at < end {
            gaps.push((at, end));
        }
        for (start, end) in gaps {
            let mut run = Run { end, ..Run::default() };
            visit(&mut run);
            self.runs.insert((buffer, start), run);
        }
    }

    /// Cuts the run that holds the bytes on both sides of `at`.
    fn cut(&mut self, buffer: Buffer, at: u64) {
        let Some((_, run)) = self.runs.range_mut((buffer, 0)..(buffer, at)).next_back() else { return };
        if run.end > at {
            let behind = run.clone();
            run.end = at;
            self.runs.insert((buffer, at), behind);
        }
    }
}
