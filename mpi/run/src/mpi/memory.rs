//! The bytes that a rank's operations read and write.

use qtdec_mpi_schedule::{Buffer, Collective, Part};

/// The buffers of a rank's call. A part outside them is `None`.
pub(crate) trait Memory {
    fn read(&self, part: Part) -> Option<&[u8]>;

    fn write(&mut self, part: Part) -> Option<&mut [u8]>;

    /// Gives up the bytes that this process owns, so that nobody frees them.
    fn leak(&mut self);
}

/// Buffers that this process owns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storage {
    pub(crate) send: Vec<u8>,
    pub(crate) receive: Vec<u8>,
    /// The only buffer of a broadcast.
    pub(crate) data: Vec<u8>,
    /// Memory of a schedule.
    pub(crate) scratch: Vec<u8>,
}

impl Storage {
    /// Returns what a call of the library reads and writes.
    pub(super) fn of_call(&mut self, collective: Collective) -> (&[u8], &mut [u8]) {
        if collective == Collective::Bcast { (&[], &mut self.data) } else { (&self.send, &mut self.receive) }
    }
}

impl Memory for Storage {
    fn read(&self, part: Part) -> Option<&[u8]> {
        let buffer = match part.buffer {
            Buffer::Send => &self.send,
            Buffer::Receive => &self.receive,
            Buffer::Data => &self.data,
            Buffer::Scratch => &self.scratch,
        };
        buffer.get(part.offset as usize..part.end() as usize)
    }

    fn write(&mut self, part: Part) -> Option<&mut [u8]> {
        let buffer = match part.buffer {
            Buffer::Send => &mut self.send,
            Buffer::Receive => &mut self.receive,
            Buffer::Data => &mut self.data,
            Buffer::Scratch => &mut self.scratch,
        };
        buffer.get_mut(part.offset as usize..part.end() as usize)
    }

    fn leak(&mut self) {
        std::mem::forget(std::mem::take(self));
    }
}
