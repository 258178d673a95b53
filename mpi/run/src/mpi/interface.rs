//! The table of functions, and the calls of them.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use super::TEXT;

/// The functions of MPI, as `struct qtdec_mpi` of `c/rim.h` lists them.
#[derive(Debug)]
#[repr(C)]
pub struct MpiFunctions {
    start: extern "C" fn() -> c_int,
    finish: extern "C" fn() -> c_int,
    abort: extern "C" fn(c_int),
    version: unsafe extern "C" fn(*mut c_char) -> c_int,
    processor: unsafe extern "C" fn(*mut c_char) -> c_int,
    describe: unsafe extern "C" fn(c_int, *mut c_char),
    rank: extern "C" fn() -> c_int,
    size: extern "C" fn() -> c_int,
    part: unsafe extern "C" fn(c_int, *const c_char, *mut c_int) -> c_int,
    drop: extern "C" fn(c_int) -> c_int,
    set: unsafe extern "C" fn(*const c_char, c_int) -> c_int,
    send: unsafe extern "C" fn(c_int, *const c_void, u64, c_int, c_int) -> c_int,
    receive: unsafe extern "C" fn(c_int, *mut c_void, u64, c_int, c_int) -> c_int,
    post_send: unsafe extern "C" fn(c_int, *const c_void, u64, c_int, c_int, c_int) -> c_int,
    post_receive: unsafe extern "C" fn(c_int, *mut c_void, u64, c_int, c_int, c_int) -> c_int,
    reserve: extern "C" fn(c_int) -> c_int,
    wait_some: unsafe extern "C" fn(c_int, *mut c_int, *mut c_int) -> c_int,
    add: unsafe extern "C" fn(*const c_void, *mut c_void, u64) -> c_int,
    share: unsafe extern "C" fn(c_int, *mut c_void, u64, c_int) -> c_int,
    collect: unsafe extern "C" fn(c_int, *const c_void, u64, *mut c_void, c_int) -> c_int,
    barrier: extern "C" fn(c_int) -> c_int,
    collective: unsafe extern "C" fn(c_int, c_int, *const c_void, *mut c_void, u64, c_int, c_int) -> c_int,
}

/// Returns a number as an `int` of C. One that is too large becomes the largest, which MPI refuses as a rank, a tag and a size.
pub(crate) fn int(number: impl TryInto<c_int>) -> c_int {
    number.try_into().unwrap_or(c_int::MAX)
}

/// A buffer of a collective, or none.
pub(super) type Ends<'b> = (&'b [u8], &'b mut [u8]);

impl MpiFunctions {
    pub(super) fn call_start(&self) -> c_int {
        (self.start)()
    }

    pub(super) fn call_finish(&self) -> c_int {
        (self.finish)()
    }

    pub(crate) fn call_abort(&self, code: c_int) {
        (self.abort)(code);
    }

    pub(super) fn call_rank_and_size(&self) -> (c_int, c_int) {
        ((self.rank)(), (self.size)())
    }

    pub(super) fn text_of_version(&self) -> String {
        // SAFETY: the function writes a text with its end into as many bytes.
        text(|buffer| unsafe { (self.version)(buffer) })
    }

    pub(super) fn text_of_processor(&self) -> String {
        // SAFETY: as above.
        text(|buffer| unsafe { (self.processor)(buffer) })
    }

    pub(super) fn text_of_error(&self, code: c_int) -> String {
        text(|buffer| {
            // SAFETY: as above.
            unsafe { (self.describe)(code, buffer) };
            0
        })
    }

    pub(super) fn call_part(&self, ranks: c_int, preference: Option<&CStr>, number: &mut c_int) -> c_int {
        // SAFETY: both are valid during the call.
        unsafe { (self.part)(ranks, preference.map_or(null(), CStr::as_ptr), number) }
    }

    pub(super) fn call_drop(&self, comm: c_int) -> c_int {
        (self.drop)(comm)
    }

    pub(super) fn call_set(&self, name: &CStr, value: c_int) -> c_int {
        // SAFETY: the name is valid during the call.
        unsafe { (self.set)(name.as_ptr(), value) }
    }

