//! The variables `I_MPI_ADJUST_…` of Intel MPI.
//!
//! ```text
//! I_MPI_ADJUST_BCAST='8:0-2047@1-15,0-8191@16-64;3:2048-2147483647@1-15'
//!                     number:messages@processes, …; …
//! ```
//!
//! The Developer Reference ("`I_MPI_ADJUST` Family Environment Variables") says that both ranges include their ends, that a
//! number without conditions applies to all calls, and that 0 leaves the choice to the library. It does not say which of two
//! overlapping conditions applies, so the conditions written here never overlap. It does not state a maximum size either; the
//! greatest one written is that of C's `int`.
//!
//! Release 2021.18.1 was seen to obey rules that test message sizes alone or processes alone, if they increase and leave no gaps.
//! Such rules are written so, with 0 where the choice is left to the library. It does not obey rules that test both: they are written
//! as documented, with a note. The library also reads a file of its own (`I_MPI_TUNING`), whose format Intel does not document; it is
//! not written, because the release was seen to crash in `MPI_Init` with files that it obeyed in other runs.

mod check;
mod read;

use crate::catalogue::intel_mpi::PRESETS_OF;
use crate::catalogue::{Algorithm, Library, SizeUnit};
use qtdec_core::Problems;

use super::bands::ranges;
use super::finding::accepted;
use super::rectangles::{self, Rectangle};
use super::{Format, LibraryRules, MAX_INT, Setting, Switches, Written, environment, notes, word};

/// The format of these variables.
pub const INTEL_MPI: Format = Format {
    ending: "sh",
    recognises: |beginning| !beginning.is_json() && beginning.holds("I_MPI_ADJUST_"),
    has_comments: true,
    ..Format::new(
        ("intel-mpi", "variables I_MPI_ADJUST_… of Intel MPI, as a job script sets them"),
        Library::IntelMpi,
        write,
        |bytes, _| Ok(Box::new(read::rules(bytes)?)),
        |bytes, _| check::check(bytes),
    )
};

fn write(all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
    let mut notes = notes(all_rules);
    let mut text = String::new();
    let then = "no rule applies to larger messages";
    notes.extend(all_rules.iter().filter_map(|rules| rules.beyond(MAX_INT, then)));
    for rules in all_rules {
        let name = format!("{PREFIX}{}", word(Library::IntelMpi, rules)?);
        let value = match listed(rules) {
            Some(value) => value,
            None => {
                notes.push(format!(
                    "{name}: {PRESETS_OF} ignores the message sizes of rules that also test processes: for that release, write a file \
                     for each number of ranks (`qtdec-mpi tune --each comm_size=…`), of which a job takes its own"
                ));
                value(&rules.collective, &rectangles::covered(rules, MAX_INT, &mut notes)?)
            }
        };
        text.push_str(&environment::set(&name, &value, Library::IntelMpi, &mut notes));
    }
    if let Some(bytes) = into {
        for (name, value) in kept(bytes, all_rules)? {
            notes.push(format!("{name} is kept as it was"));
            text.push_str(&environment::export(name, value));
        }
    }
    let mut known = Library::IntelMpi.collectives().iter();
    let any = known.find(|known| has_rules_for(all_rules, known.name)).map_or("", |known| known.word);
    let remarks = vec![
        "put this line, or the lines of the file, into the job script before mpirun".to_owned(),
        format!(
            "numbers are those of Intel's reference of 2019 and 2020; `impi_info -v {PREFIX}{any}` \
                 lists those of your installation"
        ),
    ];
    let switches = Switches { is_script: true, settings: Vec::new(), remarks };
    Ok(Written { text, notes, switches })
}

const PREFIX: &str = "I_MPI_ADJUST_";

