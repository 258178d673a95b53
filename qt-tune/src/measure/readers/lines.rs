//! Files of lines of words.

use std::io::{BufRead, Read};

use qtdec_core::{Message, Place, Problem};

/// No line of a benchmark's output is longer.
const LONGEST: u64 = 1 << 20;

/// Calls `read` with the number and text of every line, until it returns an error.
pub(super) fn each(
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
            return Err(Problem::new(
                Place::Line(number),
                "the line is longer than a mebibyte: this is not text",
            ));
        }
        read(number, String::from_utf8_lossy(&bytes).trim_end())?;
    }
    Ok(())
}

/// No time in any unit is less or more; a map takes costs that are a little beyond.
const LEAST_TIME: f64 = 1e-80;
const MOST_TIME: f64 = 1e80;

/// What stands where a time is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Time {
    /// A time above 0, of a size that sums of many of them are numbers.
    Above(f64),
    /// Nothing, 0 or NaN: what programs write where there is none.
    Missing,
    /// Anything else.
    No,
}

pub(super) fn time(text: &str) -> Time {
    match text.parse::<f64>() {
        Ok(time) if (LEAST_TIME..=MOST_TIME).contains(&time) => Time::Above(time),
        Ok(time) if time == 0.0 || time.is_nan() => Time::Missing,
        Err(_) if text.is_empty() => Time::Missing,
        _ => Time::No,
    }
}

/// A row of another number of entries than its header.
pub(super) fn ragged(line: u64, found: usize, expected: usize) -> Problem {
    let message = Message::from("the row has ").value(found);
    let entries = if found == 1 { "entry" } else { "entries" };
    Problem::new(Place::Line(line), message.text(format!(" {entries}, the header {expected}")))
}

/// A word that is not what it should be.
pub(super) fn unexpected(line: u64, found: &str, expected: &str) -> Problem {
    Problem::new(Place::Line(line), Message::from("`").value(found).text(format!("` is not {expected}")))
}
