//! Checks of the variables, as far as they are documented.

use crate::catalogue::{Library, SizeUnit};

use super::obeyed;
use super::preset::number;
use super::read::{Rule, read};
use crate::tuning::{Finding, Severity};

/// The maximum number of preceding rules with which a rule is compared.
const COMPARED: usize = 4096;

/// Returns all findings in a file, in file order.
pub(super) fn check(bytes: &[u8]) -> Vec<Finding> {
    let (rules, mut findings) = read(bytes);
    for (index, rule) in rules.iter().enumerate() {
        let mut add = |severity: Severity, message: String, help: &str| {
            findings.at(severity, rule.offset, message, help);
        };
        number(rule.collective, rule.number, &mut add);
        ranges(rule, &mut add);
        let before = &rules[index.saturating_sub(COMPARED)..index];
        if let Some(earlier) =
            before.iter().find(|earlier| earlier.number != rule.number && earlier.meets(rule))
        {
            let message = format!(
                "`{}` overlaps with `{}`, and Intel does not document which of the two applies",
                rule.describe(),
                earlier.describe()
            );
            add(
                Severity::Wrong,
                message,
                "write ranges that do not overlap; qtdec assumes that the first \
                 one applies",
            );
        }
    }
    for variable in rules.chunk_by(|one, next| one.collective == next.collective) {
        if let Some((rule, message)) = obeyed::difference(variable) {
            let help = "test message sizes alone or processes alone, in increasing order and without gaps (0 leaves the choice to the library)";
            findings.at(Severity::Note, rule.offset, message, help);
        }
    }
    findings.sorted()
}

fn ranges(rule: &Rule, add: &mut impl FnMut(Severity, String, &str)) {
    for (range, what) in [(rule.messages, "sizes"), (rule.processes, "numbers of processes")] {
        if let Some((least, greatest)) = range.filter(|(least, greatest)| least > greatest) {
            add(Severity::Wrong, format!("there are no {what} from {least} to {greatest}"), "exchange them");
        }
    }
    let collective = rule.collective;
    if rule.messages.is_some() && Library::IntelMpi.unit(collective) == SizeUnit::Nothing {
        let message = format!("Intel MPI ignores message sizes for {collective}");
        add(Severity::Wrong, message, "omit the sizes: NUMBER:@MIN-MAX");
    }
}
