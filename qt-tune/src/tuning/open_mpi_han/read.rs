//! Reading of HAN's file: every count and name in its place, or no rule of the file applies.
//!
//! HAN says nothing of a file that it does not accept unless its verbosity is above 0. Words that it reads as other numbers than they look
//! like are refused here.

use std::ops::Range;

use qtdec_core::similar::suggestion;
use qtdec_core::{Place, Problem, Problems};
use qtdec_mpi::catalogue::open_mpi::COLLECTIVES;
use qtdec_mpi::catalogue::{Library, SizeUnit};

use super::{COMPONENTS, Han, LEVEL, MAX_INT, OWN};
use crate::tuning::finding::{Findings, accepted};
use crate::tuning::open_mpi::HAN;
use crate::tuning::{Decision, Finding, Format, Selection, Severity};

/// The rules of an accepted file.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    collectives: Vec<Collective>,
}

#[derive(Clone, Debug)]
struct Collective {
    name: Word,
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    name: Word,
    communicators: Vec<Communicator>,
}

/// The rule for communicators from a number of ranks on.
#[derive(Clone, Debug)]
struct Communicator {
    from: Number,
    messages: Vec<Message>,
}

/// The rule for messages from a number of bytes on.
#[derive(Clone, Debug)]
struct Message {
    from: Number,
    component: Word,
}

#[derive(Clone, Debug)]
struct Number {
    value: u64,
    at: usize,
}

#[derive(Clone, Debug)]
struct Word {
    text: String,
    at: usize,
}

/// The levels: communicators of a node, of one rank on each node, and of the program.
const LEVELS: [&str; 3] = ["intra_node", "inter_node", LEVEL];

/// The words of a file outside of comments.
struct Words<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Words<'_> {
    fn next_range(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = self.bytes.get(self.at..)?;
            let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
            let rest = &self.bytes[start..];
            let end = |is_end: fn(&u8) -> bool| rest.iter().position(is_end).unwrap_or(rest.len());
            if rest[0] == b'#' {
                self.at = start + end(|byte| *byte == b'\n');
            } else {
                self.at = start + end(u8::is_ascii_whitespace);
                return Some(start..self.at);
            }
        }
    }

    fn word(&mut self, what: &str) -> Result<Word, Problem> {
        let range = self.next_range().ok_or_else(|| {
            Problem::new(Place::Offset(self.bytes.len()), format!("the file ends where {what} is expected"))
                .help("the counts say how many rules follow: HAN ignores a file that has fewer")
        })?;
        let text = String::from_utf8_lossy(&self.bytes[range.clone()]).into_owned();
        Ok(Word { text, at: range.start })
    }

    fn number(&mut self, what: &str, least: u64, most: u64) -> Result<Number, Problem> {
        let Word { text, at } = self.word(what)?;
        let is_plain =
            text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        let value: Option<u64> = text.parse().ok().filter(|_| is_plain);
        match value {
            Some(value) if (least..=most).contains(&value) => Ok(Number { value, at }),
            Some(value) => {
                let message = format!(
                    "{what} is {value}, and HAN ignores the file unless it is from {least} to {most}"
                );
                Err(Problem::new(Place::Offset(at), message))
            }
            None => {
                let text: String = text.chars().take(40).collect();
                let message = format!("{what} is expected, and `{text}` is no whole number");
                let help = "write decimal numbers, and a blank before `#`";
                Err(Problem::new(Place::Offset(at), message).help(help))
            }
        }
    }

    /// Reads as many values as a count says that stands before them.
    fn counted<T>(
        &mut self,
        what: &str,
        mut read: impl FnMut(&mut Self, usize) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let count = self.number(what, 1, MAX_INT)?.value as usize;
        let mut values = Vec::new();
        for index in 0..count {
            values.push(read(self, index)?);
        }
        Ok(values)
    }

    fn name(&mut self, what: &str, known: &[&str]) -> Result<Word, Problem> {
        let word = self.word(what)?;
        if known.contains(&&*word.text) {
            return Ok(word);
        }
        let text: String = word.text.chars().take(40).collect();
        let message = format!("`{text}` is not {what}: HAN ignores the file");
        Err(Problem::new(Place::Offset(word.at), message).help(suggestion(
            &text,
            "names",
            known.iter().copied(),
        )))
    }
}

fn collectives(words: &mut Words<'_>) -> Result<Vec<Collective>, Problem> {
    let known: Vec<&str> = COLLECTIVES.iter().map(|known| known.name).collect();
    words.counted("the number of collectives", |words, _| {
        let name = words.name("a collective", &known)?;
        let levels = words.counted("the number of levels", |words, _| {
            let name = words.name("a level", &LEVELS)?;
            let communicators = words.counted("the number of communicator sizes", |words, index| {
                let most = if index == 0 { 1 } else { MAX_INT };
                let from = words.number("a communicator size", 1, most)?;
                let messages = words.counted("the number of message sizes", |words, index| {
                    let most = if index == 0 { 1 } else { i64::MAX as u64 };
                    let from = words.number("a message size", 0, most)?;
                    Ok(Message { from, component: words.name("a component", &COMPONENTS)? })
                })?;
                Ok(Communicator { from, messages })
            })?;
            Ok(Level { name, communicators })
        })?;
        Ok(Collective { name, levels })
    })
}

