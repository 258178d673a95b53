//! The buffers of one call, which `c/carry_out.c` has.
#![allow(unsafe_code)]

use qtdec_mpi_schedule::{Buffer, Part};

use crate::mpi::Memory;

/// The caller's buffers, and memory of the schedule.
#[derive(Debug)]
pub(super) struct Buffers {
    send: (*const u8, usize),
    receive: (*mut u8, usize),
    scratch: Vec<u8>,
}

impl Buffers {
    /// Creates buffers of these addresses and lengths.
    ///
    /// # Safety
    ///
    /// While they exist, the first can be read and is not written, and the second can be read and written by nothing else.
    pub(super) unsafe fn new(send: (*const u8, usize), receive: (*mut u8, usize), scratch: usize) -> Self {
        Self { send, receive, scratch: vec![0; scratch] }
    }
}

impl Memory for Buffers {
    fn read(&self, part: Part) -> Option<&[u8]> {
        let (from, length) = (part.offset as usize, part.bytes as usize);
        let (start, all) = match part.buffer {
            Buffer::Send => self.send,
            Buffer::Receive | Buffer::Data => (self.receive.0.cast_const(), self.receive.1),
            Buffer::Scratch => return self.scratch.get(from..part.end() as usize),
        };
        if length == 0 {
            return Some(&[]);
        }
        // SAFETY: the bytes lie within a buffer that can be read.
        (part.end() <= all as u64).then(|| unsafe { std::slice::from_raw_parts(start.add(from), length) })
    }

    fn write(&mut self, part: Part) -> Option<&mut [u8]> {
        let (from, length) = (part.offset as usize, part.bytes as usize);
        let (start, all) = match part.buffer {
            Buffer::Send => return None,
            Buffer::Receive | Buffer::Data => self.receive,
            Buffer::Scratch => return self.scratch.get_mut(from..part.end() as usize),
        };
        if length == 0 {
            return Some(&mut []);
        }
        // SAFETY: the bytes lie within a buffer that can be written.
        (part.end() <= all as u64).then(|| unsafe { std::slice::from_raw_parts_mut(start.add(from), length) })
    }

    fn leak(&mut self) {
        std::mem::forget(std::mem::take(&mut self.scratch));
    }
}
