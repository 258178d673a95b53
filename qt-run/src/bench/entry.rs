//! The entry, which the program in C calls.
#![allow(unsafe_code)]

use std::ffi::{CStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::Parser;

use super::arguments::Arguments;
use super::{grid, network};
use crate::mpi::{Mpi, MpiError, MpiFunctions};

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
            let texts = std::slice::from_raw_parts(arguments, usize::try_from(count).unwrap_or(0));
            let text = |text: &*const c_char| OsString::from_vec(CStr::from_ptr(*text).to_bytes().to_vec());
            (texts.iter().map(text).collect::<Vec<_>>(), &*table)
        };
        run(arguments, table)
    }));
    done.unwrap_or_else(|_| {
        // The message was printed. Other ranks wait for this one, so all must end.
        // SAFETY: as above.
        unsafe { &*table }.call_abort(101);
        101
    })
}

fn run(arguments: Vec<OsString>, table: &MpiFunctions) -> c_int {
    let arguments = Arguments::try_parse_from(arguments).map_err(|error| error.to_string());
    let arguments = arguments.and_then(Arguments::checked);
    if arguments.as_ref().is_ok_and(|(_, methods)| methods.iter().any(super::method::Method::is_switched)) {
        // SAFETY: this process has one thread as long as MPI has not started.
        unsafe { std::env::set_var("OMPI_MCA_coll_tuned_use_dynamic_rules", "1") };
    }
    let mpi = match Mpi::start(table) {
        Ok(mpi) => mpi,
        Err(MpiError(reason)) => {
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
        Err(MpiError(reason)) => {
            eprintln!("qtdec-bench: rank {}: {reason}", mpi.rank());
            mpi.abort(1);
            1
        }
    }
}
