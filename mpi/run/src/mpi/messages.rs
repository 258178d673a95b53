//! What a transport over MPI needs of a communicator.
#![allow(unsafe_code)]

use std::ffi::c_int;

use super::interface::int;
use super::{Comm, Mpi};

/// Messages of one communicator, and the operation of a reduction. Requests are numbers.
pub(crate) trait Messages {
    /// The reason why a call fails.
    type Error;

    /// Returns the error of a schedule that cannot be carried out.
    fn broken(reason: String) -> Self::Error;

    /// Has room for a number of requests.
    fn reserve(&self, requests: usize) -> Result<(), Self::Error>;

    /// Begins to send bytes to a peer with a tag.
    ///
    /// # Safety
    ///
    /// The bytes stay where they are and are not written until the request is complete.
    unsafe fn post_send(
        &self,
        data: *const u8,
        bytes: usize,
        to: (u32, u32),
        request: usize,
    ) -> Result<(), Self::Error>;

    /// Begins to receive bytes from a peer with a tag.
    ///
    /// # Safety
    ///
    /// The bytes stay where they are and are neither read nor written until the request is complete.
    unsafe fn post_receive(
        &self,
        data: *mut u8,
        bytes: usize,
        from: (u32, u32),
        request: usize,
    ) -> Result<(), Self::Error>;

    /// Waits for some of as many requests as `complete` has room for. Returns the number of those that are complete now.
    fn wait_some(&self, complete: &mut [c_int]) -> Result<usize, Self::Error>;

    /// Combines elements: `right` = `left` ∘ `right`.
    ///
    /// # Safety
    ///
    /// Both ranges are valid and do not overlap, and the second one is not used by anything else.
    unsafe fn combine(&self, left: *const u8, right: *mut u8, bytes: usize) -> Result<(), Self::Error>;
}

/// A communicator of the table of functions, whose reductions add 32-bit integers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnComm<'t> {
    mpi: Mpi<'t>,
    comm: Comm,
}

impl<'t> Mpi<'t> {
    pub(crate) fn on(self, comm: Comm) -> OnComm<'t> {
        OnComm { mpi: self, comm }
    }
}

impl Messages for OnComm<'_> {
    type Error = String;

    fn broken(reason: String) -> String {
        reason
    }

    fn reserve(&self, requests: usize) -> Result<(), String> {
        self.mpi.check((self.mpi.table.reserve)(int(requests)))
    }

    unsafe fn post_send(
        &self,
        data: *const u8,
        bytes: usize,
        (peer, tag): (u32, u32),
        request: usize,
    ) -> Result<(), String> {
        let (Self { mpi, comm }, bytes) = (self, bytes as u64);
        let (peer, tag, request) = (int(peer), int(tag), int(request));
        // SAFETY: as above.
        mpi.check(unsafe { (mpi.table.post_send)(comm.number, data.cast(), bytes, peer, tag, request) })
    }

    unsafe fn post_receive(
        &self,
        data: *mut u8,
        bytes: usize,
        (peer, tag): (u32, u32),
        request: usize,
    ) -> Result<(), String> {
        let (Self { mpi, comm }, bytes) = (self, bytes as u64);
        let (peer, tag, request) = (int(peer), int(tag), int(request));
        // SAFETY: as above.
        mpi.check(unsafe { (mpi.table.post_receive)(comm.number, data.cast(), bytes, peer, tag, request) })
    }

    fn wait_some(&self, complete: &mut [c_int]) -> Result<usize, String> {
        let (mut count, room) = (0, int(complete.len()));
        // SAFETY: the function writes at most as many numbers as there are requests.
        self.mpi.check(unsafe { (self.mpi.table.wait_some)(room, &raw mut count, complete.as_mut_ptr()) })?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    unsafe fn combine(&self, left: *const u8, right: *mut u8, bytes: usize) -> Result<(), String> {
        // SAFETY: as above.
        self.mpi.check(unsafe { (self.mpi.table.add)(left.cast(), right.cast(), bytes as u64 / 4) })
    }
}
