//! The entry, which the program in C calls.
#![allow(unsafe_code)]

use std::ffi::{CStr, OsString, c_char, c_int};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::Parser;

use super::arguments::Arguments;
use super::method::Method;
use super::{grid, network, smoke};
use crate::ffi::range;
use crate::mpi::{Mpi, MpiFunctions};

/// What a rank returns for a wrong command line, as other commands do.
const USAGE: u8 = 2;

/// Runs the benchmark, and returns the exit code of a rank. No panic leaves it.
///
/// # Safety
///
/// `arguments` are `count` texts, as `main` has them, and `table` is filled; they stay until this function returns.
#[unsafe(export_name = "qtdec_bench")]
pub unsafe extern "C" fn bench(
    count: c_int,
    arguments: *const *const c_char,
    table: *const MpiFunctions,
) -> c_int {
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as above.
        let (arguments, table) = unsafe {
            let texts = range(arguments, u64::try_from(count).unwrap_or(0));
            let text = |text: &*const c_char| OsString::from_vec(CStr::from_ptr(*text).to_bytes().to_vec());
            (texts.iter().map(text).collect::<Vec<_>>(), &*table)
        };
        run(arguments, table)
    }));
    done.unwrap_or_else(|_| {
        // The message was printed. Other ranks wait for this one, so all must end.
        // SAFETY: as above.
        (unsafe { &*table }.abort)(101);
        101
    })
}

/// What makes Open MPI's algorithms a choice.
const SWITCH: &str = "OMPI_MCA_coll_tuned_use_dynamic_rules";

/// Sets the variable that lets algorithms be switched, and returns whether it is set now. Other threads, such as those of a preloaded
/// library, might read the environment at the same time.
fn switch_on() -> bool {
    if std::env::var(SWITCH).is_ok_and(|value| value == "1") {
        return true;
    }
    let is_alone = fs::read_dir("/proc/self/task").map_or(true, |threads| threads.count() == 1);
    if is_alone {
        // SAFETY: this process has one thread. Where the system does not tell, MPI would start the first, which has not started.
        unsafe { std::env::set_var(SWITCH, "1") };
    }
    is_alone
}

fn run(arguments: Vec<OsString>, table: &MpiFunctions) -> c_int {
    let arguments = Arguments::try_parse_from(arguments).map_err(|error| error.to_string());
    let arguments = arguments.and_then(Arguments::checked);
    let switches = |(_, methods): &(_, Vec<Method>)| methods.iter().any(Method::is_switched);
    if arguments.as_ref().is_ok_and(switches) && !switch_on() {
        eprintln!(
            "qtdec-bench: there are threads before MPI starts, so that {SWITCH} cannot be set: set it to 1 where ranks start"
        );
        return 1;
    }
    if let Ok((arguments, _)) = &arguments
        && !arguments.smoke.is_empty()
    {
        return smoke::test(table, arguments);
    }
    let mpi = match Mpi::start(table) {
        Ok(mpi) => mpi,
        Err(reason) => {
            eprintln!("qtdec-bench: MPI does not start: {reason}");
            return 1;
        }
    };
    let done = match &arguments {
        Err(text) => {
            if mpi.is_first() {
                eprintln!("{text}");
            }
            let code = if text.starts_with("error") { USAGE } else { 0 };
            let _ = mpi.finish();
            return c_int::from(code);
        }
        Ok((arguments, _)) if arguments.network => network::measure(mpi, arguments),
        Ok((arguments, methods)) => grid::measure(mpi, arguments, methods),
    };
    match done {
        Ok(()) => c_int::from(mpi.finish().is_err()),
        Err(reason) => {
            eprintln!("qtdec-bench: rank {}: {reason}", mpi.rank);
            mpi.abort(1);
            1
        }
    }
}
