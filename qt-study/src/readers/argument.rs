//! Arguments of benchmarks, as their names show them: `64`, `4K`, `128x256`, `(128, 256)`, `len=128,range=256`, `len=128,order=sorted`.

use std::sync::LazyLock;

use regex_lite::Regex;

use crate::readers::advice;
use crate::size::size;

/// The last name of a benchmark.
#[derive(Debug, PartialEq)]
pub(super) enum Argument {
    /// The name of a function or type.
    None,
    /// Sizes and labels, each with the name of its axis: its own, or `value`, or `value_1` and so on.
    Samples(Vec<(String, Sample)>),
    /// Something with a number that is not a size.
    Other,
}

/// A place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sample {
    Size(u64),
    /// A label, which stands behind the name of its axis.
    Label(String),
}

/// Says how axes are named that are numbered parts of arguments, or returns `None` if there is none.
pub(super) fn unnamed(axes: &[&str]) -> Option<String> {
    let number = |name: &&str| name.strip_prefix(VALUE)?.strip_prefix('_')?.parse::<u32>().ok();
    let letters = ["m", "n", "k"];
    let named: Vec<String> = axes
        .iter()
        .filter_map(number)
        .zip(letters)
        .map(|(number, letter)| format!("{letter}={number}"))
        .collect();
    (!named.is_empty()).then(|| advice::unnamed_parts(&named.join(",")))
}

/// The name of the axis of an argument that has none.
pub(super) const VALUE: &str = "value";

impl Argument {
    pub(super) fn from_text(text: &str) -> Self {
        let bare = text.trim();
        let begins = |character: char| character.is_ascii_digit() || "([{-+.".contains(character);
        let is_argument = bare.starts_with(begins) || bare.contains('=') || bare.contains(": ");
        if !is_argument {
            return Self::None;
        }
        // `Args { len: 128, range: 256 }`, `(128, 256)`, `[128, 256]`
        let inner = match bare.split_once(['(', '[', '{']) {
            Some((_, rest)) => rest.trim_end_matches([')', ']', '}', ' ']),
            None => bare,
        };
        let parts: Vec<&str> = if inner.contains(',') {
            inner.split(',').collect()
        } else if inner.starts_with(begins) {
            inner.split(['x', '×', '*', '/']).collect()
        } else {
            vec![inner]
        };
        let parts: Vec<&str> = parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect();
        let number = |at: usize| (parts.len() > 1).then_some(at + 1);
        let samples = parts.iter().enumerate().map(|(at, part)| sample(part, number(at)));
        match samples.collect::<Option<Vec<_>>>() {
            Some(samples) if !samples.is_empty() => Self::Samples(samples),
            _ => Self::Other,
        }
    }
}

/// A part of an argument: `len: 128`, `order=sorted` or `128`.
static PART: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:(?<name>[A-Za-z_][A-Za-z0-9_]*)\s*[=:]\s*)?(?<value>\S+)$").ok());

/// Parses a part of an argument, with its number if there are several.
fn sample(part: &str, number: Option<usize>) -> Option<(String, Sample)> {
    let found = PART.as_ref()?.captures(part)?;
    let own = found.name("name").map(|name| name.as_str().to_owned());
    let sample = match size(&found["value"]) {
        Some(size) => Sample::Size(size),
        None if own.is_some() && is_label(&found["value"]) => Sample::Label(found["value"].to_owned()),
        None => return None,
    };
    let numbered = || number.map_or_else(|| VALUE.to_owned(), |number| format!("{VALUE}_{number}"));
    Some((own.unwrap_or_else(numbered), sample))
}

/// Returns whether a text is several sizes, as `6x768`.
pub(super) fn are_several_sizes(text: &str) -> bool {
    matches!(Argument::from_text(text), Argument::Samples(samples) if samples.len() > 1)
}

/// Returns whether a text is the name of a label rather than a number or nothing.
pub(super) fn is_label(text: &str) -> bool {
    text.starts_with(char::is_alphabetic) && text.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_sizes() {
        let sizes = |sizes: &[(&str, u64)]| {
            let sample = |(name, size): &(&str, u64)| ((*name).to_owned(), Sample::Size(*size));
            Argument::Samples(sizes.iter().map(sample).collect())
        };
        let sorted = ("order".to_owned(), Sample::Label("sorted".to_owned()));
        let mixed = [("len".to_owned(), Sample::Size(128)), sorted.clone()];
        for (text, expected) in [
            ("64", sizes(&[("value", 64)])),
            ("4KiB", sizes(&[("value", 4096)])),
            ("4.0", sizes(&[("value", 4)])),
            ("n=64", sizes(&[("n", 64)])),
            ("128x256", sizes(&[("value_1", 128), ("value_2", 256)])),
            ("(128, 256)", sizes(&[("value_1", 128), ("value_2", 256)])),
            ("len=128,range=4K", sizes(&[("len", 128), ("range", 4096)])),
            ("Args { len: 128, range: 256 }", sizes(&[("len", 128), ("range", 256)])),
            ("merge", Argument::None),
            ("merge2", Argument::None),
            ("alloc::vec::Vec<i32>", Argument::None),
            ("4.5", Argument::Other),
            ("-4", Argument::Other),
            ("(2, \"a\")", Argument::Other),
            ("order=sorted", Argument::Samples(vec![sorted])),
            ("len=128,order=sorted", Argument::Samples(mixed.into())),
            ("order=", Argument::Other),
            ("limit=inf", Argument::Other),
            ("limit=4.5", Argument::Other),
            ("128,sorted", Argument::Other),
        ] {
            assert_eq!(Argument::from_text(text), expected, "{text}");
        }
    }

    #[test]
    fn parts_without_names_are_told_with_the_option_that_names_them() {
        let told = unnamed(&["value_1", "len", "value_2"]).unwrap();
        assert!(told.ends_with("--columns m=1,n=2 gives them such names"), "{told}");
        assert_eq!(unnamed(&["value", "len", "value_x"]), None);
    }
}
