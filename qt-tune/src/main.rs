//! The `qtdec` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    qtdec_tune::cli::run()
}
