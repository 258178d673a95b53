//! JSON values that know their place in the file.
//!
//! A value is kept as the original text until its type is checked. Every error can therefore name the path of its value, and
//! `Locator` finds the path again when the error is shown.

#[cfg(test)]
mod compared;
mod grid;
mod locator;
mod raw;
#[cfg(feature = "tools")]
mod repeated;
mod scan;
mod value;
#[cfg(feature = "tools")]
mod write;

use crate::problem::{Place, Problem, Problems};

pub(crate) use grid::Dim;
pub(crate) use locator::Locator;
pub use raw::Raw;
#[cfg(feature = "tools")]
pub use repeated::{RepeatedKey, repeated_keys};
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

/// Returns the problem for text that is not JSON after `end` bytes, and for common causes a suggestion.
pub fn syntax_problem(text: &[u8], end: usize, message: &str, is_cut_off: bool) -> Problem {
    // The last of these bytes is at fault; a line break is shown as the beginning of the next line.
    let is_at_fault = |last: &u8| *last != b'\n';
    let offset = end - usize::from(text[..end].last().is_some_and(is_at_fault));
    let problem = Problem::new(Place::Offset(offset), format!("not JSON: {message}"));
    match text.get(offset) {
        _ if is_cut_off => problem.help("the file was cut off"),
        Some(b']' | b'}') => problem.help("is there an extra comma before it?"),
        Some(b'N' | b'I') => problem.help(
            "JSON has neither NaN nor infinity: write null for a cost that was not measured, \
                 and omit such a point of a network",
        ),
        _ => problem,
    }
}
