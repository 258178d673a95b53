//! MPICH from 4.0 on: `MPIR_CVAR_…_INTRA_ALGORITHM`.
//!
//! With `MPIR_CVAR_COLLECTIVE_FALLBACK=error` an algorithm that cannot run ends the program instead of being replaced.

use qtdec_mpi_library::catalogue::mpich::device;
use qtdec_mpi_library::catalogue::{Algorithm, Library, Need, Release};

use super::library::MeasuredLibrary;

/// MPICH.
#[derive(Debug)]
pub(super) struct Mpich;

impl MeasuredLibrary for Mpich {
    fn name(&self) -> &'static str {
        "mpich"
    }

    fn title(&self) -> &'static str {
        "MPICH (4.0)"
    }

    fn library(&self) -> Library {
        Library::Mpich
    }

    fn release(&self) -> Release {
        Release::new(4, 0)
    }

    fn switches(&self) -> &'static [&'static str] {
        &["MPIR_CVAR_DEVICE_COLLECTIVES=percoll"]
    }

    fn switch_of(&self, collective: &str) -> Option<String> {
        Some(format!("{}=0", device::variable(collective)?))
    }

    fn complete_file(&self) -> Option<&'static str> {
        Some("libmpich.so")
    }

    fn ranks_per_node(&self) -> &'static str {
        "-ppn \"$ppn\""
    }

    fn force(&self, collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String> {
        // Benchmarks themselves call reductions of a few elements to gather their times. An algorithm that needs more elements
        // is replaced there, with a message. The measured messages are large enough.
        let needs_elements = algorithm.needs.contains(&Need::CountAtLeastCommSize);
        let fallback = if needs_elements { "print" } else { "error" };
        let of_collective = format!("MPIR_CVAR_{}", collective.to_uppercase());
        let mut variables = vec![
            format!("MPIR_CVAR_COLLECTIVE_FALLBACK={fallback}"),
            format!("{of_collective}_INTRA_ALGORITHM={}", algorithm.name),
        ];
        // Without a segment size, a tuning file has that of the variable's default.
        if algorithm.is_segmented() && segment > 0 {
            variables.push(format!("{of_collective}_TREE_PIPELINE_CHUNK_SIZE={segment}"));
        }
        variables
    }
}
