//! Releases of MPI libraries, and their commands.

use std::path::PathBuf;

use qtdec_mpi_library::catalogue::Release;
use xtask::libraries::{self, INTEL_MPI_2021, MPICH_5, OPEN_MPI_5, Programs};

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
    pub(super) fn open_mpi_of_debian() -> Result<Self, String> {
        libraries::open_mpi_of_debian().map(|programs| Self::new(Release::new(4, 1), programs))
    }

    /// Returns Debian's MPICH.
    pub(super) fn mpich_of_debian() -> Result<Self, String> {
        libraries::mpich_of_debian().map(|programs| Self::new(Release::new(4, 0), programs))
    }

    /// Returns Open MPI 5.0 of a wheel.
    pub(super) fn open_mpi_5() -> Result<Self, String> {
        OPEN_MPI_5.programs().map(|programs| Self::new(Release::new(5, 0).patch(11), programs))
    }

    /// Returns MPICH 5.0 of a wheel.
    pub(super) fn mpich_5() -> Result<Self, String> {
        MPICH_5.programs().map(|programs| Self::new(Release::new(5, 0), programs))
    }

    /// Returns Intel MPI of a wheel. Its `mpirun` takes the `mpiexec.hydra` of another library that comes first in the path.
    pub(super) fn intel_mpi() -> Result<Self, String> {
        let programs = INTEL_MPI_2021.programs()?;
        let mpirun = programs.mpirun.with_file_name("mpiexec.hydra");
        Ok(Self::new(Release::new(2021, 18), Programs { mpirun, ..programs }))
    }

    fn new(release: Release, Programs { mpirun, mpicc, variable }: Programs) -> Self {
        Self { release, mpirun, mpicc, variable }
    }
}
