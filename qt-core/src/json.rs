//! JSON values that know their place in the file.
//!
//! A value is kept as the original text until its type is checked. Every error can therefore name the path of its value, and
//! `Locator` finds the path again when the error is shown.

mod grid;
mod locator;
mod raw;
#[cfg(feature = "tools")]
mod repeated;
mod value;
#[cfg(feature = "tools")]
mod write;

use crate::problem::{Place, Problem, Problems};

pub(crate) use grid::Dim;
pub(crate) use locator::Locator;
#[cfg(feature = "tools")]
pub use repeated::{RepeatedKey, repeated_keys};
pub use value::{Object, PlacedValue};
#[cfg(feature = "tools")]
pub(crate) use write::Limited;
#[cfg(feature = "tools")]
pub use write::{array, object, quoted};

/// The maximum size of a file. A map of 4096 × 4096 cells takes half of it.
pub const MAX_BYTES: usize = 64 << 20;

/// Returns the text of a file, without a byte-order mark.
///
/// # Errors
///
/// Returns an error for a file that is too large, is not UTF-8, or holds what is known not to be JSON.
pub fn text(bytes: &[u8]) -> Result<&str, Problems> {
    if bytes.len() > MAX_BYTES {
        return Err(Problem::new(Place::File, "the file is larger than the maximum of 64 MiB")
            .help("omit `costs`, or use the tree that `qtdec encode` writes instead of the map")
            .into());
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        let message = format!("the file is not UTF-8: byte 0x{:02X} on line {line}", bytes[before.len()]);
        Problem::new(Place::File, message).help("save it as UTF-8")
    })?;
    match foreign(text) {
        Some(problem) => Err(problem.into()),
        None => Ok(text),
    }
}

/// Returns the problem of a file that Git left in place of another, or that is YAML.
fn foreign(text: &str) -> Option<Problem> {
    if text.starts_with("version https://git-lfs.github.com/spec/") {
        let message = "the file is a pointer of Git LFS, which stands for the file itself";
        return Some(Problem::new(Place::File, message).help("run `git lfs pull`"));
    }
    let mut lines = text.lines().map(str::trim_end);
    if let Some(line) = lines.clone().position(|line| line.starts_with("<<<<<<< ")) {
        let message = format!("the file has a conflict of a merge on line {}", line + 1);
        return Some(Problem::new(Place::File, message).help("resolve it, or make the file again"));
    }
    let first = lines.find(|line| !line.is_empty() && *line != "---" && !line.starts_with('#'))?;
    let (key, value) = first.split_once(':')?;
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_yaml = is_key && (value.is_empty() || value.starts_with(' '));
    is_yaml.then(|| Problem::new(Place::File, "the file is YAML, and not JSON").help("convert it to JSON"))
}

/// Returns the problem for text that is not JSON, with its place and for common causes a suggestion.
pub fn syntax_problem(text: &[u8], error: &serde_json::Error) -> Problem {
    let message = error.to_string();
    let message = message.rfind(" at line ").map_or(&*message, |end| &message[..end]);
    // Lines count from 1. The column is the number of bytes of the line up to the fault, of which the last is at fault; it is 0 where a
    // line break is at fault, which is shown as the beginning of the next line.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_problems_are_at_the_byte_at_fault() {
        let cases = [
            ("", 0, "EOF while parsing a value"),
            ("[1,\n é]", 5, "expected value"),
            ("\r\n{\"é\": 01}", 10, "invalid number"),
            ("[1,\n]", 4, "expected value"),
            ("{\"a\": 1,}", 8, "key must be a string"),
            ("[tru\n\n]", 5, "expected ident"),
            ("[1\n", 3, "EOF while parsing a list"),
            ("{}\n\n{", 4, "trailing characters"),
        ];
        for (text, offset, message) in cases {
            let problem = PlacedValue::parse(text).unwrap_err();
            assert_eq!(problem.place, Place::Offset(offset), "{text:?}");
            assert_eq!(problem.message.to_string(), format!("not JSON: {message}"), "{text:?}");
        }
    }
}
