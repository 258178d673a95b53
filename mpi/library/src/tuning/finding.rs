//! Findings in a tuning file.

use crate::catalogue::Algorithm;
use qtdec_core::{Diagnostics, Message, Place, Problem, Problems};

/// The severity of a finding. The variants are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Information.
    Note,
    /// The library accepts the file, but it does not do what it appears to do.
    Wrong,
    /// The library accepts the file, but a call or the start of the program fails.
    Fails,
    /// The library rejects the file.
    Dropped,
}

impl Severity {
    /// Returns the name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Wrong => "wrong",
            Self::Fails => "fails",
            Self::Dropped => "dropped",
        }
    }
}

/// A finding in a file.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The place, the consequences, and a suggestion.
    pub problem: Problem,
}

/// Returns the line of a file on which a place begins, or `None` for the whole file.
pub fn line(place: &Place, bytes: &[u8]) -> Option<usize> {
    let offset = match place {
        Place::File => return None,
        Place::Offset(offset) => *offset,
        place => place.resolve(std::str::from_utf8(bytes).ok()?)?.start,
    };
    Some(line_at(offset, bytes))
}

/// Returns the line of a file that contains a byte.
pub(super) fn line_at(offset: usize, bytes: &[u8]) -> usize {
    bytes[..offset.min(bytes.len())].split(|byte| *byte == b'\n').count()
}

/// The suggestion for an algorithm that a release lacks.
pub(super) const OTHER_RELEASE: &str =
    "use another algorithm, or name the release that the file is for with --release";

/// The maximum number of findings that are reported.
pub(super) const MAX: usize = 1000;

/// Returns the beginning of a text of a file.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The findings in a file.
#[derive(Debug, Default)]
pub(super) struct Findings {
    found: Vec<Finding>,
    /// The algorithms whose faults were reported.
    cautioned: Vec<&'static str>,
}

impl Findings {
    /// Adds a finding; an empty `help` means no suggestion.
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

    /// Adds a finding at a byte of the file; an empty `help` means no suggestion.
    pub(super) fn at(&mut self, severity: Severity, offset: usize, message: impl Into<Message>, help: &str) {
        self.add(severity, Place::Offset(offset), message, help);
    }

    /// Adds a note of a fault that an algorithm of a collective has with or without segments, the first time.
    pub(super) fn caution(
        &mut self,
        place: impl Into<Place>,
        collective: &str,
        algorithm: &'static Algorithm,
        has_segments: bool,
    ) {
        if let Some(fault) = algorithm.fault(has_segments)
            && !self.cautioned.contains(&algorithm.name)
        {
            self.cautioned.push(algorithm.name);
            self.add(Severity::Note, place, format!("{collective} `{}` {fault}", algorithm.name), "");
        }
    }

    pub(super) fn push(&mut self, severity: Severity, problem: Problem) {
        if self.found.len() < MAX {
            self.found.push(Finding { severity, problem });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns the findings in the order in which they were found.
    pub(super) fn found(self) -> Vec<Finding> {
        self.found
    }

    /// Returns the findings in file order; those about the whole file come first.
    pub(super) fn sorted(mut self) -> Vec<Finding> {
        self.found.sort_by_key(|finding| match finding.problem.place {
            Place::Offset(offset) => offset,
            _ => 0,
        });
        self.found
    }
}

/// Checks whether the library accepts a file.
pub(super) fn accepted(findings: impl IntoIterator<Item = Finding>) -> Result<(), Problems> {
    let mut check = Diagnostics::default();
    let dropped = findings.into_iter().filter(|finding| finding.severity == Severity::Dropped);
    dropped.for_each(|finding| check.add(finding.problem));
    check.finish(Some(()))
}
