//! The check of a file before it is written: what `qtdec-mpi check` finds in it for the release that it is for.

use qtdec_core::{Diagnostics, Place, Problem};
use qtdec_mpi_library::catalogue::Release;

use qtdec_mpi_library::tuning::{Finding, Format, Severity};
use qtdec_terminal::{Failure, Input, reported};

/// Checks that a release accepts the text of a file with this name, that no call fails with it, and that nothing in it is wrong for this
/// release alone. `into` is the file that its rules were inserted into.
pub(crate) fn check_written(
    (format, release): (&Format, Option<Release>),
    (name, text): (&str, &str),
    into: Option<&Input>,
) -> Result<(), Failure> {
    let whatever_release = format.check(text.as_bytes(), None);
    let is_of_release = |finding: &Finding| {
        !whatever_release.iter().any(|known| known.problem.message == finding.problem.message)
    };
    let cannot_run = |finding: &Finding| match finding.severity {
        Severity::Note => false,
        Severity::Fails | Severity::Dropped => true,
        Severity::Wrong => is_of_release(finding),
    };
    let mut check = Diagnostics::default();
    for finding in format.check(text.as_bytes(), release).into_iter().filter(cannot_run) {
        // Places in the written file do not apply to the one that its rules were inserted into.
        let problem = match (into, release) {
            (Some(into), Some(release)) if is_of_release(&finding) => {
                let library = format.library.name();
                Problem::new(Place::File, finding.problem.message).help(format!(
                    "give --into the file of {library} {release}, or name the release that `{}` is of with --release",
                    into.name()
                ))
            }
            _ => Problem { place: Place::File, ..finding.problem },
        };
        check.add(problem);
    }
    reported(into.map_or(name, Input::name), check.finish(Some(())))
}