/// Returns rules that test one size at most, in increasing order and without gaps, or `None` if both sizes matter.
fn listed(rules: &LibraryRules) -> Option<String> {
    let communicators = rules.bands.communicators();
    if rules.forced() == 0 {
        return Some(String::new());
    }
    match communicators {
        [(_, messages)] => Some(increasing(messages, 0, "")),
        _ if rules.bands.use_message_sizes() => None,
        _ => {
            let settings: Vec<(u64, Setting)> =
                communicators.iter().map(|(from, messages)| (*from, messages[0].1)).collect();
            Some(increasing(&settings, 1, "@"))
        }
    }
}

/// Returns a rule for each band up to [`MAX_INT`]; the first begins at `least`.
fn increasing(bands: &[(u64, Setting)], least: u64, sign: &str) -> String {
    let mut rules: Vec<(u64, u64, u64)> = Vec::new();
    for (from, upto, setting) in ranges(bands) {
        let upto = upto.unwrap_or(MAX_INT);
        let number = setting.algorithm.and_then(|algorithm| algorithm.number).unwrap_or(0);
        match rules.last_mut() {
            // Settings that differ in what Intel MPI does not accept are one rule.
            Some((known, _, before)) if *known == number => *before = upto.min(MAX_INT),
            _ if upto >= least && from <= MAX_INT => rules.push((number, from.max(least), upto.min(MAX_INT))),
            _ => {}
        }
    }
    match &rules[..] {
        [(number, ..)] => number.to_string(),
        rules => {
            let each: Vec<String> =
                rules.iter().map(|(number, from, upto)| format!("{number}:{sign}{from}-{upto}")).collect();
            each.join(";")
        }
    }
}

/// Returns the conditions of each algorithm, in the order of first use.
fn value(collective: &str, rectangles: &[Rectangle<&'static Algorithm>]) -> String {
    let mut numbers: Vec<(u64, Vec<String>)> = Vec::new();
    for rectangle in rectangles {
        let number = rectangle.holds.number.unwrap_or(0);
        let condition = condition(collective, rectangle);
        match numbers.iter_mut().find(|(known, _)| *known == number) {
            Some((_, conditions)) => conditions.push(condition),
            None => numbers.push((number, vec![condition])),
        }
    }
    let rules = numbers.iter().map(|(number, conditions)| match &conditions[..] {
        [all] if all.is_empty() => number.to_string(),
        conditions => format!("{number}:{}", conditions.join(",")),
    });
    rules.collect::<Vec<_>>().join(";")
}

fn condition(collective: &str, rectangle: &Rectangle<&'static Algorithm>) -> String {
    let (messages, processes) = (&rectangle.messages, &rectangle.communicators);
    let everywhere = *processes == (1..=MAX_INT);
    // If sizes are ignored, the reference requires that their interval be omitted.
    if Library::IntelMpi.unit(collective) == SizeUnit::Nothing || (*messages == (0..=MAX_INT) && everywhere) {
        return if everywhere {
            String::new()
        } else {
            format!("@{}-{}", processes.start(), processes.end())
        };
    }
    let messages = format!("{}-{}", messages.start(), messages.end());
    if everywhere { messages } else { format!("{messages}@{}-{}", processes.start(), processes.end()) }
}

fn has_rules_for(all_rules: &[LibraryRules], collective: &str) -> bool {
    all_rules.iter().any(|rules| rules.collective == collective)
}

/// Returns the variables of a file that are for other collectives.
fn kept<'t>(bytes: &'t [u8], all_rules: &[LibraryRules]) -> Result<Vec<(&'t str, &'t str)>, Problems> {
    let (found, findings) = environment::assignments(bytes, PREFIX);
    accepted(findings.found())?;
    let is_ours = |name: &str| {
        let known = name.strip_prefix(PREFIX).and_then(|word| Library::IntelMpi.collective_by_word(word));
        known.is_some_and(|known| has_rules_for(all_rules, known.name))
    };
    let others = found.iter().filter(|found| !is_ours(found.name));
    Ok(others.map(|found| (found.name, found.value)).collect())
}
