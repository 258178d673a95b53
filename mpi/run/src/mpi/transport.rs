//! Messages over MPI: rails are tags, and reductions are MPI's.
//!
//! A rank sends to one peer after the other on each rail, as the simulator's ports do. MPI would let long messages to several peers
//! share the port, so that all of them arrive late. Messages to the same peer keep their order by themselves.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, VecDeque};
use std::ffi::c_int;

use qtdec_mpi_schedule::Part;

use super::channel::{Channel, Failure};
use super::memory::Memory;
use crate::transport::{Progress, Transport};

/// A send that waits for the one before it: its operation, peer and rail, and its parts.
type Waiting = (u32, (u32, u32), Vec<Part>);

/// A rail on which sends are under way.
#[derive(Debug)]
struct Rail {
    /// The peer to which they are.
    peer: u32,
    under_way: usize,
    waiting: VecDeque<Waiting>,
}

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
pub(crate) struct MpiTransport<'s, B: Memory> {
    channel: &'s Channel,
    memory: &'s mut B,
    requests: Vec<Option<Request>>,
    free: Vec<usize>,
    complete: Vec<c_int>,
    rails: BTreeMap<u32, Rail>,
}

impl<'s, B: Memory> MpiTransport<'s, B> {
    /// Creates the transport, with room for a number of messages that are under way at the same time.
    pub(crate) fn new(channel: &'s Channel, memory: &'s mut B, room: usize) -> Result<Self, Failure> {
        channel.reserve(room)?;
        Ok(Self {
            channel,
            memory,
            requests: Vec::with_capacity(room),
            free: Vec::with_capacity(room),
            complete: Vec::with_capacity(room),
            rails: BTreeMap::new(),
        })
    }

    fn read(&self, part: Part) -> Result<&[u8], Failure> {
        self.memory.read(part).ok_or_else(|| outside(part))
    }

    fn write(&mut self, part: Part) -> Result<&mut [u8], Failure> {
        self.memory.write(part).ok_or_else(|| outside(part))
    }

    fn join(&self, parts: &[Part], into: &mut Vec<u8>) -> Result<(), Failure> {
        for &part in parts {
            into.extend_from_slice(self.read(part)?);
        }
        Ok(())
    }

    fn place(&mut self, request: Request) -> Result<usize, Failure> {
        if let Some(place) = self.free.pop() {
            self.requests[place] = Some(request);
            return Ok(place);
        }
        self.requests.push(Some(request));
        self.channel.reserve(self.requests.len())?;
        Ok(self.requests.len() - 1)
    }

    /// Begins a message; `sends` tells its direction.
    fn post(
        &mut self,
        operation: u32,
        (peer, rail): (u32, u32),
        parts: &[Part],
        sends: bool,
    ) -> Result<Progress, Failure> {
        let sends_on = sends.then_some(rail);
        let mut request = Request { operation, sends_on, packed: Vec::new(), parts: Vec::new() };
        let (data, bytes) = match parts {
            [part] if sends => {
                let slice = self.read(*part)?;
                (slice.as_ptr().cast_mut(), slice.len())
            }
            [part] => {
                let slice = self.write(*part)?;
                (slice.as_mut_ptr(), slice.len())
            }
            _ => {
                if sends {
                    self.join(parts, &mut request.packed)?;
                } else {
                    request.packed.resize(parts.iter().map(|part| part.bytes as usize).sum(), 0);
                    request.parts = parts.to_vec();
                }
                (request.packed.as_mut_ptr(), request.packed.len())
            }
        };
        let place = self.place(request)?;
        // SAFETY: the packed bytes, whose vector does not grow, and the memory that this process owns outlive the request: `drop` frees
        // neither while it is under way. The caller's own buffers are MPI's until the call ends well. A proved schedule does not use these bytes before the operation is complete.
        unsafe { self.channel.post(sends, data, bytes, (peer, rail), place)? };
        Ok(Progress::UnderWay)
    }

    /// Begins what waited for the last message to another peer, if a message that was sent was this one.
    fn sent(&mut self, rail: u32) -> Result<(), Failure> {
        let Some(on) = self.rails.get_mut(&rail) else { return Ok(()) };
        on.under_way -= 1;
        if on.under_way > 0 {
            return Ok(());
        }
        let next = on.waiting.front().map(|(_, (peer, _), _)| *peer);
        let Some(peer) = next else {
            self.rails.remove(&rail);
            return Ok(());
        };
        let count = on.waiting.iter().take_while(|(_, (other, _), _)| *other == peer).count();
        (on.peer, on.under_way) = (peer, count);
        let released: Vec<Waiting> = on.waiting.drain(..count).collect();
        for (operation, to, parts) in released {
            self.post(operation, to, &parts, true)?;
        }
        Ok(())
    }

