//! Releases of MPI libraries, and their commands.

use std::path::PathBuf;

use qtdec_mpi_library::catalogue::Release;
use xtask::packages::Machine;
use xtask::wheels::{INTEL_MPI_2021, MPICH_5, OPEN_MPI_5, Wheel};

/// A release of an MPI library on this machine.
pub(super) struct Installed {
    pub(super) release: Release,
    pub(super) mpirun: PathBuf,
    pub(super) mpicc: PathBuf,
    /// The variable that they need, with its value.
    pub(super) variable: Option<(&'static str, PathBuf)>,
}

impl Installed {
    /// Returns Debian's Open MPI.
    pub(super) fn open_mpi_of_debian(machine: Machine) -> Result<Self, String> {
        Self::of_debian(machine, Release::new(4, 1), "openmpi", ["openmpi-bin", "libopenmpi-dev"])
    }

    /// Returns Debian's MPICH.
    pub(super) fn mpich_of_debian(machine: Machine) -> Result<Self, String> {
        Self::of_debian(machine, Release::new(4, 0), "mpich", ["mpich", "libmpich-dev"])
    }

    /// Returns Debian's package of a library, whose commands have this ending.
    fn of_debian(
        machine: Machine,
        release: Release,
        ending: &str,
        [launcher, headers]: [&str; 2],
    ) -> Result<Self, String> {
        let [mpirun, mpicc] = ["mpirun", "mpicc"].map(|command| format!("{command}.{ending}"));
        machine.command("cc", &["gcc"])?;
        machine.command(&mpirun, &[launcher])?;
        machine.command(&mpicc, &[headers])?;
        // The compiler wrapper is installed without the headers that it needs.
        machine.library(&format!("{ending}/include/mpi.h"), &[headers])?;
        Ok(Self { release, mpirun: mpirun.into(), mpicc: mpicc.into(), variable: None })
    }

    /// Returns Open MPI 5.0 of a wheel.
    pub(super) fn open_mpi_5(machine: Machine) -> Result<Self, String> {
        Self::of_wheel(machine, Release::new(5, 0).patch(11), OPEN_MPI_5)
    }

    /// Returns MPICH 5.0 of a wheel.
    pub(super) fn mpich_5(machine: Machine) -> Result<Self, String> {
        Self::of_wheel(machine, Release::new(5, 0), MPICH_5)
    }

    fn of_wheel(machine: Machine, release: Release, wheel: Wheel) -> Result<Self, String> {
        machine.command("cc", &["gcc"])?;
        let programs = wheel.programs(machine)?;
        let variable = wheel.variable();
        Ok(Self { release, mpirun: programs.join("mpirun"), mpicc: programs.join("mpicc"), variable })
    }

    /// Returns Intel MPI of a wheel. Its `mpirun` takes the `mpiexec.hydra` of another library that comes first in the path.
    pub(super) fn intel_mpi(machine: Machine) -> Result<Self, String> {
        let installed = Self::of_wheel(machine, Release::new(2021, 18), INTEL_MPI_2021)?;
        Ok(Self { mpirun: installed.mpirun.with_file_name("mpiexec.hydra"), ..installed })
    }
}
