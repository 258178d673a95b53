//! Real MPI libraries, compared with qtdec: `cargo xtask engines`.

mod engines;

use std::process::ExitCode;

use clap::Parser;
use xtask::outcome::report;

fn main() -> ExitCode {
    xtask::outcome::end_with_the_reader();
    report(engines::engines(&engines::Arguments::parse()))
}
