//! Dependencies between a rank's operations, derived from the bytes that both touch.

use super::runs::Runs;
use super::{Buffer, Part};

/// The absence of an operation, or the end of a list of readers.
const NONE: u32 = u32::MAX;

/// The operations that last used each byte of a rank's buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Hazards {
    buffers: [Runs<Users>; Buffer::ALL.len()],
    /// The readers of all runs: lists that share their tails, so a run is cut by copying the start of its list.
    readers: Vec<Reader>,
}

#[derive(Clone, Copy, Debug)]
struct Users {
    writer: u32,
    /// The last of those that read the writer's bytes.
    readers: u32,
}

impl Default for Users {
    fn default() -> Self {
        Self { writer: NONE, readers: NONE }
    }
}

#[derive(Clone, Copy, Debug)]
struct Reader {
    operation: u32,
    before: u32,
}

impl Hazards {
    pub(super) fn clear(&mut self) {
        self.buffers.iter_mut().for_each(Runs::clear);
        self.readers.clear();
    }

    /// Records that operation `index` reads bytes, and adds their writers to `after`.
    pub(super) fn read(&mut self, index: u32, part: Part, after: &mut Vec<u32>) {
        let readers = &mut self.readers;
        for users in over(&mut self.buffers, part) {
            if users.writer != NONE {
                after.push(users.writer);
            }
            if readers.get(users.readers as usize).is_none_or(|last| last.operation != index) {
                readers.push(Reader { operation: index, before: users.readers });
                users.readers = readers.len() as u32 - 1;
            }
        }
    }

    /// Records that operation `index` writes bytes, and adds their readers and writers to `after`.
    pub(super) fn write(&mut self, index: u32, part: Part, after: &mut Vec<u32>) {
        let readers = &self.readers;
        for users in over(&mut self.buffers, part) {
            // Readers waited for the writer. An operation that combines in place has read the run itself.
            let before = after.len();
            let mut next = users.readers;
            while let Some(reader) = readers.get(next as usize) {
                if reader.operation != index {
                    after.push(reader.operation);
                }
                next = reader.before;
            }
            if after.len() == before && users.writer != NONE && users.writer != index {
                after.push(users.writer);
            }
            *users = Users { writer: index, readers: NONE };
        }
    }
}

fn over(buffers: &mut [Runs<Users>; Buffer::ALL.len()], part: Part) -> impl Iterator<Item = &mut Users> {
    let runs = buffers[part.buffer as usize].over(part.offset, part.end(), |users, _| *users);
    runs.map(|(.., users)| users)
}
