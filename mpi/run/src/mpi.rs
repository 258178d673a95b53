//! MPI, behind a table of functions that programs in C pass on. See `c/rim.h`.

#![allow(unsafe_code)]

mod channel;
mod form;
mod memory;
mod operands;
mod transport;

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

pub(crate) use channel::{Channel, Failure, int};
pub(crate) use form::{Form, Made, Share, form, lengths};
pub(crate) use memory::{Memory, Storage};
pub(crate) use operands::Operands;
pub(crate) use transport::MpiTransport;

use qtdec_mpi_schedule::Collective;

use crate::placement::Placement;

const TEXT: usize = 1 << 14;

/// The address of a buffer without bytes.
static NOTHING: u8 = 0;

/// A communicator. The first is that of all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comm {
    number: c_int,
    /// The number of ranks, or more if these are all.
    ranks: u32,
}

/// The communicator for control traffic, a duplicate of that of all ranks. It is made before algorithms are forced.
pub(crate) const CONTROL: Comm = Comm { number: 1, ranks: u32::MAX };

/// The functions of MPI, as `struct qtdec_mpi` of `c/rim.h` lists them.
#[derive(Debug)]
#[repr(C)]
pub struct MpiFunctions {
    start: extern "C" fn() -> c_int,
    finish: extern "C" fn() -> c_int,
    pub(crate) abort: extern "C" fn(c_int),
    version: unsafe extern "C" fn(*mut c_char) -> c_int,
    processor: unsafe extern "C" fn(*mut c_char) -> c_int,
    describe: unsafe extern "C" fn(c_int, *mut c_char),
    rank: extern "C" fn() -> c_int,
    size: extern "C" fn() -> c_int,
    placement: extern "C" fn() -> c_int,
    part: unsafe extern "C" fn(c_int, *const c_char, *mut c_int) -> c_int,
    drop: extern "C" fn(c_int) -> c_int,
    set: unsafe extern "C" fn(*const c_char, c_int) -> c_int,
    channel: extern "C" fn(c_int) -> *const Channel,
    share: unsafe extern "C" fn(c_int, *mut c_void, u64, c_int) -> c_int,
    collect: unsafe extern "C" fn(c_int, *const c_void, u64, *mut c_void, c_int) -> c_int,
    barrier: extern "C" fn(c_int) -> c_int,
    collective: unsafe extern "C" fn(
        c_int,
        c_int,
        *const c_void,
        *mut c_void,
        u64,
        *const c_int,
        *const c_int,
        c_int,
        c_int,
    ) -> c_int,
}

/// The functions of MPI. A value exists only between its start and its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mpi<'t> {
    table: &'t MpiFunctions,
    pub(crate) rank: u32,
    pub(crate) size: u32,
}

impl<'t> Mpi<'t> {
    pub(crate) fn start(table: &'t MpiFunctions) -> Result<Self, String> {
        let mpi = Self { table, rank: 0, size: 0 };
        mpi.check((table.start)())?;
        let (rank, size) = ((table.rank)(), (table.size)());
        match (u32::try_from(rank), u32::try_from(size)) {
            (Ok(rank), Ok(size)) => Ok(Self { rank, size, ..mpi }),
            _ => Err("MPI does not tell its ranks".to_owned()),
        }
    }

    pub(crate) fn finish(self) -> Result<(), String> {
        self.check((self.table.finish)())
    }

    pub(crate) fn abort(self, code: u8) {
        (self.table.abort)(c_int::from(code));
    }

    pub(crate) fn is_first(self) -> bool {
        self.rank == 0
    }

    fn ranks(self, comm: Comm) -> u32 {
        comm.ranks.min(self.size)
    }

    fn check(self, code: c_int) -> Result<(), String> {
        if code == 0 { Ok(()) } else { Err(self.reason(Failure::Code(code))) }
    }

    /// Returns the first line of the library's version.
    pub(crate) fn version(self) -> String {
        Self::version_of(self.table)
    }

    /// Returns the same before MPI has started.
    pub(crate) fn version_of(table: &MpiFunctions) -> String {
        // SAFETY: as with all of these functions, a text with its end is written into as many bytes.
        let version = text(|buffer| _ = unsafe { (table.version)(buffer) });
        version.lines().next().unwrap_or_default().trim().to_owned()
    }

    pub(crate) fn processor(self) -> String {
        // SAFETY: as above.
        text(|buffer| _ = unsafe { (self.table.processor)(buffer) })
    }

    /// Returns the placement of the ranks on nodes; all ranks call this.
    pub(crate) fn placement(self) -> Placement {
        (self.table.placement)().into()
    }

    /// Makes a communicator of the first ranks; all ranks call this. Returns `None` on the others.
    pub(crate) fn part(self, ranks: u32, preference: Option<&str>) -> Result<Option<Comm>, String> {
        let preference = preference.and_then(|text| CString::new(text).ok());
        let mut number = -1;
        let preference = preference.as_ref().map_or(null(), |text| text.as_ptr());
        // SAFETY: both are valid during the call.
        self.check(unsafe { (self.table.part)(int(ranks), preference, &raw mut number) })?;
        Ok((number >= 0).then_some(Comm { number, ranks }))
    }

    pub(crate) fn drop(self, comm: Comm) -> Result<(), String> {
        self.check((self.table.drop)(comm.number))
    }

