//! MPICH from 4.0 on: `MPIR_CVAR_…_INTRA_ALGORITHM`, and from 5.0 on compositions of its device: `MPIR_CVAR_…_COMPOSITION`.
//!
//! With `MPIR_CVAR_COLLECTIVE_FALLBACK=error` an algorithm that cannot run ends the program instead of being replaced.

use qtdec_mpi_library::catalogue::mpich::{ch4, device};
use qtdec_mpi_library::catalogue::{Algorithm, Library, Release};

use super::library::MeasuredLibrary;

pub(super) const MPICH: MeasuredLibrary = MeasuredLibrary {
    switches: &["MPIR_CVAR_DEVICE_COLLECTIVES=percoll"],
    switch_of: |collective| Some(format!("{}=0", device::variable(collective)?)),
    complete_file: Some("libmpich.so"),
    ranks_per_node: "-ppn \"$ppn\"",
    ..MeasuredLibrary::new(("mpich", "MPICH (4.0)"), Library::Mpich, Release::new(4, 0), force)
};

fn force(collective: &str, algorithm: &Algorithm, segment: u64) -> Vec<String> {
    if let Some(letter) = ch4::letter(algorithm) {
        // The device serves the collective again: the last of several settings counts. Communicators on one node do without it.
        let served = device::variable(collective).map(|name| format!("{name}=1"));
        return served.into_iter().chain([ch4::variable(collective, letter)]).collect();
    }
    // Benchmarks themselves call reductions of a few elements to gather their times. An algorithm that needs more elements
    // is replaced there, with a message. The measured messages are large enough.
    let fallback = if algorithm.needs_elements() { "print" } else { "error" };
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
