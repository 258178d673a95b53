//! The messages of one communicator.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;

/// Messages of one communicator, and the operation of reductions, by functions as `struct qtdec_channel` of `c/channel.h` lists them. Requests
/// are numbers.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Channel {
    context: *mut c_void,
    reserve: unsafe extern "C" fn(*mut c_void, c_int) -> c_int,
    post: unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, u64, c_int, c_int, c_int) -> c_int,
    wait_some: unsafe extern "C" fn(*mut c_void, c_int, *mut c_int, *mut c_int) -> c_int,
    pass: unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, u64, c_int, c_int) -> c_int,
    combine: unsafe extern "C" fn(*mut c_void, *const c_void, *mut c_void, u64) -> c_int,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Code(c_int),
    /// The schedule cannot be carried out.
    Broken(String),
}

/// Returns a number as an `int` of C. One that is too large becomes the largest, which MPI refuses as a rank, a tag and a size.
pub(crate) fn int(number: impl TryInto<c_int>) -> c_int {
    number.try_into().unwrap_or(c_int::MAX)
}

fn check(code: c_int) -> Result<(), Failure> {
    if code == 0 { Ok(()) } else { Err(Failure::Code(code)) }
}

impl Channel {
    /// Sends bytes to a peer with a tag, and waits until they may be written again.
    pub(crate) fn send(&self, bytes: &[u8], (peer, tag): (u32, u32)) -> Result<(), Failure> {
        let (data, length) = (bytes.as_ptr().cast_mut().cast(), bytes.len() as u64);
        // SAFETY: the context is that of these functions, as with all of them, and the bytes can be read.
        check(unsafe { (self.pass)(self.context, 1, data, length, int(peer), int(tag)) })
    }

    pub(crate) fn receive(&self, bytes: &mut [u8], (peer, tag): (u32, u32)) -> Result<(), Failure> {
        let (data, length) = (bytes.as_mut_ptr().cast(), bytes.len() as u64);
        // SAFETY: as above, and the bytes can be written.
        check(unsafe { (self.pass)(self.context, 0, data, length, int(peer), int(tag)) })
    }

    pub(super) fn reserve(&self, requests: usize) -> Result<(), Failure> {
        // SAFETY: the context is that of these functions.
        check(unsafe { (self.reserve)(self.context, int(requests)) })
    }

    /// Begins to send bytes to a peer with a tag, or to receive them.
    ///
    /// # Safety
    ///
    /// Until the request is complete, the bytes stay where they are and are not written, nor read if they are received.
    pub(super) unsafe fn post(
        &self,
        sends: bool,
        data: *mut u8,
        bytes: usize,
        (peer, tag): (u32, u32),
        request: usize,
    ) -> Result<(), Failure> {
        let (peer, tag, request) = (int(peer), int(tag), int(request));
        // SAFETY: as above.
        check(unsafe {
            (self.post)(self.context, sends.into(), data.cast(), bytes as u64, peer, tag, request)
        })
    }

    /// Waits for some of as many requests as `complete` has room for. Returns the number of those that are complete now.
    pub(super) fn wait_some(&self, complete: &mut [c_int]) -> Result<usize, Failure> {
        let (mut count, room) = (0, int(complete.len()));
        // SAFETY: the function writes at most as many numbers as there are requests.
        check(unsafe { (self.wait_some)(self.context, room, &raw mut count, complete.as_mut_ptr()) })?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// Combines elements: `right` = `left` ∘ `right`.
    ///
    /// # Safety
    ///
    /// Both ranges are valid and do not overlap, and the second one is not used by anything else.
    pub(super) unsafe fn combine(
        &self,
        left: *const u8,
        right: *mut u8,
        bytes: usize,
    ) -> Result<(), Failure> {
        // SAFETY: as above.
        check(unsafe { (self.combine)(self.context, left.cast(), right.cast(), bytes as u64) })
    }

    /// Sends or receives a row of messages, all of which are posted at once, each of `bytes` bytes of `data`. Returns the data.
    pub(crate) fn row(
        &self,
        data: Vec<u8>,
        bytes: usize,
        to: (u32, u32),
        sends: bool,
    ) -> Result<Vec<u8>, Failure> {
        // Messages may be under way after a failure.
        let mut data = ManuallyDrop::new(data);
        let messages = data.len() / bytes;
        self.reserve(messages)?;
        for (place, message) in data.chunks_exact_mut(bytes).enumerate() {
            // SAFETY: nobody uses `data` until all of these requests are complete, or frees it if one of them fails.
            unsafe { self.post(sends, message.as_mut_ptr(), bytes, to, place)? };
        }
        let (mut complete, mut done) = (vec![0; messages], 0);
        while done < messages {
            match self.wait_some(&mut complete)? {
                0 => return Err(Failure::Broken(format!("{} messages are not complete", messages - done))),
                some => done += some,
            }
        }
        Ok(ManuallyDrop::into_inner(data))
    }
}

#[cfg(test)]
impl Channel {
    /// Returns a channel whose messages are all complete as soon as they are waited for.
    pub(super) fn of_complete_messages() -> Self {
        unsafe extern "C" fn reserve(_: *mut c_void, _: c_int) -> c_int {
            0
        }
        unsafe extern "C" fn post(
            _: *mut c_void,
            _: c_int,
            _: *mut c_void,
            _: u64,
            _: c_int,
            _: c_int,
            _: c_int,
        ) -> c_int {
            0
        }
        unsafe extern "C" fn wait_some(
            _: *mut c_void,
            requests: c_int,
            count: *mut c_int,
            complete: *mut c_int,
        ) -> c_int {
            // SAFETY: there is room for as many numbers as there are requests.
            unsafe {
                *count = requests;
                (0..requests).for_each(|request| *complete.add(request as usize) = request);
            }
            0
        }
        unsafe extern "C" fn pass(
            _: *mut c_void,
            _: c_int,
            _: *mut c_void,
            _: u64,
            _: c_int,
            _: c_int,
        ) -> c_int {
            0
        }
        unsafe extern "C" fn combine(_: *mut c_void, _: *const c_void, _: *mut c_void, _: u64) -> c_int {
            0
        }
        let context = std::ptr::null_mut();
        Self { context, reserve, post, wait_some, pass, combine }
    }
}
