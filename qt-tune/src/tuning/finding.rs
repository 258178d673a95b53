//! What is the matter with a tuning file.

use qtdec_core::{Diagnostics, Message, Place, Problem, Problems};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Note,
    /// The file is accepted and does something else than it looks like.
    Wrong,
    /// The file is accepted, and a call fails, or the start of the program.
    Fails,
    /// The library does not take the file at all.
    Dropped,
}

impl Severity {
    /// As programs read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Wrong => "wrong",
            Self::Fails => "fails",
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

/// What to do about an algorithm that a release lacks.
pub(super) const OTHER_RELEASE: &str =
    "take another algorithm, or name the release that the file is for: --release";

/// As many findings are told: a file of a million faults says it often enough.
pub(super) const MOST: usize = 1000;

/// What is found in a file.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Adds a finding; an empty `help` is none.
    pub(super) fn add(
        &mut self,
        severity: Severity,
        place: impl Into<Place>,
        message: impl Into<Message>,
        help: &str,
    ) {
        let problem = Problem::new(place, message);
        self.push(severity, if help.is_empty() { problem } else { problem.help(help) });
    }

    pub(super) fn push(&mut self, severity: Severity, problem: Problem) {
        if self.0.len() < MOST {
            self.0.push(Finding { severity, problem });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the order in which they were found.
    pub(super) fn found(self) -> Vec<Finding> {
        self.0
    }

    /// In the order of the file; those of the whole of it come first.
    pub(super) fn sorted(mut self) -> Vec<Finding> {
        self.0.sort_by_key(|finding| match finding.problem.place {
            Place::Offset(offset) => offset,
            _ => 0,
        });
        self.0
    }
}

/// Whether the library takes a file.
///
/// # Errors
///
/// All for which it does not.
pub(super) fn accepted(findings: impl IntoIterator<Item = Finding>) -> Result<(), Problems> {
    let mut check = Diagnostics::default();
    let dropped = findings.into_iter().filter(|finding| finding.severity == Severity::Dropped);
    dropped.for_each(|finding| check.add(finding.problem));
    check.finish(Some(()))
}