    /// Writes a control variable of the library. Returns whether there is one of this name.
    pub(crate) fn set(self, name: &str, value: u32) -> Result<bool, String> {
        let Ok(text) = CString::new(name) else { return Ok(false) };
        // SAFETY: the name is valid during the call.
        match unsafe { (self.table.set)(text.as_ptr(), int(value)) } {
            0 => Ok(true),
            1 => Ok(false),
            _ => Err(format!("the library does not allow writing its control variable {name}")),
        }
    }

    /// Returns the channel of a communicator, whose reductions add 32-bit integers, until that of another one is asked for.
    pub(crate) fn on(self, comm: Comm) -> &'t Channel {
        // SAFETY: the channel stays where it is, with the same functions.
        unsafe { &*(self.table.channel)(comm.number) }
    }

    pub(crate) fn reason(self, failure: Failure) -> String {
        match failure {
            // SAFETY: as above.
            Failure::Code(code) => text(|buffer| unsafe { (self.table.describe)(code, buffer) }),
            Failure::Broken(reason) => reason,
        }
    }

    pub(crate) fn send(self, comm: Comm, data: &[u8], peer: u32, tag: u32) -> Result<(), String> {
        self.on(comm).send(data, (peer, tag)).map_err(|failure| self.reason(failure))
    }

    /// Receives a message that has at most as many bytes as `data`.
    pub(crate) fn receive(self, comm: Comm, data: &mut [u8], peer: u32, tag: u32) -> Result<(), String> {
        self.on(comm).receive(data, (peer, tag)).map_err(|failure| self.reason(failure))
    }

    /// Returns the bytes of all ranks on the first, and nothing on the others.
    pub(crate) fn collect(self, comm: Comm, data: &[u8]) -> Result<Vec<u8>, String> {
        let mut all = vec![0; if self.is_first() { data.len() * self.ranks(comm) as usize } else { 0 }];
        let (from, bytes) = (data.as_ptr().cast(), data.len() as u64);
        // SAFETY: the first rank of a communicator is the first of all, and has as many bytes for each of its ranks; others write nothing.
        self.check(unsafe { (self.table.collect)(comm.number, from, bytes, all.as_mut_ptr().cast(), 0) })?;
        Ok(all)
    }

    /// Returns these numbers of the first rank.
    pub(crate) fn share_numbers<const N: usize>(
        self,
        comm: Comm,
        numbers: [f64; N],
    ) -> Result<[f64; N], String> {
        let mut bytes = numbers.map(f64::to_ne_bytes);
        let data = bytes.as_flattened_mut();
        // SAFETY: the function reads or writes these bytes, and no longer than it runs.
        self.check(unsafe {
            (self.table.share)(comm.number, data.as_mut_ptr().cast(), data.len() as u64, 0)
        })?;
        Ok(bytes.map(f64::from_ne_bytes))
    }

    /// Returns the numbers of all ranks on the first, and nothing on the others.
    pub(crate) fn collect_numbers<const N: usize>(
        self,
        comm: Comm,
        numbers: [f64; N],
    ) -> Result<Vec<[f64; N]>, String> {
        let all = self.collect(comm, numbers.map(f64::to_ne_bytes).as_flattened())?;
        let all: Vec<f64> = all.as_chunks().0.iter().copied().map(f64::from_ne_bytes).collect();
        Ok(all.as_chunks().0.to_vec())
    }

    pub(crate) fn barrier(self, comm: Comm) -> Result<(), String> {
        self.check((self.table.barrier)(comm.number))
    }

    /// Calls a collective of the library, with the buffers that the standard asks for.
    pub(crate) fn collective(
        self,
        comm: Comm,
        storage: &mut Storage,
        operands: &Operands,
        root: u32,
    ) -> Result<(), String> {
        let Operands { collective, element_size, count, ref blocks } = *operands;
        let number = Collective::known().position(|other| other == collective).unwrap_or(usize::MAX);
        let extent = operands.extent(self.ranks(comm));
        let needed = extent.map(|extent| lengths(collective, extent, self.rank == root));
        if needed != Some((storage.send.len(), storage.receive.len(), storage.data.len())) {
            return Err(format!("the buffers of {collective} are not those of its counts"));
        }
        let (from, into) = storage.of_call(collective);
        // MPICH refuses two buffers with one address in `alltoallv`, even if both are empty.
        let from = if from.is_empty() { &raw const NOTHING } else { from.as_ptr() };
        let into = if into.is_empty() { null_mut() } else { into.as_mut_ptr() };
        let (counts, places) =
            blocks.as_ref().map_or((null(), null()), |(counts, places)| (counts.as_ptr(), places.as_ptr()));
        let (number, size, root) = (int(number), int(element_size), int(root));
        let (from, into) = (from.cast(), into.cast());
        // SAFETY: the buffers are as long as the standard asks for, and there is a count for each rank of collectives that have several. The
        // ranks of a communicator are the first of all, with their numbers.
        self.check(unsafe {
            (self.table.collective)(number, comm.number, from, into, count, counts, places, size, root)
        })
    }
}

fn text(write: impl FnOnce(*mut c_char)) -> String {
    let mut buffer = vec![0_u8; TEXT];
    write(buffer.as_mut_ptr().cast());
    let end = buffer.iter().position(|byte| *byte == 0).unwrap_or(TEXT);
    String::from_utf8_lossy(&buffer[..end]).into_owned()
}
