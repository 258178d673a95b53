//! The messages and buffers of one call, which `c/carry_out.c` has.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};

use qtdec_mpi_schedule::{Buffer, Part};

use crate::mpi::{Memory, Messages, int};

/// The functions of a call, as `struct qtdec_channel` of `c/interposer.h` lists them.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Channel {
    context: *mut c_void,
    reserve: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    post_send: unsafe extern "C" fn(*mut c_void, *const c_void, u64, c_int, c_int, c_int) -> c_int,
    post_receive: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, c_int, c_int, c_int) -> c_int,
    wait_some: unsafe extern "C" fn(*mut c_void, c_int, *mut c_int, *mut c_int) -> c_int,
    send: unsafe extern "C" fn(*mut c_void, *const c_void, u64, c_int, c_int) -> c_int,
    receive: unsafe extern "C" fn(*mut c_void, *mut c_void, u64, c_int, c_int) -> c_int,
    combine: unsafe extern "C" fn(*mut c_void, *const c_void, *mut c_void, u64) -> c_int,
}

/// Why a call fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// MPI's code.
    Code(c_int),
    /// The schedule cannot be carried out.
    Broken(String),
}

fn check(code: c_int) -> Result<(), Failure> {
    if code == 0 { Ok(()) } else { Err(Failure::Code(code)) }
}

impl Channel {
    /// Sends bytes to a peer with a tag, and waits until they may be written again.
    pub(super) fn send(&self, bytes: &[u8], (peer, tag): (u32, u32)) -> Result<(), Failure> {
        let (data, length) = (bytes.as_ptr().cast(), bytes.len() as u64);
        // SAFETY: the context is that of these functions, as with all of them, and the bytes can be read.
        check(unsafe { (self.send)(self.context, data, length, int(peer), int(tag)) })
    }

    /// Receives bytes from a peer with a tag.
    pub(super) fn receive(&self, bytes: &mut [u8], (peer, tag): (u32, u32)) -> Result<(), Failure> {
        let (data, length) = (bytes.as_mut_ptr().cast(), bytes.len() as u64);
        // SAFETY: as above, and the bytes can be written.
        check(unsafe { (self.receive)(self.context, data, length, int(peer), int(tag)) })
    }
}

impl Messages for &Channel {
    type Error = Failure;

    fn broken(reason: String) -> Failure {
        Failure::Broken(reason)
    }

    fn reserve(&self, requests: usize) -> Result<(), Failure> {
        // SAFETY: the context is that of these functions, as with all of them.
        check(unsafe { (self.reserve)(self.context, int(requests)) })
    }

    unsafe fn post_send(
        &self,
        data: *const u8,
        bytes: usize,
        (peer, tag): (u32, u32),
        request: usize,
    ) -> Result<(), Failure> {
        let (peer, tag, request) = (int(peer), int(tag), int(request));
        // SAFETY: as above.
        check(unsafe { (self.post_send)(self.context, data.cast(), bytes as u64, peer, tag, request) })
    }

    unsafe fn post_receive(
        &self,
        data: *mut u8,
        bytes: usize,
        (peer, tag): (u32, u32),
        request: usize,
    ) -> Result<(), Failure> {
        let (peer, tag, request) = (int(peer), int(tag), int(request));
        // SAFETY: as above.
        check(unsafe { (self.post_receive)(self.context, data.cast(), bytes as u64, peer, tag, request) })
    }

    fn wait_some(&self, complete: &mut [c_int]) -> Result<usize, Failure> {
        let (mut count, room) = (0, int(complete.len()));
        // SAFETY: the function writes at most as many numbers as there are requests.
        check(unsafe { (self.wait_some)(self.context, room, &raw mut count, complete.as_mut_ptr()) })?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    unsafe fn combine(&self, left: *const u8, right: *mut u8, bytes: usize) -> Result<(), Failure> {
        // SAFETY: as above.
        check(unsafe { (self.combine)(self.context, left.cast(), right.cast(), bytes as u64) })
    }
}

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
