//! Reading of HAN's file: every count and name in its place, or no rule of the file applies.
//!
//! HAN says nothing of a file that it does not accept unless its verbosity is above 0. `coll_han_dynamic_file.c` of 5.0.9 reads it, with
//! the functions of `coll_base_util.c`.

use crate::catalogue::open_mpi::NAMES;
use qtdec_core::similar::suggestion;
use qtdec_core::{Place, Problem};

use super::words::{Word, Words};
use super::{COMPONENTS, INTER, INTRA, LEVEL, OWN, SIMPLE};
use crate::tuning::Severity::{Note, Wrong};
use crate::tuning::finding::Findings;
use crate::tuning::open_mpi::{Base, Number};

#[derive(Clone, Debug)]
pub(super) struct Collective {
    pub(super) name: Name,
    pub(super) levels: Vec<Level>,
}

#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) name: Name,
    pub(super) communicators: Vec<Communicator>,
}

/// The rule for communicators from a number of ranks on.
#[derive(Clone, Debug)]
pub(super) struct Communicator {
    pub(super) from: Number,
    pub(super) messages: Vec<Message>,
}

/// The rule for messages from a number of bytes on.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) from: Number,
    pub(super) component: Name,
    /// The algorithm of HAN, if the rule names one.
    pub(super) algorithm: Option<&'static str>,
}

/// A name of HAN's, which a file can also write as its number, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) is: &'static str,
    pub(super) at: usize,
}

/// The levels by number: communicators of a node, of one rank on each node, and of the program.
const LEVELS: [&str; 3] = [INTRA, INTER, LEVEL];

/// Reads as many values as a count says that stands before them.
fn counted<T>(
    words: &mut Words<'_>,
    (what, least): (&str, i64),
    mut read: impl FnMut(&mut Words<'_>, bool) -> Result<T, Problem>,
) -> Result<Vec<T>, Problem> {
    let count = at_least(words.number(what, Base::OfC)?, what, least)?;
    let mut values = Vec::new();
    for index in 0..count.value {
        values.push(read(words, index == 0)?);
    }
    if values.is_empty() {
        let message = format!("{what} is 0: HAN has no rules here, and chooses by itself");
        words.findings.at(Note, count.place.start, message, "");
    }
    Ok(values)
}

fn at_least(number: Number, what: &str, least: i64) -> Result<Number, Problem> {
    if number.value >= least {
        return Ok(number);
    }
    let message =
        format!("{what} is {}, and HAN ignores the file unless it is {least} or more", number.value);
    Err(Problem::new(Place::Offset(number.place.start), message))
}

/// Returns the first size of a list, which HAN requires to be 1 or less.
fn begins(number: Number, what: &str, is_first: bool) -> Result<Number, Problem> {
    if !is_first || number.value <= 1 {
        return Ok(number);
    }
    let message = format!(
        "the first of its kind, {what}, is {}: HAN ignores the file unless it is 1 or less",
        number.value
    );
    Err(Problem::new(Place::Offset(number.place.start), message))
}

/// Returns the name of a word, which is a name or, where numbers are allowed, a number in decimal digits.
fn name(word: &Word, what: &str, known: &[&'static str], has_numbers: bool) -> Result<Name, Problem> {
    let by_number =
        || known.get(usize::try_from(word.text.parse::<i64>().ok()?).ok()?).filter(|_| has_numbers);
    match known.iter().find(|known| **known == word.text).or_else(by_number) {
        Some(is) => Ok(Name { is, at: word.at }),
        None => {
            let message = format!("`{}` is not {what}: HAN ignores the file", word.text);
            let help = suggestion(&word.text, "names", known.iter().copied());
            Err(Problem::new(Place::Offset(word.at), message).help(help))
        }
    }
}

fn collectives(words: &mut Words<'_>) -> Result<Vec<Collective>, Problem> {
    counted(words, ("the number of collectives", 1), |words, _| {
        let collective = name(&words.word("a collective")?, "a collective", &NAMES, true)?;
        let levels = counted(words, ("the number of levels", 0), |words, _| level(words, collective.is))?;
        Ok(Collective { name: collective, levels })
    })
}

fn level(words: &mut Words<'_>, collective: &str) -> Result<Level, Problem> {
    let level = name(&words.word("a level")?, "a level", &LEVELS, true)?;
    let communicators = counted(words, ("the number of communicator sizes", 0), |words, is_first| {
        let what = "a communicator size";
        let from = begins(at_least(words.number(what, Base::OfC)?, what, 1)?, what, is_first)?;
        let messages = counted(words, ("the number of message sizes", 0), |words, is_first| {
            let what = "a message size";
            let from = words.number(what, Base::Decimal)?;
            // A number below 0 is stored as one near the largest.
            let from = Number { value: if from.value < 0 { i64::MAX } else { from.value }, ..from };
            let from = begins(from, what, is_first)?;
            let component = name(&words.word("a component")?, "a component", &COMPONENTS, false)?;
            let algorithm = algorithm(words, collective, &component)?;
            segments(words)?;
            Ok(Message { from, component, algorithm })
        })?;
        Ok(Communicator { from: stored(words, from), messages })
    })?;
    Ok(Level { name: level, communicators })
}

/// Returns a communicator size as HAN stores it, in 32 bits.
fn stored(words: &mut Words<'_>, number: Number) -> Number {
    let value = i64::from(number.value as i32);
    if value != number.value {
        let message = format!("HAN stores the communicator size {} as {value}", number.value);
        let help = "remove the rule: no communicator has so many ranks";
        words.findings.at(Wrong, number.place.start, message, help);
    }
    Number { value, ..number }
}

/// Reads `@` and an algorithm of HAN, if they follow its name.
fn algorithm(
    words: &mut Words<'_>,
    collective: &str,
    component: &Name,
) -> Result<Option<&'static str>, Problem> {
    if component.is != OWN || words.take(b'@') != Some(true) {
        return Ok(None);
    }
    let known: &[&str] = match collective {
        "barrier" => &[DEFAULT, SIMPLE],
        "reduce" | "allreduce" => &[DEFAULT, "intra", SIMPLE, "reproducible"],
        "bcast" | "scatter" | "gather" | "allgather" => &[DEFAULT, "intra", SIMPLE],
        _ => &[DEFAULT],
    };
    let named = name(&words.word("an algorithm")?, "an algorithm of HAN", known, true)?.is;
    Ok(Some(named).filter(|named| *named != DEFAULT))
}

/// The algorithm that HAN has for a collective by itself.
const DEFAULT: &str = "default";

/// Reads segment lengths in brackets, if they follow. The end of the file ends them too.
fn segments(words: &mut Words<'_>) -> Result<(), Problem> {
    if words.take(b'[') == Some(true) {
        while words.take(b']') == Some(false) {
            words.number("a segment length", Base::OfC)?;
        }
    }
    Ok(())
}

/// Reads a file. Returns the rules or why HAN ignores it, and what else was found on the way.
pub(super) fn read(bytes: &[u8]) -> (Result<Vec<Collective>, Problem>, Findings) {
    let mut words = Words::new(bytes);
    let read = collectives(&mut words);
    if let Some(rest) = read.as_ref().ok().and_then(|_| words.next()) {
        let message = "HAN does not read what follows the rules that are counted";
        words.findings.at(Wrong, rest.at, message, "correct the counts");
    }
    (read, words.findings)
}
