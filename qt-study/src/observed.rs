//! Calls of collectives that programs made, and the algorithms that ran, from what libraries and profilers print.
//!
//! A format is one file of this folder and one line in the list below. What a source does not say stays unknown: Open MPI names
//! components instead of algorithms, profilers count calls without algorithms, and our interposer names each decision once.

mod followed;
mod interposer;
mod mpip;
mod open_mpi;
pub(crate) mod profile;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, Read};

use qtdec_core::{Place, Problem, Problems};

use crate::notes::Notes;
use crate::readers::unreadable;
use qtdec_times::faults::Faults;

pub use followed::{Followed, Verdict, followed};

/// The decision of a call that was left to the library, whichever algorithm that chose.
pub const LIBRARY: &str = "library";

/// The calls that have everything in common that is known of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// MPI's name of the collective, in lower case.
    pub collective: String,
    /// The number of ranks.
    pub comm_size: Option<u64>,
    /// The size in bytes, as in MPI's signature.
    pub msg_size: Option<u64>,
    /// The algorithm with its parameters, or [`LIBRARY`].
    pub method: Option<String>,
}

/// What the calls of a collective took.
#[derive(Clone, Debug, PartialEq)]
pub struct Spent {
    /// MPI's name of the collective, in lower case.
    pub collective: String,
    /// The number of calls.
    pub calls: u64,
    /// The seconds in them, at the rank that counted.
    pub seconds: f64,
    /// Those of the seconds in all collectives, in per cent.
    pub share: f64,
}

/// What several files say of the calls of a program.
#[derive(Debug, Default)]
pub struct Observed {
    /// The number of calls of each kind, if it is known.
    calls: BTreeMap<Kind, Option<u64>>,
    /// The calls and seconds of each collective whose files have times.
    spent: BTreeMap<String, (u64, f64)>,
    /// What the files do not say, and what was left out.
    pub notes: Notes,
    faults: Faults,
}

/// A format of files that tell which collectives were called.
struct Format {
    /// A description for messages.
    about: &'static str,
    /// Returns whether a file that begins so may have this format.
    recognises: fn(&str) -> bool,
    /// Reads a file. Faults of single lines go to the calls; an error ends the file.
    read: fn(&mut dyn BufRead, &mut Observed) -> Result<(), Problem>,
}

/// Every format; the first that recognises a file is used.
const FORMATS: &[Format] = &[profile::FORMAT, mpip::FORMAT, interposer::FORMAT, open_mpi::FORMAT];

/// The number of bytes at the beginning of a file in which a mark of its format is looked for.
const HEAD: usize = 1 << 20;

impl Observed {
    /// Reads a file, whose calls are added.
    ///
    /// # Errors
    ///
    /// Fails if the file has no known format, or lines that are not of its format.
    pub fn read(&mut self, mut input: impl BufRead) -> Result<(), Problems> {
        let mut head = Vec::new();
        input.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(unreadable)?;
        let text = String::from_utf8_lossy(&head);
        let Some(format) = FORMATS.iter().find(|format| (format.recognises)(&text)) else {
            let known: Vec<&str> = FORMATS.iter().map(|format| format.about).collect();
            let problem = Problem::new(Place::File, "the file names no calls of collectives that are known");
            return Err(problem.help(format!("these are read: {}", known.join(", "))).into());
        };
        let read = (format.read)(&mut head.chain(input), self);
        if let Err(problem) = read {
            self.faults.add(problem);
        }
        std::mem::take(&mut self.faults).finish()
    }

    /// Adds calls. A number that is not known does not change one that is.
    fn add(&mut self, kind: Kind, count: Option<u64>) {
        let all = self.calls.entry(kind).or_default();
        *all = match (*all, count) {
            (Some(all), Some(count)) => Some(all.saturating_add(count)),
            (all, count) => all.or(count),
        };
    }

    /// Returns every kind of calls in order, with their number if it is known.
    pub fn calls(&self) -> impl Iterator<Item = (&Kind, Option<u64>)> {
        self.calls.iter().map(|(kind, count)| (kind, *count))
    }

    /// Returns what each collective took, the most first; nothing if no file has times.
    pub fn spent(&self) -> Vec<Spent> {
        let all: f64 = self.spent.values().map(|(_, seconds)| seconds).sum();
        let spent = self.spent.iter().map(|(collective, &(calls, seconds))| {
            let share = if all > 0.0 { 100.0 * seconds / all } else { 0.0 };
            Spent { collective: collective.clone(), calls, seconds, share }
        });
        let mut spent: Vec<Spent> = spent.collect();
        spent.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        spent
    }

    /// Joins calls that one source counted with the algorithms that another named at the same sizes.
    ///
    /// Where several algorithms ran at the same sizes, it is not known how often each did, and nothing is joined.
    #[must_use]
    pub fn joined(mut self) -> Self {
        let counted: Vec<(Kind, u64)> = (self.calls.iter())
            .filter(|(kind, _)| kind.method.is_none())
            .filter_map(|(kind, count)| Some((kind.clone(), (*count)?)))
            .collect();
        for (kind, count) in counted {
            let alike =
                |named: &Kind| named.method.is_some() && Kind { method: None, ..named.clone() } == kind;
            let mut named = self.calls.iter().filter(|(named, _)| alike(named));
            if let (Some((named, None)), None) = (named.next(), named.next()) {
                let named = named.clone();
                self.calls.remove(&kind);
                self.calls.insert(named, Some(count));
            }
        }
        if self.calls.values().any(Option::is_none) {
            self.notes.add(
                "libqtdec_mpi.so says each decision once: read the profile of libqtdec_profile.so too, which counts the calls",
            );
        }
        self
    }

    /// Returns the counted calls as CSV, a profile with the columns `collective,comm_size,msg_size,method,count`. What is not known is
    /// blank.
    pub fn to_csv(&self) -> String {
        let mut text = "collective,comm_size,msg_size,method,count\n".to_owned();
        let size = |size: Option<u64>| size.map(|size| size.to_string()).unwrap_or_default();
        for (Kind { collective, comm_size, msg_size, method }, count) in self.calls() {
            let Some(count) = count else { continue };
            let (comm_size, msg_size) = (size(*comm_size), size(*msg_size));
            let method = method.as_deref().unwrap_or_default();
            let _ = writeln!(text, "{collective},{comm_size},{msg_size},{method},{count}");
        }
        text
    }
}
