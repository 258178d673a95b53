//! Our own schedules inside programs: trees decide which calls of collectives they carry out, and the MPI library has the rest. See
//! `c/interposer.c`, which sees the calls.

mod agreement;
mod buffers;
mod call;
mod compare;
mod compiled;
mod decision;
mod entry;
mod environment;
#[cfg(test)]
mod example;
mod learning;
mod plans;
mod single;
mod trees;

pub(crate) use compiled::in_c;

/// Writes a line to standard error. A line that cannot be written is lost: the program goes on.
fn say(text: &str) {
    use std::io::Write;
    let _ = std::io::stderr().write_all(format!("libqtdec_mpi.so: {text}\n").as_bytes());
}
