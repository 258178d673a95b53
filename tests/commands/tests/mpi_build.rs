//! `qtdec-mpi build` without what it needs: a static library, a compiler, trees.

use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_mpi_run::rim::{LIBRARY, MARK};

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
        let output = Command::new(qtdec_commands::qtdec())
            .args(["mpi", "build", "--runtime", LIBRARY, "-o", "bench"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn a_program_without_the_static_library_says_how_to_build_it() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bin = folder.path().canonicalize().unwrap().join("bin");
    fs::create_dir(&bin).unwrap();
    let own = Path::new(qtdec_commands::qtdec()).with_file_name("qtdec-mpi");
    fs::hard_link(own, bin.join("qtdec-mpi")).unwrap();
    let output = Command::new(bin.join("qtdec-mpi"))
        .args(["build", "-o", "bench"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let expected = format!(
        "error: there is no libqtdec_mpi_run.a in `{}`, where release archives have it and `cargo install` has not: build it in a clone of the \
         sources of qtdec {}, here in the folder CLONE:\n  \
         cargo build --release --manifest-path CLONE/Cargo.toml -p qtdec-mpi-run --lib\n  \
         qtdec-mpi build --runtime CLONE/target/release/libqtdec_mpi_run.a --mpicc mpicc -o bench\n",
        bin.display(),
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.path().join("bench").exists());
}
