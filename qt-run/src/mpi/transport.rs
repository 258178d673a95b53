//! Messages over MPI: rails are tags, and reductions are MPI's.
//!
//! A rank sends one message after the other on each rail, as the simulator's ports do. MPI would let long messages to several
//! peers share the port, so that all of them arrive late.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_int;

use qtdec_mpi::Collective;
use qtdec_mpi::schedule::{Buffer, Part};

use super::interface::int;
use super::{Comm, Mpi, MpiError};
use crate::transport::{Progress, Transport};

/// The buffers of a rank's call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storage {
    /// The send buffer.
    pub(crate) send: Vec<u8>,
    /// The receive buffer.
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

    fn of(&mut self, buffer: Buffer) -> &mut Vec<u8> {
        match buffer {
            Buffer::Send => &mut self.send,
            Buffer::Receive => &mut self.receive,
            Buffer::Data => &mut self.data,
            Buffer::Scratch => &mut self.scratch,
        }
    }

    fn slice(&mut self, part: Part) -> Result<&mut [u8], MpiError> {
        self.of(part.buffer)
            .get_mut(part.offset as usize..part.end() as usize)
            .ok_or_else(|| MpiError(format!("{part} lies outside its buffer")))
    }

    fn join(&mut self, parts: &[Part], into: &mut Vec<u8>) -> Result<(), MpiError> {
        for &part in parts {
            into.extend_from_slice(self.slice(part)?);
        }
        Ok(())
    }
}

/// A send that waits for the one before it: its operation, peer and rail, and its parts.
type Waiting = (u32, (u32, u32), Vec<Part>);

/// A request under way.
#[derive(Debug)]
struct Request {
    operation: u32,
    /// The rail of a send.
    sends_on: Option<u32>,
    /// The bytes of a message in several parts, in one place.
    packed: Vec<u8>,
    /// Where these bytes go when they are here.
    parts: Vec<Part>,
}

/// The transport of one call of one rank.
#[derive(Debug)]
pub(crate) struct MpiTransport<'t, 's> {
    mpi: Mpi<'t>,
    comm: Comm,
    storage: &'s mut Storage,
    requests: Vec<Option<Request>>,
    free: Vec<usize>,
    complete: Vec<c_int>,
    /// The rails on which a send is under way, each with those that wait for it.
    rails: BTreeMap<u32, VecDeque<Waiting>>,
}

impl<'t, 's> MpiTransport<'t, 's> {
    /// Creates the transport, with room for a number of messages that are under way at the same time.
    pub(crate) fn new(
        mpi: Mpi<'t>,
        comm: Comm,
        storage: &'s mut Storage,
        messages: usize,
    ) -> Result<Self, MpiError> {
        mpi.check(mpi.table.call_reserve(int(messages)))?;
        Ok(Self {
            mpi,
            comm,
            storage,
            requests: Vec::with_capacity(messages),
            free: Vec::with_capacity(messages),
            complete: Vec::with_capacity(messages),
            rails: BTreeMap::new(),
        })
    }

    fn place(&mut self, request: Request) -> Result<usize, MpiError> {
        if let Some(place) = self.free.pop() {
            self.requests[place] = Some(request);
            return Ok(place);
        }
        self.requests.push(Some(request));
        self.mpi.check(self.mpi.table.call_reserve(int(self.requests.len())))?;
        Ok(self.requests.len() - 1)
    }

    /// Begins a message; `sends` tells its direction.
    fn post(
        &mut self,
        operation: u32,
        (peer, rail): (u32, u32),
        parts: &[Part],
        sends: bool,
    ) -> Result<Progress, MpiError> {
        let sends_on = sends.then_some(rail);
        let mut request = Request { operation, sends_on, packed: Vec::new(), parts: Vec::new() };
        let (data, bytes) = match parts {
            [part] => {
                let slice = self.storage.slice(*part)?;
                (slice.as_mut_ptr(), slice.len())
            }
            _ if sends => {
                self.storage.join(parts, &mut request.packed)?;
                (request.packed.as_mut_ptr(), request.packed.len())
            }
            _ => {
                request.packed.resize(parts.iter().map(|part| part.bytes as usize).sum(), 0);
                request.parts = parts.to_vec();
                (request.packed.as_mut_ptr(), request.packed.len())
            }
        };
        let place = self.place(request)?;
        let (table, comm) = (self.mpi.table, self.comm.0);
        let (to, place) = ((int(peer), int(rail)), int(place));
        // SAFETY: the storage and the packed bytes, whose vector does not grow, outlive the request: a transport that fails ends
        // all ranks. A proved schedule does not use these bytes before the operation is complete.
        let code = unsafe {
            if sends {
                table.call_post_send(comm, data, bytes as u64, to, place)
            } else {
                table.call_post_receive(comm, data, bytes as u64, to, place)
            }
        };
        self.mpi.check(code).map(|()| Progress::UnderWay)
    }

