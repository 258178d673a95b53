//! Intel MPI 2021: the presets of the variables `I_MPI_ADJUST_…`.

use qtdec_mpi_library::catalogue::intel_mpi::last_preset;
use qtdec_mpi_library::catalogue::{Algorithm, Library, Release};

use super::library::MeasuredLibrary;

pub(super) const INTEL_MPI: MeasuredLibrary = MeasuredLibrary {
    // Rules leave a call to the library with the number 0.
    left: |collective| Some(adjust(collective, 0)),
    // Release 2021.18.1 writes "Incorrect algorithm: BCAST=23, will be ignored", and ends with 0. Others may have fewer presets.
    replaced: Some("Incorrect algorithm: "),
    // Seen in release 2021.18.1.
    is_tuned_by_ranks: true,
    ranks_per_node: "-ppn \"$ppn\"",
    presets: Some(presets),
    ..MeasuredLibrary::new(
        ("intel-mpi", "Intel MPI (2021.18)"),
        Library::IntelMpi,
        Release::new(2021, 18),
        |collective, algorithm, _| vec![adjust(collective, algorithm.number.unwrap_or(0))],
    )
};

/// Returns every preset, those without a name too.
fn presets(collective: &str) -> Vec<&'static Algorithm> {
    let presets = 1..=last_preset(collective).unwrap_or(0);
    presets.filter_map(|number| Library::IntelMpi.numbered(collective, number)).collect()
}

/// Returns the variable that sets the preset of a collective, as `NAME=VALUE`.
fn adjust(collective: &str, number: u64) -> String {
    let word = Library::IntelMpi.collective(collective).map_or(collective, |known| known.word);
    format!("I_MPI_ADJUST_{word}={number}")
}
