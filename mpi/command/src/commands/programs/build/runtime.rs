//! The static library that programs in C are linked with.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem;
use qtdec_mpi_run::rim::{LIBRARY, MARK};

use qtdec_terminal::Failure;

/// Returns the static library of this name, or the one beside the command.
pub(super) fn find(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let path = match named {
        Some(named) if named.is_file() => named.to_owned(),
        Some(named) => return Err(Failure::input(format!("there is no file `{}`", named.display()))),
        None => beside()?,
    };
    let library = fs::read(&path)
        .map_err(|error| Failure::input(format!("`{}` cannot be read: {error}", path.display())))?;
    if memmem::find(&library, &MARK).is_some() {
        return Ok(path);
    }
    Err(Failure::input(format!(
        "`{}` is of another version of qtdec, or no {LIBRARY} at all: take that of the same release archive, or {}",
        path.display(),
        how_to_build()
    )))
}

fn how_to_build() -> String {
    format!(
        "build it in a clone of the sources of qtdec {version}, here in the folder CLONE:\n  \
         cargo build --release --manifest-path CLONE/Cargo.toml -p qtdec-mpi-run --lib\n  \
         qtdec-mpi build --runtime CLONE/target/release/{LIBRARY} --mpicc mpicc -o bench",
        version = env!("CARGO_PKG_VERSION")
    )
}

/// Finds the static library: in releases it lies beside the command, and Cargo builds it into the same folder.
fn beside() -> Result<PathBuf, Failure> {
    let program = env::current_exe().and_then(|program| program.canonicalize());
    let program =
        program.map_err(|error| Failure::input(format!("this program cannot be found: {error}")))?;
    let folder = program.parent().unwrap_or(Path::new("."));
    // `cargo test` starts programs from the folder `deps`.
    let folders = [folder.to_owned(), folder.join("../lib"), folder.join("..")];
    let found = folders.iter().map(|folder| folder.join(LIBRARY)).find(|path| path.is_file());
    found.ok_or_else(|| {
        Failure::input(format!(
            "there is no {LIBRARY} in `{}`, where release archives have it and `cargo install` has not: {}",
            folder.display(),
            how_to_build()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_found_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LIBRARY);
        for before in [0, 1, (1 << 20) - 40, (1 << 20) - 5, (1 << 20) - 1, 1 << 20, 3 << 20] {
            let text = [&vec![b'q'; before][..], &MARK, b"rest"].concat();
            fs::write(&path, &text).unwrap();
            assert!(find(Some(&path)).is_ok(), "{before}");
            fs::write(&path, &text[..before + MARK.len() - 1]).unwrap();
            let told = format!("{:?}", find(Some(&path)).unwrap_err());
            assert!(told.contains("is of another version of qtdec"), "{before}: {told}");
        }
    }
}
