//! Checks of what the plugin and RCCL would do with a table. The plugin itself reports nothing, RCCL in its log only.

use crate::catalogue::nccl;

use super::read::{TunerLine, fields, lines, row};
use super::reader::{ALGORITHMS, PROTOCOLS, Reader};
use crate::tuning::Finding;
use crate::tuning::Severity::{Note, Wrong};
use crate::tuning::finding::{Findings, line_at, shown};

/// The maximum length of a line that is read in one piece.
const LINE: usize = 254;

/// The maximum number of preceding rows with which a row is compared.
const COMPARED: usize = 4096;

/// Returns all findings in a file, in file order.
pub(super) fn check(reader: Reader, bytes: &[u8]) -> Vec<Finding> {
    let mut findings = Findings::default();
    let mut rows: Vec<TunerLine> = Vec::new();
    for (offset, line) in lines(reader, bytes) {
        if line.len() > LINE {
            let message = format!("a line of {} characters is read as two lines", line.len());
            findings.at(Wrong, offset, message, "the maximum is 254");
        }
        if line.trim_start().starts_with('#') {
            let message = "a comment begins with its `#` in the first column";
            findings.at(Wrong, offset, message, "remove the blanks before it");
            continue;
        }
        if line.contains(",,") {
            let message = "an empty field is ignored, so the following ones move up";
            findings.at(Wrong, offset, message, "write -1 for any");
        }
        let count = line.split(',').filter(|field| !field.is_empty()).count();
        if count >= 8 {
            names(reader, offset, &line, &mut findings);
        }
        let Some(row) = row(reader, offset, &line) else {
            if count < 8 {
                let message = format!("{count} fields of at least 8: the line is skipped");
                findings.at(Wrong, offset, message, FIELDS);
            } else if fields(&line).contains(&"") {
                findings.at(Wrong, offset, "a field is blank: the line is skipped", "write -1 for any");
            }
            continue;
        };
        if count > 10 {
            findings.at(Wrong, offset, format!("{count} fields: those from the 11th on are skipped"), FIELDS);
        }
        numbers(offset, &line, &mut findings);
        if row.bytes.0 > row.bytes.1 {
            let message = format!("there are no sizes from {} to {}", row.bytes.0, row.bytes.1);
            findings.at(Wrong, offset, message, "exchange them");
        }
        if row.bytes.1 == u64::from(u32::MAX) {
            let message = "4294967295 does not mean infinity: larger messages do not match";
            findings.at(Note, offset, message, "write 9223372036854775807");
        }
        if reader == Reader::BuiltIn && row.channels < 1 && row.channels != -1 {
            let message = format!("{} is no number of channels: RCCL chooses it, and warns", row.channels);
            findings.at(Note, offset, message, "write the number of channels, or -1 for RCCL's own choice");
        }
        if reader == Reader::Plugin && row.channels == -1 {
            let message = "-1 means one channel in NCCL up to 2.30";
            findings.at(Note, offset, message, "write the number of channels, or 0 for NCCL's own choice");
        }
        if let Some(earlier) = rows.iter().take(COMPARED).find(|earlier| covers(earlier, &row)) {
            let line = line_at(earlier.offset, bytes);
            let message = format!("the row on line {line} matches all calls of this one");
            findings.at(Wrong, offset, message, "put narrow rows first");
        }
        rows.push(row);
    }
    findings.found()
}

const FIELDS: &str =
    "collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks[,numPipeOps[,regBuff]]";

fn names(reader: Reader, offset: usize, line: &str, findings: &mut Findings) {
    let fields = fields(line);
    let collectives: Vec<&str> = nccl::COLLECTIVES.iter().map(|collective| collective.word).collect();
    let known: [(usize, &[&str], &str); 3] =
        [(0, &collectives, "allreduce"), (3, &ALGORITHMS, "ring"), (4, &PROTOCOLS, "simple")];
    for (field, names, taken_for) in known {
        if !names.contains(&fields[field]) {
            let shown = shown(fields[field]);
            let help = format!("there are {}", names.join(", "));
            let message = if reader.skips_unknown_names() {
                format!("`{shown}` is unknown: the line is skipped")
            } else {
                format!("`{shown}` is read as {taken_for}")
            };
            findings.at(Wrong, offset, message, &help);
        } else if field == 3 && !reader.algorithms().contains(&fields[field]) {
            let help = format!("it runs {}", reader.algorithms().join(" and "));
            let message = format!("RCCL does not run `{}`: the row has no effect", fields[field]);
            findings.at(Wrong, offset, message, &help);
        }
    }
}

fn numbers(offset: usize, line: &str, findings: &mut Findings) {
    for (index, field) in fields(line).into_iter().enumerate().filter(|(index, _)| ![0, 3, 4].contains(index))
    {
        let digits = if index > 4 { field.strip_prefix('-').unwrap_or(field) } else { field };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let shown = shown(field);
            let message = format!("`{shown}` is not a whole number: only its leading digits are read");
            findings.at(Wrong, offset, message, "write bytes without a suffix");
        }
    }
}

/// Returns whether the first row matches all calls of the second.
fn covers(first: &TunerLine, second: &TunerLine) -> bool {
    let any_or = |one: i64, other: i64| one == -1 || one == other;
    first.collective == second.collective
        && first.bytes.0 <= second.bytes.0
        && second.bytes.1 <= first.bytes.1
        && any_or(first.nodes, second.nodes)
        && any_or(first.ranks, second.ranks)
        && any_or(first.pipelined, second.pipelined)
        && any_or(first.registered, second.registered)
}
