//! Intel MPI 2021: the presets of the variables `I_MPI_ADJUST_…`.

use qtdec_mpi_library::catalogue::intel_mpi::last_preset;
use qtdec_mpi_library::catalogue::{Algorithm, Library, Release};

use super::library::{MeasuredAlgorithm, MeasuredLibrary};

/// Intel MPI.
#[derive(Debug)]
pub(super) struct IntelMpi;

impl MeasuredLibrary for IntelMpi {
    fn name(&self) -> &'static str {
        "intel-mpi"
    }

    fn title(&self) -> &'static str {
        "Intel MPI (2021.18)"
    }

    fn library(&self) -> Library {
        Library::IntelMpi
    }

    fn release(&self) -> Release {
        Release::new(2021, 18)
    }

    fn switches(&self) -> &'static [&'static str] {
        &[]
    }

    /// Rules leave a call to the library with the number 0.
    fn left(&self, collective: &str) -> Vec<String> {
        vec![self.adjust(collective, 0)]
    }

    fn force(&self, collective: &str, algorithm: &Algorithm, _segment: u64) -> Vec<String> {
        vec![self.adjust(collective, algorithm.number.unwrap_or(0))]
    }

    /// Release 2021.18.1 writes "Incorrect algorithm: BCAST=23, will be ignored", and ends with 0. Others may have fewer presets.
    fn replaced(&self) -> Option<&'static str> {
        Some("Incorrect algorithm: ")
    }

    /// Seen in release 2021.18.1.
    fn is_tuned_by_ranks(&self) -> bool {
        true
    }

    fn ranks_per_node(&self) -> &'static str {
        "-ppn \"$ppn\""
    }

    /// Every preset, those without a name too.
    fn algorithms(&self, collective: &str, _release: Release) -> Vec<MeasuredAlgorithm> {
        let presets = 1..=last_preset(collective).unwrap_or(0);
        let measured = |number| {
            let algorithm = self.library().numbered(collective, number)?;
            Some(MeasuredAlgorithm { name: algorithm.measured_name()?, algorithm })
        };
        presets.filter_map(measured).collect()
    }
}

impl IntelMpi {
    /// Returns the variable that sets the preset of a collective, as `NAME=VALUE`.
    fn adjust(&self, collective: &str, number: u64) -> String {
        let word = self.library().collective(collective).map_or(collective, |known| known.word);
        format!("I_MPI_ADJUST_{word}={number}")
    }
}
