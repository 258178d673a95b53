//! The numbers of Intel MPI's algorithms in tuning files.

use crate::catalogue::Library;
use crate::catalogue::intel_mpi::{PRESETS_OF, last_preset};

use crate::tuning::{Decision, Severity};

/// Returns the decision for a number, of which 0 leaves the choice to the library.
pub(super) fn decision(collective: &str, number: u64) -> Decision {
    match Library::IntelMpi.numbered(collective, number) {
        _ if number == 0 => Decision::library(),
        // The number adds nothing to the name, and other libraries use other numbers.
        Some(known) => Decision { name: Some(known.name.to_owned()), ..Decision::default() },
        None => Decision { algorithm: Some(number), ..Decision::default() },
    }
}

/// Adds what is wrong with the number of an algorithm of a collective.
pub(super) fn number(collective: &str, number: u64, add: &mut impl FnMut(Severity, String, &str)) {
    let known = Library::IntelMpi.algorithms(collective).len();
    if Library::IntelMpi.numbered(collective, number).is_none() && number > 0 {
        let message = format!("{number} is not a known preset for {collective}");
        add(
            Severity::Wrong,
            message,
            &format!(
                "the algorithms are 1 to {known}, and there are presets up \
             to 64"
            ),
        );
    } else if let Some(last) = last_preset(collective).filter(|last| number > *last) {
        let message = format!(
            "{number} is greater than {last}, the last preset for {collective} in {PRESETS_OF}, which ignores the variable"
        );
        add(Severity::Wrong, message, "`impi_info -v` prints the range of an installation");
    } else if number > known as u64 {
        let message =
            format!("{number} is a preset: Intel's reference lists {known} algorithms for {collective}");
        add(Severity::Note, message, "`impi_info -v` lists the presets of an installation");
    }
}
