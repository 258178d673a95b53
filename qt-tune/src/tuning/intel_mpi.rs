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
//! greatest one written is that of C's `int`. What the rules make Intel MPI do was not observed.

mod check;
mod read;

use qtdec_core::{Place, Problem, Problems};
use qtdec_mpi::catalogue::{Algorithm, Library, Release, SizeUnit};

use super::finding::accepted;
use super::rectangles::{self, MAX_RANKS, Rectangle};
use super::{Beginning, Finding, Format, Job, LibraryRules, Selection, Switches, Written, environment};

/// The format of these variables.
pub struct IntelMpi;

impl Format for IntelMpi {
    fn name(&self) -> &'static str {
        "intel-mpi"
    }

    fn about(&self) -> &'static str {
        "variables I_MPI_ADJUST_… of Intel MPI, as a job script sets them"
    }

    fn library(&self) -> Library {
        Library::IntelMpi
    }

    fn recognises(&self, beginning: &Beginning<'_>) -> bool {
        !beginning.is_json() && beginning.holds("I_MPI_ADJUST_")
    }

    fn has_comments(&self) -> bool {
        true
    }

    fn write(&self, all_rules: &[LibraryRules], into: Option<&[u8]>) -> Result<Written, Problems> {
        let mut notes: Vec<String> = all_rules.iter().flat_map(|rules| rules.notes.clone()).collect();
        let mut text = String::new();
        let then = "no rule applies to larger messages";
        notes.extend(all_rules.iter().filter_map(|rules| rules.beyond(END, then)));
        for rules in all_rules {
            let end = Library::IntelMpi
                .collective(&rules.collective)
                .ok_or_else(|| Problem::new(Place::File, format!("Intel MPI has no `{}`", rules.collective)))?
                .word;
            let rectangles = rectangles::covered(rules, END, &mut notes)?;
            let name = format!("{PREFIX}{end}");
            let value = value(&rules.collective, &rectangles);
            if value.is_empty() {
                notes.push(format!("{name} is not set: the choice is left to Intel MPI everywhere"));
                continue;
            }
            notes.extend(environment::warning(&name, &value));
            text.push_str(&environment::export(&name, &value));
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

    fn read(&self, bytes: &[u8], _: Job) -> Result<Box<dyn Selection>, Problems> {
        Ok(Box::new(read::Rules::new(bytes)?))
    }

    fn check(&self, bytes: &[u8], _: Option<Release>) -> Vec<Finding> {
        check::check(bytes)
    }
}

/// The prefix of the variables' names.
const PREFIX: &str = "I_MPI_ADJUST_";

/// The greatest size that is written.
const END: u64 = i32::MAX as u64;

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
    let everywhere = *processes == (1..=MAX_RANKS);
    // If sizes are ignored, the reference requires that their interval be omitted.
    if Library::IntelMpi.unit(collective) == SizeUnit::Nothing || (*messages == (0..=END) && everywhere) {
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