    /// Combines `left` with `right`, two ranges of bytes, into `right`.
    fn combine(&self, left: *const u8, right: *mut u8, bytes: usize) -> Result<(), Failure> {
        // SAFETY: the callers pass ranges of different memory that have as many bytes.
        unsafe { self.channel.combine(left, right, bytes) }
    }
}

impl<B: Memory> Drop for MpiTransport<'_, B> {
    /// Frees no memory that requests under way still use, after a failure or in a panic.
    fn drop(&mut self) {
        if self.requests.iter().any(Option::is_some) {
            std::mem::forget(std::mem::take(&mut self.requests));
            self.memory.leak();
        }
    }
}

fn outside(part: Part) -> Failure {
    Failure::Broken(format!("{part} lies outside its buffer"))
}

impl<B: Memory> Transport for MpiTransport<'_, B> {
    type Error = Failure;

    fn send(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part]) -> Result<Progress, Failure> {
        let before = || Rail { peer, under_way: 0, waiting: VecDeque::new() };
        let before = self.rails.entry(rail).or_insert_with(before);
        if before.peer != peer || !before.waiting.is_empty() {
            before.waiting.push_back((operation, (peer, rail), parts.to_vec()));
            return Ok(Progress::UnderWay);
        }
        before.under_way += 1;
        self.post(operation, (peer, rail), parts, true)
    }

    fn receive(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part]) -> Result<Progress, Failure> {
        self.post(operation, (peer, rail), parts, false)
    }

    fn reduce(&mut self, _: u32, parts: &[Part], into: Part) -> Result<Progress, Failure> {
        // MPI combines into the right operand, where the result often is.
        if let [left, right] = *parts
            && right == into
            && !left.overlaps(into)
        {
            let left = self.read(left)?.as_ptr();
            let right = self.write(right)?.as_mut_ptr();
            self.combine(left, right, into.bytes as usize)?;
            return Ok(Progress::Complete);
        }
        let mut result = Vec::new();
        if let Some((first, others)) = parts.split_first() {
            self.join(&[*first], &mut result)?;
            for &other in others {
                let mut right = Vec::new();
                self.join(&[other], &mut right)?;
                self.combine(result.as_ptr(), right.as_mut_ptr(), right.len().min(result.len()))?;
                result = right;
            }
        }
        self.write(into)?.copy_from_slice(&result);
        Ok(Progress::Complete)
    }

    fn copy(&mut self, _: u32, parts: &[Part], into: Part) -> Result<Progress, Failure> {
        let mut bytes = Vec::new();
        self.join(parts, &mut bytes)?;
        self.write(into)?.copy_from_slice(&bytes);
        Ok(Progress::Complete)
    }

    fn wait(&mut self, complete: &mut Vec<u32>) -> Result<(), Failure> {
        self.complete.resize(self.requests.len(), 0);
        let count = self.channel.wait_some(&mut self.complete)?;
        for index in 0..count {
            let place = self.complete[index] as usize;
            let Some(request) = self.requests[place].take() else { continue };
            let mut packed = &request.packed[..];
            for part in request.parts {
                let target = self.write(part)?;
                let (first, rest) = packed.split_at(target.len());
                target.copy_from_slice(first);
                packed = rest;
            }
            self.free.push(place);
            complete.push(request.operation);
            if let Some(rail) = request.sends_on {
                self.sent(rail)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use qtdec_mpi_schedule::Buffer;

    use super::*;
    use crate::mpi::Storage;

    #[test]
    fn memory_of_messages_under_way_is_not_freed() {
        let part = |offset| Part { buffer: Buffer::Scratch, offset, bytes: 4 };
        for (well, kept) in [(false, 0), (true, 8)] {
            let mut storage = Storage { scratch: vec![0; 8], ..Storage::default() };
            let done = catch_unwind(AssertUnwindSafe(|| {
                let channel = Channel::of_complete_messages();
                let mut transport = MpiTransport::new(&channel, &mut storage, 1).unwrap();
                transport.send(0, 1, 0, &[part(0)]).unwrap();
                transport.receive(1, 1, 0, &[part(4)]).unwrap();
                assert!(well, "the call ends in a panic while messages are under way");
                transport.wait(&mut Vec::new()).unwrap();
            }));
            assert_eq!((done.is_ok(), storage.scratch.len()), (well, kept));
        }
    }
}
