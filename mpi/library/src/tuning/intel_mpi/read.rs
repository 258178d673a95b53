//! Reading of the variables according to their documentation.

use crate::catalogue::Library;
use qtdec_core::{Place, Problems};

use super::{INTEL_MPI, PREFIX};
use crate::tuning::Decision;
use crate::tuning::Severity::{Dropped, Note, Wrong};
use crate::tuning::environment::{Assignment, assignments, is_unset, too_long};
use crate::tuning::finding::{Findings, accepted, shown};
use crate::tuning::rule_set::{self, Rules};

/// A number with one of its conditions: a rectangle that includes its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// The offset of its condition in the file, or of its number if it has none.
    pub(super) offset: usize,
    /// MPI's name.
    pub(super) collective: &'static str,
    pub(super) number: u64,
    pub(super) messages: Range,
    pub(super) processes: Range,
}

/// A minimum and a maximum size, or `None` for all.
pub(super) type Range = Option<(u64, u64)>;

impl Rule {
    fn matched(&self) -> rule_set::Rule {
        let range = |range: Range| range.map_or(0..=u64::MAX, |(least, greatest)| least..=greatest);
        rule_set::Rule {
            collective: self.collective,
            communicators: range(self.processes),
            messages: range(self.messages),
            decision: decision(self.collective, self.number),
            places: vec![(self.describe(), Place::Offset(self.offset))],
        }
    }

    /// Returns whether some call matches both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.collective == other.collective
            && meet(self.messages, other.messages)
            && meet(self.processes, other.processes)
    }

    /// Returns the rule in its syntax.
    pub(super) fn describe(&self) -> String {
        let range = |(least, greatest): (u64, u64)| format!("{least}-{greatest}");
        let messages = self.messages.map(range).unwrap_or_default();
        let processes = self.processes.map(|processes| format!("@{}", range(processes))).unwrap_or_default();
        let colon = if messages.is_empty() && processes.is_empty() { "" } else { ":" };
        format!("{}{colon}{messages}{processes}", self.number)
    }
}

/// Returns the decision for a number, of which 0 leaves the choice to the library.
fn decision(collective: &str, number: u64) -> Decision {
    match Library::IntelMpi.numbered(collective, number) {
        _ if number == 0 => Decision::library(),
        // The number adds nothing to the name, and other libraries use other numbers.
        Some(known) => Decision { name: Some(known.name.to_owned()), ..Decision::default() },
        None => Decision { algorithm: Some(number), ..Decision::default() },
    }
}

fn meet(one: Range, other: Range) -> bool {
    let [(a, b), (c, d)] = [one, other].map(|range| range.unwrap_or((0, u64::MAX)));
    a.max(c) <= b.min(d)
}

/// Reads a file and returns its rules and findings about their syntax.
pub(super) fn read(bytes: &[u8]) -> (Vec<Rule>, Findings) {
    let (found, findings) = assignments(bytes, PREFIX);
    let mut reader = Reader { rules: Vec::new(), findings };
    for assignment in &found {
        reader.variable(assignment);
    }
    if found.is_empty() && reader.findings.is_empty() && !is_unset(bytes, PREFIX) {
        let message = format!("no variable {PREFIX}… is set");
        reader.findings.add(Wrong, Place::File, message, "set one, such as I_MPI_ADJUST_BCAST=1");
    }
    (reader.rules, reader.findings)
}

#[derive(Default)]
struct Reader {
    rules: Vec<Rule>,
    findings: Findings,
}

impl Reader {
    fn variable(&mut self, assignment: &Assignment<'_>) {
        let end = assignment.name.strip_prefix(PREFIX).unwrap_or_default();
        let Some(known) = Library::IntelMpi.collective_by_word(end) else {
            let message = format!("{} is not for a known blocking collective", assignment.name);
            self.findings.at(Note, assignment.offset, message, "");
            return;
        };
        let collective = known.name;
        if too_long(assignment.name, assignment.value).is_some() {
            return;
        }
        let mut start = assignment.start;
        for rule in assignment.value.split(';') {
            // A separator at the end does no harm.
            if !rule.trim().is_empty() {
                self.rule(collective, start, rule);
            } else if start < assignment.start + assignment.value.len() || assignment.value.is_empty() {
                let message = "there is no number";
                self.findings.at(Dropped, start, message, FORM);
            }
            start += rule.len() + 1;
        }
    }

    fn rule(&mut self, collective: &'static str, start: usize, rule: &str) {
        let (number, conditions) =
            rule.split_once(':').map_or((rule, None), |(number, conditions)| (number, Some(conditions)));
        let Some(known) = whole(number) else {
            let message = format!("`{}` is not the number of an algorithm", shown(number));
            self.findings.at(Dropped, start, message, FORM);
            return;
        };
        let rule = Rule { offset: start, collective, number: known, messages: None, processes: None };
        let Some(conditions) = conditions else {
            self.rules.push(rule);
            return;
        };
        let mut offset = start + number.len() + 1;
        for condition in conditions.split(',') {
            match self::condition(condition) {
                Some((messages, processes)) => {
                    self.rules.push(Rule { offset, messages, processes, ..rule.clone() });
                }
                None => {
                    let message = format!("`{}` is not a condition that Intel documents", shown(condition));
                    self.findings.at(Dropped, offset, message, FORM);
                }
            }
            offset += condition.len() + 1;
        }
    }
}

const FORM: &str = "write NUMBER:MIN-MAX@MIN-MAX, in bytes and processes, and `;` between rules";

/// Returns the messages and the processes of a condition.
fn condition(text: &str) -> Option<(Range, Range)> {
    match text.split_once('@') {
        None => Some((Some(range(text)?), None)),
        Some((messages, processes)) if messages.trim().is_empty() => Some((None, Some(range(processes)?))),
        Some((messages, processes)) => Some((Some(range(messages)?), Some(range(processes)?))),
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    match text.split_once('-') {
        None => whole(text).map(|only| (only, only)),
        Some((least, greatest)) => Some((whole(least)?, whole(greatest)?)),
    }
}

fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the rules of a file, in file order. The first that matches a call applies here; Intel does not document which one does.
pub(super) fn rules(bytes: &[u8]) -> Result<Rules, Problems> {
    let (rules, findings) = read(bytes);
    accepted(findings.found())?;
    Ok(Rules::new(rules.iter().map(Rule::matched), &INTEL_MPI))
}
