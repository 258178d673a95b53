//! Checks of the variables, as far as they are documented, and of what release 2021.18.1 was seen to make of them otherwise.
//!
//! It compares a size with the greatest size of each rule only, in the order of the rules, and the last rule also serves what is greater.
//! If a rule has a range of processes, message sizes have no effect: of several rules with the same range, the last one serves all
//! messages.

use crate::catalogue::intel_mpi::{PRESETS_OF, last_preset};
use crate::catalogue::{Library, SizeUnit};

use super::read::{Range, Rule, read};
use crate::tuning::Severity::{Note, Wrong};
use crate::tuning::bands::sorted;
use crate::tuning::finding::Findings;
use crate::tuning::{Finding, MAX_INT};

/// The maximum number of preceding rules with which a rule is compared.
const COMPARED: usize = 4096;

pub(super) fn check(bytes: &[u8]) -> Vec<Finding> {
    let (rules, mut findings) = read(bytes);
    for (index, rule) in rules.iter().enumerate() {
        number(rule, &mut findings);
        ranges(rule, &mut findings);
        let before = &rules[index.saturating_sub(COMPARED)..index];
        if let Some(earlier) =
            before.iter().find(|earlier| earlier.number != rule.number && earlier.meets(rule))
        {
            let message = format!(
                "`{}` overlaps with `{}`, and Intel does not document which of the two applies",
                rule.describe(),
                earlier.describe()
            );
            let help = "write ranges that do not overlap; qtdec assumes that the first one applies";
            findings.at(Wrong, rule.offset, message, help);
        }
    }
    for variable in rules.chunk_by(|one, next| one.collective == next.collective) {
        if let Some((rule, message)) = difference(variable) {
            let help = "test message sizes alone or processes alone, in increasing order and without gaps (0 leaves the choice to the library)";
            findings.at(Note, rule.offset, message, help);
        }
    }
    findings.sorted()
}

/// Adds what is wrong with the number of an algorithm.
fn number(&Rule { collective, number, offset, .. }: &Rule, findings: &mut Findings) {
    let known = Library::IntelMpi.algorithms(collective).len();
    if Library::IntelMpi.numbered(collective, number).is_none() && number > 0 {
        let message = format!("{number} is not a known preset for {collective}");
        let help = format!("the algorithms are 1 to {known}, and there are presets up to 64");
        findings.at(Wrong, offset, message, &help);
    } else if let Some(last) = last_preset(collective).filter(|last| number > *last) {
        let message = format!(
            "{number} is greater than {last}, the last preset for {collective} in {PRESETS_OF}, which ignores the variable"
        );
        findings.at(Wrong, offset, message, "`impi_info -v` prints the range of an installation");
    } else if number > known as u64 {
        let message =
            format!("{number} is a preset: Intel's reference lists {known} algorithms for {collective}");
        findings.at(Note, offset, message, "`impi_info -v` lists the presets of an installation");
    }
}

fn ranges(rule: &Rule, findings: &mut Findings) {
    for (range, what) in [(rule.messages, "sizes"), (rule.processes, "numbers of processes")] {
        if let Some((least, greatest)) = range.filter(|(least, greatest)| least > greatest) {
            let message = format!("there are no {what} from {least} to {greatest}");
            findings.at(Wrong, rule.offset, message, "exchange them");
        }
    }
    let collective = rule.collective;
    if rule.messages.is_some() && Library::IntelMpi.unit(collective) == SizeUnit::Nothing {
        let message = format!("Intel MPI ignores message sizes for {collective}");
        findings.at(Wrong, rule.offset, message, "omit the sizes: NUMBER:@MIN-MAX");
    }
}

/// Returns a rule of a variable that the release does not obey as documented, and describes what it does instead.
fn difference(variable: &[Rule]) -> Option<(&Rule, String)> {
    let has_messages =
        |rule: &&Rule| rule.messages.is_some_and(|(least, greatest)| least > 0 || greatest < MAX_INT);
    let has_processes = |rule: &&Rule| rule.processes.is_some();
    if let Some(rule) = variable.iter().find(has_processes) {
        if variable.iter().any(|rule| has_messages(&rule)) {
            let message =
                format!("{PRESETS_OF} ignores the message sizes of a variable with numbers of processes");
            return Some((rule, message));
        }
        return along(variable, |rule| rule.processes, 1, "processes");
    }
    along(variable, |rule| rule.messages, 0, "bytes")
}

/// Compares rules that test one size with what the reference says, at each size where something may change.
fn along<'r>(
    variable: &'r [Rule],
    range: impl Fn(&Rule) -> Range,
    least: u64,
    what: &str,
) -> Option<(&'r Rule, String)> {
    let all = |rule: &Rule| range(rule).unwrap_or((least, u64::MAX));
    let ends = variable.iter().flat_map(|rule| [all(rule).0, all(rule).1.saturating_add(1)]);
    let sizes = sorted(ends.chain([least]).filter(|size| (least..=MAX_INT).contains(size)));
    sizes.into_iter().find_map(|size| {
        let documented = variable.iter().find(|rule| (all(rule).0..=all(rule).1).contains(&size));
        let obeyed = variable.iter().find(|rule| size <= all(rule).1).or(variable.last())?;
        let differs = documented.map_or(0, |rule| rule.number) != obeyed.number;
        differs
            .then(|| (obeyed, format!("{PRESETS_OF} applies `{}` to {size} {what} too", obeyed.describe())))
    })
}
