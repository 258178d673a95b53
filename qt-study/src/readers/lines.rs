//! Files of lines of words.

use std::fmt;
use std::io::{BufRead, Read};

use qtdec_core::listing::shortened;
use qtdec_core::{Message, Place, Problem};
use qtdec_times::TIMES;

/// The maximum length of a line in a benchmark's output.
const LONGEST: u64 = 1 << 20;

/// Calls `read` with the number and text of every line, until it returns an error.
pub(crate) fn each(
    input: &mut dyn BufRead,
    mut read: impl FnMut(u64, &str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = input
            .take(LONGEST)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Problem::new(Place::Line(number), format!("cannot be read: {error}")))?;
        if length == 0 {
            break;
        }
        if length as u64 == LONGEST {
            let message = "the line is longer than 1 MiB: the file is not text";
            return Err(Problem::new(Place::Line(number), message));
        }
        read(number, String::from_utf8_lossy(&bytes).trim_end())?;
    }
    Ok(())
}

/// The meaning of a word where a time is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Time {
    /// A time above 0, within limits that keep sums of many times finite.
    Above(f64),
    /// Empty, 0, NaN or one of [`NO_TIME`], which programs write if there is no time.
    Missing,
    /// Anything else.
    No,
}

/// Words that programs write if there is no time, in any case.
const NO_TIME: [&str; 4] = ["-", "n/a", "na", "null"];

pub(super) fn time(text: &str) -> Time {
    match text.parse::<f64>() {
        Ok(time) if TIMES.contains(&time) => Time::Above(time),
        Ok(time) if time == 0.0 || time.is_nan() => Time::Missing,
        Err(_) if text.is_empty() || NO_TIME.iter().any(|word| word.eq_ignore_ascii_case(text)) => {
            Time::Missing
        }
        _ => Time::No,
    }
}

/// Returns whether words are a row of a table, and not a message between its rows: they begin with a number, or are as many as the
/// columns and have one.
pub(super) fn is_row(words: &[&str], columns: usize) -> bool {
    let is_number = |word: &&str| word.parse::<f64>().is_ok();
    words.first().is_some_and(is_number) || words.len() == columns && words.iter().any(is_number)
}

/// Returns the fault of a file that cannot be read, or not further.
pub(crate) fn unreadable(error: impl fmt::Display) -> Problem {
    Problem::new(Place::File, format!("cannot be read: {error}"))
}

/// Returns the fault of a row whose number of entries differs from its header's.
pub(super) fn ragged(line: u64, found: usize, expected: usize) -> Problem {
    let message = Message::from("the row has ").value(found);
    let entries = if found == 1 { "entry" } else { "entries" };
    Problem::new(Place::Line(line), message.text(format!(" {entries}, the header {expected}")))
        .help("was the file cut off, or is this a message of the job? Remove the line, or measure again")
}

pub(super) fn unexpected(line: u64, found: &str, expected: &str) -> Problem {
    let message = Message::from("`").value(shortened(found)).text(format!("` is not {expected}"));
    Problem::new(Place::Line(line), message)
}