/// Returns all findings in a file.
pub(super) fn check(bytes: &[u8]) -> Vec<Finding> {
    let mut findings = Findings::default();
    let mut words = Words { bytes, at: 0 };
    match collectives(&mut words) {
        Ok(collectives) => {
            if let Some(rest) = words.next_range() {
                let message = "HAN does not read what follows the rules that are counted";
                findings.add(Severity::Wrong, Place::Offset(rest.start), message, "correct the counts");
            }
            for collective in &collectives {
                unserved(collective, &mut findings);
                for communicators in collective.levels.iter().map(|level| &level.communicators) {
                    unsorted(communicators.iter().map(|rule| &rule.from), &mut findings);
                    for rule in communicators {
                        unsorted(rule.messages.iter().map(|rule| &rule.from), &mut findings);
                    }
                }
            }
        }
        Err(problem) => findings.push(Severity::Dropped, problem),
    }
    findings.sorted()
}

fn unserved(collective: &Collective, findings: &mut Findings) {
    let name = &collective.name;
    if !HAN.contains(&&*name.text) {
        let message = format!("HAN has no rules for {}: these are not used", name.text);
        findings.add(Severity::Wrong, Place::Offset(name.at), message, "");
    }
}

/// Reports sizes after greater ones: the last rule that is small enough applies.
fn unsorted<'n>(sizes: impl Iterator<Item = &'n Number>, findings: &mut Findings) {
    let mut greatest: Option<u64> = None;
    for size in sizes {
        if greatest.is_some_and(|greatest| size.value <= greatest) {
            let message = "sizes must increase: this rule hides those before it that begin later";
            findings.add(Severity::Wrong, Place::Offset(size.at), message, "sort the rules by size");
        }
        greatest = greatest.max(Some(size.value));
    }
}

impl Rules {
    /// Reads a file.
    pub(super) fn new(bytes: &[u8]) -> Result<Self, Problems> {
        accepted(check(bytes))?;
        Ok(Self { collectives: collectives(&mut Words { bytes, at: 0 })? })
    }

    /// Returns the communicator rules of a collective at the level of whole communicators. Of several, the last counts.
    fn communicators(&self, collective: &str) -> &[Communicator] {
        let found = self.collectives.iter().rev().find(|known| known.name.text == collective);
        let levels = found.map(|collective| &*collective.levels).unwrap_or_default();
        let level = levels.iter().rev().find(|level| level.name.text == LEVEL);
        level.map(|level| &*level.communicators).unwrap_or_default()
    }

    fn look_up(&self, collective: &str, comm_size: u64, msg_size: u64) -> Option<(&Communicator, &Message)> {
        let looks = Han.unit(collective) != SizeUnit::Nothing;
        let msg_size = if looks { msg_size } else { 0 };
        let communicators = self.communicators(collective).iter().rev();
        let communicator = { communicators }.find(|rule| rule.from.value <= comm_size)?;
        let message = communicator.messages.iter().rev().find(|rule| rule.from.value <= msg_size)?;
        Some((communicator, message))
    }
}

impl Selection for Rules {
    fn collectives(&self) -> Vec<String> {
        let known = Library::OpenMpi.collectives().iter().map(|known| known.name);
        known.filter(|name| !self.communicators(name).is_empty()).map(str::to_owned).collect()
    }

    fn starts(&self, collective: &str) -> (Vec<u64>, Vec<u64>) {
        let communicators = self.communicators(collective);
        let messages = communicators.iter().flat_map(|rule| &rule.messages);
        (
            communicators.iter().map(|rule| rule.from.value).collect(),
            messages.map(|rule| rule.from.value).collect(),
        )
    }

    /// Returns the component as the name of an algorithm, and HAN itself as the library's own choice.
    fn decide(&self, collective: &str, comm_size: u64, msg_size: u64) -> Decision {
        let found = self.look_up(collective, comm_size, msg_size);
        let component =
            found.map(|(_, message)| &message.component.text).filter(|component| *component != OWN);
        Decision { name: component.cloned(), ..Decision::default() }
    }

    fn rule(&self, collective: &str, comm_size: u64, msg_size: u64) -> Vec<(String, Place)> {
        let found = self.look_up(collective, comm_size, msg_size);
        let from =
            |size: &Number, what: &str| (format!("from {} {what}", size.value), Place::Offset(size.at));
        found.map_or(Vec::new(), |(communicator, message)| {
            vec![from(&communicator.from, "ranks"), from(&message.from, "bytes")]
        })
    }

    fn unit(&self, collective: &str) -> SizeUnit {
        Han.unit(collective)
    }
}
