//! The help page of the program.

use std::process::Command;

#[test]
fn the_help_fits_on_a_screen() {
    let output = Command::new(env!("CARGO_BIN_EXE_qtdec-mpi")).arg("-h").output().expect("the program runs");
    let help = String::from_utf8(output.stdout).expect("it is text");
    assert!(output.status.success() && help.lines().count() <= 40, "{help}");
}
