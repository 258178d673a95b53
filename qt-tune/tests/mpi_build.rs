//! `qtdec mpi-build` with a static library of the right version, and nothing else that it needs.

use std::fs;
use std::process::Command;

use qtdec_run::rim::{LIBRARY, MARK};

#[test]
fn a_missing_compiler_and_missing_trees_are_named() {
    for (arguments, expected) in [
        (
            ["--mpicc", "no-such-compiler"],
            "error: `no-such-compiler` cannot be run: No such file or directory (os error 2); name the compiler of the MPI library with \
             --mpicc, or install it (Debian: libopenmpi-dev or libmpich-dev)\n",
        ),
        (["--trees", "no-trees"], "error: --trees no-trees: No such file or directory (os error 2)\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LIBRARY), MARK).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_qtdec"))
            .args(["mpi-build", "--runtime", LIBRARY, "-o", "bench"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
        assert_eq!(output.status.code(), Some(1));
    }
}
