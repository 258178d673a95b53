//! `qtdec emit --check`: whether a file has the code that would be written.

use std::fs;
use std::path::Path;

use qtdec_terminal::{Advice, Failure};

/// Checks that a file has this code. Comments decide nothing, and tell of versions, dates and folders. Line endings may be those of Windows,
/// which a checkout may write.
pub(super) fn check(file: &str, expected: &[u8]) -> Result<(), Failure> {
    let path = Path::new(file);
    let found = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::read(path).map_err(|error| error.to_string()),
        Ok(_) => Err("it is not a regular file".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    let difference = match found {
        Ok(found) => difference(&found, expected).map(|place| format!("`{file}` is out of date: {place}")),
        Err(error) => Some(format!("`{file}` cannot be compared: {error}")),
    };
    let command = Advice::of_process_without("--check").map(|advice| advice.line());
    let command = command.map_or_else(String::new, |command| format!("; write it with {command}"));
    difference.map_or(Ok(()), |difference| Err(Failure::Negative(vec![difference + &command])))
}

/// Returns the first difference between a file and what would be written.
fn difference(found: &[u8], expected: &[u8]) -> Option<String> {
    let (Ok(found), Ok(expected)) = (str::from_utf8(found), str::from_utf8(expected)) else {
        let differs = found != expected;
        return differs.then(|| "its bytes are others".to_owned());
    };
    let [mut old, mut new] = [found, expected].map(lines);
    loop {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (Some((_, old)), Some((_, new))) if old == new => {}
            (Some(_), Some((line, new))) => return Some(format!("line {line} would be `{}`", new.trim())),
            (Some((line, _)), None) => return Some(format!("it has lines after line {}", line - 1)),
            (None, Some((line, _))) => return Some(format!("it ends before line {line}")),
        }
    }
}

/// Returns the numbers and texts of the lines of a file in Rust or C that are no comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_comment = |line: &str| ["//", "/*", "*"].iter().any(|start| line.trim_start().starts_with(start));
    (1..).zip(text.lines()).filter(move |(_, line)| !is_comment(line))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_difference() {
        let of = |found: &[u8]| difference(found, b"a\n  b\nc\n");
        assert_eq!(of(b"a\n  b\nc\n"), None);
        assert_eq!(of(b"a\r\n  b\r\nc\r\n"), None);
        assert_eq!(of(b"a\nb\nc\n").unwrap(), "line 2 would be `b`");
        assert_eq!(of(b"a\n  b\n").unwrap(), "it ends before line 3");
        assert_eq!(of(b"a\n  b\nc\nd\n").unwrap(), "it has lines after line 3");
        assert_eq!(of(&[0xff]).unwrap(), "its bytes are others");
        assert_eq!(difference(&[0xff, 1], &[0xff, 1]), None);
        assert_eq!(of(b"// by qtdec 0.0.1\n/* on\n * a node */\na\n    /// From a.json.\n  b\nc\n"), None);
        assert_eq!(difference(b"a\n", b"// Made by: x\nb\n").unwrap(), "line 2 would be `b`");
    }
}
