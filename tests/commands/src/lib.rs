//! The programs for the tests of commands, which are in `tests`.

use std::env;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Returns the path of `qtdec`; `qtdec-mpi` stands beside it, and `qtdec mpi` runs that one.
///
/// # Panics
///
/// Cargo has not built both. It does if the tests of their packages are among those that run.
pub fn qtdec() -> &'static str {
    &QTDEC
}

static QTDEC: LazyLock<String> = LazyLock::new(found);

fn found() -> String {
    let own = env::current_exe().expect("a test has a path");
    let folder: PathBuf = own.ancestors().nth(2).expect("tests stand in `deps`").to_owned();
    for name in ["qtdec", "qtdec-mpi"] {
        let program = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
        assert!(
            program.is_file(),
            "{} is not built: run cargo test -p qtdec-cli -p qtdec-mpi -p qtdec-commands",
            program.display()
        );
    }
    folder.join("qtdec").into_os_string().into_string().expect("the path is text")
}
