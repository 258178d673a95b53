//! Text of values to be written.

use std::fmt::{self, Display};

use super::MAX_BYTES;
use crate::problem::{Place, Problem};

/// A text buffer that never grows beyond the maximum size of a file.
#[derive(Debug)]
pub(crate) struct Limited {
    text: String,
    most: usize,
    /// Whether text was cut off.
    is_cut: bool,
}

impl Default for Limited {
    fn default() -> Self {
        Self { text: String::new(), most: usize::MAX, is_cut: false }
    }
}

impl Limited {
    /// Creates a buffer for a file that will be read again.
    pub(crate) fn for_reading_back() -> Self {
        Self { most: MAX_BYTES, ..Self::default() }
    }

    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Returns the text, unless it is larger than the maximum size of a file; `what` describes it, as in "the tree".
    pub(crate) fn into_file(self, what: &str) -> Result<String, Problem> {
        if self.is_cut {
            let message = format!(
                "{what} needs a file larger than 64 MiB ({MAX_BYTES} bytes), which could not be read again"
            );
            return Err(Problem::new(Place::File, message));
        }
        Ok(self.text)
    }
}

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.is_cut |= text.len() > self.most - self.text.len();
        if self.is_cut {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

/// Returns a string as JSON.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for char in text.chars() {
        match char {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\0'..' ' => quoted.extend(format!("\\u{:04x}", u32::from(char)).chars()),
            _ => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns an array on one line.
pub fn array<T: Display>(entries: impl IntoIterator<Item = T>) -> String {
    let entries: Vec<String> = entries.into_iter().map(|entry| entry.to_string()).collect();
    format!("[{}]", entries.join(", "))
}

/// Returns an object on one line, with the members that have a value.
pub fn object<const N: usize>(members: [(&str, Option<String>); N]) -> String {
    let member = |(key, value): (&str, Option<String>)| Some(format!("{}: {}", quoted(key), value?));
    let members: Vec<String> = members.into_iter().filter_map(member).collect();
    format!("{{ {} }}", members.join(", "))
}
