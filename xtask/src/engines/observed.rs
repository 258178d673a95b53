//! Broadcasts of a small program under `mpirun`, with a spy in between.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::root;

/// The program and its spy, built for one MPI.
pub(super) struct Broadcasts {
    folder: PathBuf,
    spy: PathBuf,
    program: PathBuf,
}

impl Broadcasts {
    /// Builds the program with the MPI's compiler, and the spy.
    pub(super) fn build(folder: &Path, mpicc: &str, spy: &str) -> Result<Self, String> {
        let sources = root().join("xtask/src/engines");
        let built =
            Self { folder: folder.to_owned(), spy: folder.join("spy.so"), program: folder.join("bcast") };
        let run = |command: &mut Command| match command.output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
            Err(error) => Err(format!("{command:?}: {error}")),
        };
        run(Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-o"])
            .arg(&built.spy)
            .arg(sources.join(spy))
            .arg("-ldl"))?;
        run(Command::new(mpicc)
            .args(["-O1", "-o"])
            .arg(&built.program)
            .arg(sources.join("bcast.c"))
            .arg("-ldl"))?;
        Ok(built)
    }

    pub(super) fn spy(&self) -> &Path {
        &self.spy
    }

    /// What the spy saw of each size. `launcher` is the whole command line up to the program.
    pub(super) fn run(&self, launcher: &mut Command, sizes: &[u64]) -> Result<Vec<String>, String> {
        launcher.arg(&self.program).args(sizes.iter().map(u64::to_string)).current_dir(&self.folder);
        let output = launcher.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let seen: Vec<String> =
            text.lines().filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect();
        if output.status.success() && seen.len() == sizes.len() {
            return Ok(seen);
        }
        let fault = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("{launcher:?} ended with {}:\n{text}{fault}", output.status))
    }
}

/// `timeout` around a launcher: an MPI that hangs must not hang the tests.
pub(super) fn launcher(name: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["-k", "5", "120", name]);
    command
}
