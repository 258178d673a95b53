//! What is the matter with a tuning file.

use qtdec_core::{Check, Place, Problem, Problems};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Note,
    /// The file is accepted and does something else than it looks like, or fails in a call.
    Wrong,
    /// The library does not take the file at all.
    Dropped,
}

impl Severity {
    /// As programs read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Wrong => "wrong",
            Self::Dropped => "dropped",
        }
    }
}

/// Something that is the matter with a file.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is, what follows from it, and the way out.
    pub problem: Problem,
}

/// Whether the library takes a file.
///
/// # Errors
///
/// All for which it does not.
pub(super) fn accepted(findings: impl IntoIterator<Item = Finding>) -> Result<(), Problems> {
    let mut check = Check::default();
    let dropped = findings.into_iter().filter(|finding| finding.severity == Severity::Dropped);
    dropped.for_each(|finding| check.add(finding.problem));
    check.finish(Some(()))
}

/// Puts findings into the order of the file; those of the whole of it come first.
pub(super) fn sort(findings: &mut [Finding]) {
    findings.sort_by_key(|finding| match finding.problem.place {
        Place::Offset(offset) => offset,
        _ => 0,
    });
}