    pub(super) fn call_send(&self, comm: c_int, data: &[u8], peer: c_int, tag: c_int) -> c_int {
        // SAFETY: the function reads these bytes, and no longer than it runs.
        unsafe { (self.send)(comm, data.as_ptr().cast(), data.len() as u64, peer, tag) }
    }

    pub(super) fn call_receive(&self, comm: c_int, data: &mut [u8], peer: c_int, tag: c_int) -> c_int {
        // SAFETY: the function writes these bytes, and no longer than it runs.
        unsafe { (self.receive)(comm, data.as_mut_ptr().cast(), data.len() as u64, peer, tag) }
    }

    /// Begins to send bytes.
    ///
    /// # Safety
    ///
    /// The bytes stay where they are and are not written until the request is complete.
    pub(super) unsafe fn call_post_send(
        &self,
        comm: c_int,
        data: *const u8,
        bytes: u64,
        (peer, tag): (c_int, c_int),
        request: c_int,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { (self.post_send)(comm, data.cast(), bytes, peer, tag, request) }
    }

    /// Begins to receive bytes.
    ///
    /// # Safety
    ///
    /// The bytes stay where they are and are neither read nor written until the request is complete.
    pub(super) unsafe fn call_post_receive(
        &self,
        comm: c_int,
        data: *mut u8,
        bytes: u64,
        (peer, tag): (c_int, c_int),
        request: c_int,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { (self.post_receive)(comm, data.cast(), bytes, peer, tag, request) }
    }

    pub(super) fn call_reserve(&self, requests: c_int) -> c_int {
        (self.reserve)(requests)
    }

    pub(super) fn call_wait_some(&self, count: &mut c_int, complete: &mut [c_int]) -> c_int {
        // SAFETY: the function writes at most as many numbers as there are requests.
        unsafe { (self.wait_some)(int(complete.len()), count, complete.as_mut_ptr()) }
    }

    /// Adds 32-bit integers.
    ///
    /// # Safety
    ///
    /// Both ranges of 4 · `count` bytes are valid and do not overlap, and the second one is not used by anything else.
    pub(super) unsafe fn call_add(&self, left: *const u8, right: *mut u8, count: u64) -> c_int {
        // SAFETY: as above.
        unsafe { (self.add)(left.cast(), right.cast(), count) }
    }

    pub(super) fn call_share(&self, comm: c_int, data: &mut [u8], root: c_int) -> c_int {
        // SAFETY: the function reads or writes these bytes, and no longer than it runs.
        unsafe { (self.share)(comm, data.as_mut_ptr().cast(), data.len() as u64, root) }
    }

    /// Collects bytes on a rank.
    ///
    /// # Safety
    ///
    /// On the root, `all` has as many bytes as `data` for each rank of the communicator.
    pub(super) unsafe fn call_collect(&self, comm: c_int, data: &[u8], all: &mut [u8], root: c_int) -> c_int {
        // SAFETY: as above; others than the root write nothing.
        unsafe {
            (self.collect)(comm, data.as_ptr().cast(), data.len() as u64, all.as_mut_ptr().cast(), root)
        }
    }

    pub(super) fn call_barrier(&self, comm: c_int) -> c_int {
        (self.barrier)(comm)
    }

    /// Calls a collective by its place in the list of `c/rim.c`.
    ///
    /// # Safety
    ///
    /// The buffers are as long as the standard asks for, for the ranks of the communicator and `count` elements of `size` bytes.
    pub(super) unsafe fn call_collective(
        &self,
        number: c_int,
        comm: c_int,
        (from, into): Ends<'_>,
        count: u64,
        size: c_int,
        root: c_int,
    ) -> c_int {
        let from = if from.is_empty() { null() } else { from.as_ptr() };
        let into = if into.is_empty() { null_mut() } else { into.as_mut_ptr() };
        // SAFETY: as above.
        unsafe { (self.collective)(number, comm, from.cast(), into.cast(), count, size, root) }
    }
}

fn text(write: impl FnOnce(*mut c_char) -> c_int) -> String {
    let mut buffer = vec![0_u8; TEXT];
    write(buffer.as_mut_ptr().cast());
    let end = buffer.iter().position(|byte| *byte == 0).unwrap_or(TEXT);
    String::from_utf8_lossy(&buffer[..end]).into_owned()
}
