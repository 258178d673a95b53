//! The messages of a schedule over MPI, for sums of numbers.

use std::ffi::c_int;
use std::fmt;

use mpi::ffi;
use mpi::traits::*;
use qtdec_mpi_run::transport::{Progress, Transport};
use qtdec_mpi_schedule::{Buffer, Part};

/// What MPI returns in place of success.
#[derive(Clone, Copy, Debug)]
pub struct MpiError(c_int);

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MPI fails with the error {}", self.0)
    }
}

impl std::error::Error for MpiError {}

/// A message under way. Its bytes are its own, so that MPI and the operations of the schedule never use the same ones.
struct Message {
    operation: u32,
    bytes: Box<[u8]>,
    /// Where the bytes go when they have arrived.
    parts: Vec<Part>,
}

/// The buffers of one call at one rank, and its messages. Rails are tags.
pub struct OverMpi {
    comm: ffi::MPI_Comm,
    send: Vec<u8>,
    receive: Vec<u8>,
    scratch: Vec<u8>,
    messages: Vec<Message>,
    /// The request of each message.
    requests: Vec<ffi::MPI_Request>,
}

impl OverMpi {
    /// Creates the buffers of an allreduce.
    pub fn new(comm: &impl Communicator, numbers: &[f64], scratch: usize) -> Self {
        let send: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let (receive, scratch) = (vec![0; send.len()], vec![0; scratch]);
        Self { comm: comm.as_raw(), send, receive, scratch, messages: Vec::new(), requests: Vec::new() }
    }

    /// Returns what was received.
    pub fn into_result(mut self) -> Vec<f64> {
        numbers(&std::mem::take(&mut self.receive)).collect()
    }

    fn range(part: Part) -> std::ops::Range<usize> {
        part.offset as usize..part.end() as usize
    }

    fn read(&self, part: Part) -> &[u8] {
        let buffer = match part.buffer {
            Buffer::Send => &self.send,
            Buffer::Scratch => &self.scratch,
            _ => &self.receive,
        };
        &buffer[Self::range(part)]
    }

    fn write(&mut self, part: Part, bytes: &[u8]) {
        let buffer = match part.buffer {
            Buffer::Scratch => &mut self.scratch,
            _ => &mut self.receive,
        };
        buffer[Self::range(part)].copy_from_slice(bytes);
    }

    fn joined(&self, parts: &[Part]) -> Box<[u8]> {
        parts.iter().flat_map(|part| self.read(*part)).copied().collect()
    }

    /// Begins a message; `sends` tells its direction.
    fn post(
        &mut self,
        mut message: Message,
        (peer, tag): (u32, u32),
        sends: bool,
    ) -> Result<Progress, MpiError> {
        let (count, peer, tag) = (message.bytes.len() as c_int, peer as c_int, tag as c_int);
        let data = message.bytes.as_mut_ptr().cast();
        // SAFETY: every bit pattern is a request to be written.
        let mut request = unsafe { ffi::RSMPI_REQUEST_NULL };
        // SAFETY: the bytes stay where they are until the request is complete, and nothing else uses them meanwhile.
        let code = unsafe {
            if sends {
                ffi::MPI_Isend(data, count, ffi::RSMPI_UINT8_T, peer, tag, self.comm, &mut request)
            } else {
                ffi::MPI_Irecv(data, count, ffi::RSMPI_UINT8_T, peer, tag, self.comm, &mut request)
            }
        };
        self.messages.push(message);
        self.requests.push(request);
        checked(code).map(|()| Progress::UnderWay)
    }
}

impl Transport for OverMpi {
    type Error = MpiError;

    fn send(&mut self, operation: u32, peer: u32, rail: u32, parts: &[Part]) -> Result<Progress, MpiError> {
        let message = Message { operation, bytes: self.joined(parts), parts: Vec::new() };
        self.post(message, (peer, rail), true)
    }

    fn receive(
        &mut self,
        operation: u32,
        peer: u32,
        rail: u32,
        parts: &[Part],
    ) -> Result<Progress, MpiError> {
        let bytes = parts.iter().map(|part| part.bytes as usize).sum();
        let message = Message { operation, bytes: vec![0; bytes].into(), parts: parts.to_vec() };
        self.post(message, (peer, rail), false)
    }

    fn reduce(&mut self, _: u32, parts: &[Part], into: Part) -> Result<Progress, MpiError> {
        let Some((first, others)) = parts.split_first() else { return Ok(Progress::Complete) };
        let mut sums: Vec<f64> = numbers(self.read(*first)).collect();
        for other in others {
            for (sum, number) in sums.iter_mut().zip(numbers(self.read(*other))) {
                *sum += number;
            }
        }
        let bytes: Vec<u8> = sums.into_iter().flat_map(f64::to_ne_bytes).collect();
        self.write(into, &bytes);
        Ok(Progress::Complete)
    }

    fn copy(&mut self, _: u32, parts: &[Part], into: Part) -> Result<Progress, MpiError> {
        let bytes = self.joined(parts);
        self.write(into, &bytes);
        Ok(Progress::Complete)
    }

    fn wait(&mut self, complete: &mut Vec<u32>) -> Result<(), MpiError> {
        let (count, mut place) = (self.requests.len() as c_int, 0);
        // SAFETY: there are as many requests, and no status is asked for.
        let code = unsafe {
            ffi::MPI_Waitany(count, self.requests.as_mut_ptr(), &mut place, ffi::RSMPI_STATUS_IGNORE)
        };
        checked(code)?;
        // Without requests, the place is MPI_UNDEFINED, which is negative.
        let Ok(place) = usize::try_from(place) else { return Ok(()) };
        self.requests.swap_remove(place);
        let Message { operation, bytes, parts } = self.messages.swap_remove(place);
        let mut rest = &bytes[..];
        for part in parts {
            let (first, others) = rest.split_at(part.bytes as usize);
            self.write(part, first);
            rest = others;
        }
        complete.push(operation);
        Ok(())
    }
}

impl Drop for OverMpi {
    /// Leaves the bytes of messages that are under way after an error.
    fn drop(&mut self) {
        std::mem::forget(std::mem::take(&mut self.messages));
    }
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|bytes| f64::from_ne_bytes(*bytes))
}

fn checked(code: c_int) -> Result<(), MpiError> {
    if code == 0 { Ok(()) } else { Err(MpiError(code)) }
}
