//! The releases of Open MPI on which the chain runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use xtask::packages::Machine;
use xtask::wheels::{OPEN_MPI_5, has_headers};

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
                machine
                    .packages(&["libopenmpi-dev"], || has_headers(&mut Command::new(mpicc)).then_some(()))?;
                Ok(Commands { mpirun: "mpirun.openmpi".into(), mpicc: mpicc.into() })
            }
            Self::OpenMpi5 => {
                let programs = OPEN_MPI_5.programs(machine)?;
                let [mpirun, mpicc] = ["mpirun", "mpicc"].map(|program| programs.join(program));
                Ok(Commands { mpirun, mpicc })
            }
        }
    }
}
