//! Programs under real MPI libraries, compiled and run with a library of ours that is preloaded.

use std::path::Path;
use std::process::Command;

use super::started::{launcher, succeed};
use xtask::libraries::{mpich_of_debian, open_mpi_of_debian};
use xtask::machine;
use xtask::run::{build, root, target};

/// An MPI library: the ending of its commands, and the options of its launcher.
pub(super) struct Library {
    pub(super) ending: &'static str,
    options: &'static [&'static str],
    /// Whether it has the calls of MPI 4 with large counts.
    pub(super) large: bool,
}

pub(super) const LIBRARIES: [Library; 2] = [
    Library { ending: "openmpi", options: &["--allow-run-as-root", "--oversubscribe"], large: false },
    Library { ending: "mpich", options: &[], large: true },
];

/// A program: its file, the name of its compiler, and options for this.
pub(super) type Program = (&'static str, &'static str, &'static [&'static str]);

/// Ensures that both libraries, their compilers and that of Fortran are available. The packages with `mpicc` have `mpif90` too.
pub(super) fn available() -> Result<(), String> {
    open_mpi_of_debian()?;
    mpich_of_debian()?;
    machine::command("gfortran")
}

/// Builds qtdec.
pub(super) fn build_qtdec() -> Result<(), String> {
    let built = build(&["--lib", "--bin", "qtdec", "--bin", "qtdec-mpi"]).status();
    let is_built = built.is_ok_and(|status| status.success());
    is_built.then_some(()).ok_or_else(|| "the programs cannot be built".to_owned())
}

impl Library {
    /// Compiles our libraries and programs into a folder. The programs are from a folder of this one.
    pub(super) fn build(&self, folder: &Path, sources: &str, programs: &[Program]) -> Result<(), String> {
        build_qtdec()?;
        let compiler = |name: &str| format!("{name}.{}", self.ending);
        let mut ours = Command::new(target().join("debug/qtdec-mpi"));
        succeed(ours.args(["build", "--mpicc", &compiler("mpicc"), "--output"]).arg(folder))?;
        for (source, name, options) in programs {
            let mut command = Command::new(compiler(name));
            command.args(*options).arg("-o").arg(folder.join(program(source)));
            let path = root().join("lab/engines/src/engines").join(sources).join(source);
            succeed(command.arg(path).current_dir(folder))?;
        }
        Ok(())
    }

    /// Returns the command that runs a program on a number of ranks, which `wrapper` may start.
    pub(super) fn run(&self, ranks: u32, program: &Path, wrapper: &str) -> Command {
        let mut command = launcher(format!("mpirun.{}", self.ending), "");
        command.args(self.options).args(["-np", &ranks.to_string()]);
        if !wrapper.is_empty() {
            command.args(["sh", "-c", wrapper]);
        }
        command.arg(program);
        command
    }
}

/// Returns the name of a program.
pub(super) fn program(source: &str) -> String {
    source.replace('.', "_in_")
}
