//! The command line of the rates. All else is a library, which the compiler can make while it optimises what that depends on.

use std::process::ExitCode;

fn main() -> ExitCode {
    qtdec_lab_rates::run()
}
