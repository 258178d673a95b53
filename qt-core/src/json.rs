//! JSON values that know their place in the file.
//!
//! A value is kept as the original text until its type is checked. Every error can therefore name the path of its value, and
//! `Locator` finds the path again when the error is shown.

mod locator;
mod repeated;
mod value;
#[cfg(feature = "tools")]
mod write;

use std::fmt;

use serde_core::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::problem::{Place, Problem, Problems};

pub(crate) use locator::Locator;
pub use repeated::{RepeatedKey, repeated_keys};
pub(crate) use value::Dim;
pub use value::{Object, PlacedValue};
#[cfg(feature = "tools")]
pub(crate) use write::Limited;
#[cfg(feature = "tools")]
pub use write::{array, object, quoted};

/// The maximum size of a file. A map of 4096 × 4096 cells takes half of it.
pub const MAX_BYTES: usize = 64 << 20;

/// Returns the text of a file.
///
/// # Errors
///
/// Returns an error for a file that is too large, begins with a byte-order mark or is not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, Problems> {
    if bytes.len() > MAX_BYTES {
        return Err(Problem::new(Place::File, "the file is larger than the maximum of 64 MiB")
            .help("omit `costs`, or use the tree that `qtdec encode` writes instead of the map")
            .into());
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(Problem::new(Place::File, "the file begins with a byte-order mark")
            .help("save it as UTF-8 without a byte-order mark")
            .into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        let message = format!("the file is not UTF-8: byte 0x{:02X} on line {line}", bytes[before.len()]);
        Problem::new(Place::File, message).help("save it as UTF-8").into()
    })
}

/// Returns the members of an object in file order, with their keys still quoted; `None` if it is not an object.
fn members(raw: &RawValue) -> Option<Vec<(&RawValue, &RawValue)>> {
    struct Members;

    impl<'t> Visitor<'t> for Members {
        type Value = Vec<(&'t RawValue, &'t RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut access: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = access.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }

    serde_json::Deserializer::from_str(raw.get()).deserialize_map(Members).ok()
}

/// Returns the problem for text that is not JSON, with its place and, for common causes, a suggestion.
pub fn syntax_problem(text: &[u8], error: &serde_json::Error) -> Problem {
    let message = error.to_string();
    let message = message.rfind(" at line ").map_or(&*message, |end| &message[..end]);
    // The error counts lines and columns (bytes) from 1.
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    let start: usize = lines.map(<[u8]>::len).sum();
    let offset = (start + error.column().saturating_sub(1)).min(text.len());
    let problem = Problem::new(Place::Offset(offset), format!("not JSON: {message}"));
    match text.get(offset) {
        _ if error.is_eof() => problem.help("the file was cut off"),
        Some(b']' | b'}') => problem.help("is there an extra comma before it?"),
        Some(b'N' | b'I') => problem.help(
            "JSON has neither NaN nor infinity: write null for a cost that was not measured, \
                 and omit such a point of a network",
        ),
        _ => problem,
    }
}
