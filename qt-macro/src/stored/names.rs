//! Names in files as identifiers in code.

use crate::front::listing::is_in;

/// The keywords of Rust 2024, including reserved ones, and `_`.
const KEYWORDS: &str = " _ abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if \
    impl in let loop macro match mod move mut override priv pub ref return self Self static struct super trait true try type typeof \
    unsafe unsized use virtual where while yield ";

/// Returns whether a name is an identifier: letters, digits and `_`, as far as the standard library knows them. Beyond ASCII it knows letters
/// alone, and a few that the compiler refuses.
pub(super) fn is_identifier(name: &str) -> bool {
    for (index, char) in name.chars().enumerate() {
        if !(char == '_' || char.is_alphabetic() || index > 0 && char.is_ascii_digit()) {
            return false;
        }
    }
    !name.is_empty() && !is_in(KEYWORDS, name)
}

/// Returns a name in the form of an enum variant, as `qtdec_core::naming::upper_camel` does.
pub(super) fn upper_camel(name: &str) -> String {
    let mut joined = String::new();
    let mut previous = ' ';
    for char in name.chars() {
        if char.is_alphanumeric() {
            if previous.is_alphanumeric() && !(previous.is_lowercase() && char.is_uppercase()) {
                joined.extend(char.to_lowercase());
            } else {
                push_word(&mut joined, char);
            }
        }
        previous = char;
    }
    if joined.starts_with(|first: char| first.is_ascii_digit()) {
        joined.insert(0, 'M');
    }
    joined
}

/// Begins a word, after `_` between two numbers.
fn push_word(joined: &mut String, first: char) {
    if first.is_ascii_digit() && ends_in_digit(joined) {
        joined.push('_');
    }
    // A letter that is lowered first, as in the other words of the name.
    for lower in first.to_lowercase() {
        joined.extend(lower.to_uppercase());
    }
}

fn ends_in_digit(name: &str) -> bool {
    name.ends_with(|last: char| last.is_ascii_digit())
}

/// Returns the variant of a method that has no identifier of its own.
pub(super) fn variant(name: &str, segment_size: Option<u64>) -> String {
    let mut variant = upper_camel(name);
    if let Some(size) = segment_size {
        if ends_in_digit(&variant) {
            variant.push('_');
        }
        let (unit, letter) = match size {
            _ if size.is_multiple_of(1 << 30) => (1 << 30, "G"),
            _ if size.is_multiple_of(1 << 20) => (1 << 20, "M"),
            _ if size.is_multiple_of(1 << 10) => (1 << 10, "K"),
            _ => (1, ""),
        };
        variant += &format!("{}{letter}", size / unit);
    }
    variant
}

/// Returns a number with its digits in groups of three.
pub(super) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && digits.len() > 4 && (digits.len() - position).is_multiple_of(3) {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}