    /// Adds `left` to `right`, two ranges of bytes.
    fn add(&self, left: *const u8, right: *mut u8, bytes: usize) -> Result<(), MpiError> {
        // SAFETY: the callers pass ranges of different memory that have as many bytes.
        self.mpi.check(unsafe { self.mpi.table.call_add(left, right, bytes as u64 / 4) })
    }
}

impl Transport for MpiTransport<'_, '_> {
    type Error = MpiError;

    fn send(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part]) -> Result<Progress, MpiError> {
        if let Some(waiting) = self.rails.get_mut(&rail) {
            waiting.push_back((operation, (peer, rail), parts.to_vec()));
            return Ok(Progress::UnderWay);
        }
        self.rails.insert(rail, VecDeque::new());
        self.post(operation, (peer, rail), parts, true)
    }

    fn receive(
        &mut self,
        operation: u32,
        peer: u32,
        rail: u32,
        parts: &[Part],
    ) -> Result<Progress, MpiError> {
        self.post(operation, (peer, rail), parts, false)
    }

    fn reduce(&mut self, _: u32, parts: &[Part], into: Part) -> Result<Progress, MpiError> {
        // MPI adds to the right operand, where the result often is.
        if let [left, right] = *parts
            && right == into
            && !left.overlaps(into)
        {
            let bytes = into.bytes as usize;
            let left = self.storage.slice(left)?.as_ptr();
            let right = self.storage.slice(right)?.as_mut_ptr();
            self.add(left, right, bytes)?;
            return Ok(Progress::Complete);
        }
        let mut result = Vec::new();
        if let Some((first, others)) = parts.split_first() {
            self.storage.join(&[*first], &mut result)?;
            for &other in others {
                let mut right = Vec::new();
                self.storage.join(&[other], &mut right)?;
                self.add(result.as_ptr(), right.as_mut_ptr(), right.len().min(result.len()))?;
                result = right;
            }
        }
        self.storage.slice(into)?.copy_from_slice(&result);
        Ok(Progress::Complete)
    }

    fn copy(&mut self, _: u32, parts: &[Part], into: Part) -> Result<Progress, MpiError> {
        let mut bytes = Vec::new();
        self.storage.join(parts, &mut bytes)?;
        self.storage.slice(into)?.copy_from_slice(&bytes);
        Ok(Progress::Complete)
    }

    fn wait(&mut self, complete: &mut Vec<u32>) -> Result<(), MpiError> {
        self.complete.resize(self.requests.len(), 0);
        let mut count = 0;
        self.mpi.check(self.mpi.table.call_wait_some(&mut count, &mut self.complete))?;
        for index in 0..usize::try_from(count).unwrap_or(0) {
            let place = self.complete[index] as usize;
            let Some(request) = self.requests[place].take() else { continue };
            let mut packed = &request.packed[..];
            for part in request.parts {
                let target = self.storage.slice(part)?;
                let (first, rest) = packed.split_at(target.len());
                target.copy_from_slice(first);
                packed = rest;
            }
            self.free.push(place);
            complete.push(request.operation);
            if let Some(rail) = request.sends_on {
                match self.rails.get_mut(&rail).and_then(VecDeque::pop_front) {
                    Some((operation, to, parts)) => {
                        self.post(operation, to, &parts, true)?;
                    }
                    None => {
                        self.rails.remove(&rail);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Mpi<'_> {
    /// Sends or receives a row of messages, all of which are posted at once, each of `bytes` bytes of `data`.
    pub(crate) fn row(
        self,
        comm: Comm,
        data: &mut [u8],
        bytes: usize,
        (peer, tag): (u32, u32),
        sends: bool,
    ) -> Result<(), MpiError> {
        let messages = data.len() / bytes;
        self.check(self.table.call_reserve(int(messages)))?;
        let to = (int(peer), int(tag));
        for (place, message) in data.chunks_exact_mut(bytes).enumerate() {
            let (place, length) = (int(place), bytes as u64);
            // SAFETY: `data` is borrowed until all of these requests are complete; if waiting fails, all ranks end.
            self.check(unsafe {
                if sends {
                    self.table.call_post_send(comm.0, message.as_ptr(), length, to, place)
                } else {
                    self.table.call_post_receive(comm.0, message.as_mut_ptr(), length, to, place)
                }
            })?;
        }
        let mut complete = vec![0; messages];
        let (mut count, mut done) = (0, 0);
        while done < messages && count >= 0 {
            self.check(self.table.call_wait_some(&mut count, &mut complete))?;
            done += usize::try_from(count).unwrap_or(0);
        }
        Ok(())
    }
}
