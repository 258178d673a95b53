//! Checks of the variables, as far as they are documented.

use qtdec_core::Place;
use qtdec_mpi::catalogue::intel_mpi::{PRESETS_OF, last_preset};
use qtdec_mpi::catalogue::{Library, SizeUnit};

use super::read::{Rule, read};
use crate::tuning::{Finding, Severity};

/// The maximum number of preceding rules with which a rule is compared.
const COMPARED: usize = 4096;

/// Returns all findings in a file, in file order.
pub(super) fn check(bytes: &[u8]) -> Vec<Finding> {
    let (rules, mut findings) = read(bytes);
    for (index, rule) in rules.iter().enumerate() {
        let mut add = |severity: Severity, message: String, help: &str| {
            findings.add(severity, Place::Offset(rule.offset), message, help);
        };
        number(rule, &mut add);
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
    findings.sorted()
}

fn number(rule: &Rule, add: &mut impl FnMut(Severity, String, &str)) {
    let Rule { collective, number, .. } = *rule;
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
