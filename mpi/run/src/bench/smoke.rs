//! The smoke test of a tuning file before production: one launch calls what its rules decide, checks the results, and times nothing.
//!
//! The result is one line in a file. While the test runs, the line names what is called: a library may end the program there, or never
//! return.

mod calls;
mod deployed;

use std::ffi::c_int;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use qtdec_mpi_library::tuning::{Selection, counted};

use super::arguments::Arguments;
use super::buffers::Call;
use super::clock::local;
use super::grid::library;
use super::layout::{Blocks, Layout};
use super::ruled::Ruled;
use crate::mpi::{CONTROL, Comm, Mpi, MpiFunctions, Storage};
use calls::Planned;

/// The test ends with the call that is made after this time, in nanoseconds.
const LONGEST: f64 = 40e9;

/// The tag of messages about results.
const TAG: u32 = 1;

/// What the first rank tells the others after a call.
const GO_ON: u8 = 0;
const WRONG: u8 = 1;
const TIME_IS_UP: u8 = 2;

/// Tests tuning files, and returns the exit code of a rank. What is wrong with a file is found before MPI starts, where a library may end
/// the program because of it.
pub(super) fn test(table: &MpiFunctions, arguments: &Arguments) -> c_int {
    let result = &arguments.output;
    let version = library(&Mpi::version_of(table));
    let selection = match deployed::selection(&arguments.smoke, &version) {
        Ok(selection) => selection,
        Err(reason) => return failed(result, &reason),
    };
    let mpi = match Mpi::start(table) {
        Ok(mpi) => mpi,
        Err(reason) => return failed(result, &format!("MPI does not start: {reason}")),
    };
    let tested = Test { mpi, result }.run(&*selection, &arguments.ruled);
    match tested.and_then(|said| mpi.finish().map(|()| said)) {
        Ok(said) if mpi.is_first() => c_int::from(!is_written(result, &said)),
        Ok(_) => 0,
        Err(reason) => {
            let code = failed(result, &reason);
            // Other ranks may wait for this one.
            mpi.abort(1);
            code
        }
    }
}

/// Says why the test failed, in one line.
fn failed(result: &Path, reason: &str) -> c_int {
    let line = format!("failed: {}", reason.split_whitespace().collect::<Vec<_>>().join(" "));
    eprintln!("qtdec-bench: {line}");
    is_written(result, &line);
    1
}

/// Replaces the first line of the result. The rest stays: a rank may be ended at any moment, and must not leave an empty file.
fn is_written(result: &Path, line: &str) -> bool {
    let file = File::options().write(true).create(true).truncate(false).open(result);
    let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    if let Err(error) = &written {
        eprintln!("qtdec-bench: {} cannot be written: {error}", result.display());
    }
    written.is_ok()
}

struct Test<'t> {
    mpi: Mpi<'t>,
    result: &'t Path,
}

impl Test<'_> {
    /// Makes the calls, and returns what is to be said of them.
    fn run(&self, selection: &dyn Selection, ruled: &[Ruled]) -> Result<String, String> {
        let mpi = self.mpi;
        let (mut list, mut left_out) = calls::calls(selection, ruled, mpi.size)?;
        let began = local();
        let mut storage = Storage::default();
        let mut part: (u32, Option<Comm>) = (0, None);
        for (number, planned) in list.iter().enumerate() {
            if part.0 != planned.ranks {
                part = self.next_part(part.1, planned.ranks)?;
            }
            self.name(&planned.to_string());
            let is_right = match part.1 {
                Some(comm) => made(mpi, comm, *planned, number as u32, &mut storage)
                    .map_err(|reason| format!("{planned}: {reason}"))?,
                None => true,
            };
            let is_over = local() - began > LONGEST;
            match self.agreed(is_right, is_over).map_err(|reason| format!("{planned}: {reason}"))? {
                GO_ON => {}
                WRONG => return Err(format!("{planned}: the result is wrong")),
                _ => {
                    let rest = list.len() - number - 1;
                    left_out.extend((rest > 0).then(|| format!("{} after 40 s", counted(rest, "call"))));
                    list.truncate(number + 1);
                    break;
                }
            }
        }
        self.name("the end of MPI");
        let left_out =
            if left_out.is_empty() { String::new() } else { format!("; left out: {}", left_out.join(", ")) };
        Ok(format!("accepted, {} right{left_out}", counted(list.len(), "call")))
    }

    fn name(&self, what: &str) {
        if self.mpi.is_first() {
            is_written(self.result, what);
        }
    }

    /// Makes the communicator of the next calls, after freeing the one before.
    fn next_part(&self, before: Option<Comm>, ranks: u32) -> Result<(u32, Option<Comm>), String> {
        let what = format!("a communicator of {}", counted(ranks as usize, "rank"));
        self.name(&what);
        let freed = before.map_or(Ok(()), |comm| self.mpi.drop(comm));
        let part = freed.and_then(|()| self.mpi.part(ranks, None));
        part.map(|part| (ranks, part)).map_err(|reason| format!("{what}: {reason}"))
    }

    /// Returns what the first rank says of a call. Messages from rank to rank tell it, because no rule decides about these.
    fn agreed(&self, is_right: bool, is_over: bool) -> Result<u8, String> {
        let mpi = self.mpi;
        if !mpi.is_first() {
            let mut said = [u8::from(is_right)];
            mpi.send(CONTROL, &said, 0, TAG)?;
            mpi.receive(CONTROL, &mut said, 0, TAG)?;
            return Ok(said[0]);
        }
        let mut all_right = is_right;
        for rank in 1..mpi.size {
            let mut right = [0];
            mpi.receive(CONTROL, &mut right, rank, TAG)?;
            all_right &= right[0] == 1;
        }
        let said = match (all_right, is_over) {
            (false, _) => WRONG,
            (true, true) => TIME_IS_UP,
            (true, false) => GO_ON,
        };
        (1..mpi.size).try_for_each(|rank| mpi.send(CONTROL, &[said], rank, TAG))?;
        Ok(said)
    }
}

/// Makes a call, and returns whether its result is right on this rank.
fn made(
    mpi: Mpi<'_>,
    comm: Comm,
    Planned { collective, ranks, bytes, root }: Planned,
    seed: u32,
    storage: &mut Storage,
) -> Result<bool, String> {
    let layout = Layout { collective, ranks, bytes, blocks: Blocks::EQUAL };
    let call = Call { layout, rank: mpi.rank, root, seed };
    call.fill(storage);
    mpi.collective(comm, storage, &layout.operands(mpi.rank)?, root)?;
    Ok(call.is_right(storage))
}
