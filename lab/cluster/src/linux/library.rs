//! The MPI libraries that are measured.

use std::fmt;

use clap::ValueEnum;
use xtask::libraries::{MPICH_5, OPEN_MPI_5, Programs, open_mpi_of_debian};

/// A release of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Library {
    /// Open MPI of Debian's packages
    #[value(name = "4.1")]
    OpenMpi4,
    /// Open MPI of the Python Package Index
    #[value(name = "5.0")]
    OpenMpi5,
    /// MPICH of the Python Package Index
    #[value(name = "mpich-5.0")]
    Mpich5,
}

/// Returns the name by which options select the release.
impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenMpi4 => "4.1",
            Self::OpenMpi5 => "5.0",
            Self::Mpich5 => "mpich-5.0",
        })
    }
}

impl Library {
    /// The releases whose algorithms the benchmark can force within a launch: those of Open MPI.
    pub(super) const FORCED: [&str; 2] = ["4.1", "5.0"];

    /// Returns the release, as tuning files are made for it.
    pub(super) fn release(self) -> &'static str {
        match self {
            Self::OpenMpi4 => "4.1",
            Self::OpenMpi5 | Self::Mpich5 => "5.0",
        }
    }

    /// Returns what the library must be told besides what the cluster tells all of them.
    pub(super) fn settings(self) -> &'static [(&'static str, &'static str)] {
        match self {
            // The libfabric in the wheel would take another provider.
            Self::Mpich5 => &[("FI_PROVIDER", "tcp"), ("FI_TCP_IFACE", "eth0")],
            Self::OpenMpi4 | Self::OpenMpi5 => &[],
        }
    }

    /// Returns the programs.
    pub(super) fn ready(self) -> Result<Programs, String> {
        match self {
            Self::OpenMpi4 => open_mpi_of_debian(),
            Self::OpenMpi5 => OPEN_MPI_5.programs(),
            Self::Mpich5 => MPICH_5.programs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_selected_by_their_names() {
        for library in Library::value_variants() {
            assert_eq!(Library::from_str(&library.to_string(), false), Ok(*library));
        }
        assert!(Library::FORCED.iter().all(|name| Library::from_str(name, false).is_ok()));
    }
}
