//! The texts that a file of times can hold.

use std::cmp::Ordering;

use qtdec_core::listing::shortened;

/// The maximum length of a name in bytes.
const LONGEST_NAME: usize = 256;

/// The maximum length of the value of a key in bytes.
const LONGEST_VALUE: usize = 1 << 19;

/// Returns why a text cannot be a name, for a message after `a name`.
pub(crate) fn name_fault(text: &str) -> Option<String> {
    fault(text, LONGEST_NAME)
}

/// Returns why a text cannot be the value of a key.
pub(crate) fn value_fault(text: &str) -> Option<String> {
    fault(text, LONGEST_VALUE)
}

fn fault(text: &str, longest: usize) -> Option<String> {
    let shown = shortened(text);
    if text.is_empty() {
        Some("is empty".to_owned())
    } else if text.len() > longest {
        Some(format!("`{shown}` is longer than {longest} bytes"))
    } else if text.contains(char::is_control) {
        Some(format!("`{}` has control characters", shown.escape_debug()))
    } else if text.trim() != text {
        Some(format!("`{shown}` begins or ends with a blank"))
    } else {
        None
    }
}

/// Compares two texts: empty ones first, then whole numbers by their value, then others by their bytes.
pub(crate) fn natural(one: &str, other: &str) -> Ordering {
    let kind = |text: &str| if text.is_empty() { 0 } else { 2 - u8::from(number(text).is_some()) };
    let by_value = || number(one).cmp(&number(other));
    kind(one).cmp(&kind(other)).then_with(by_value).then_with(|| one.cmp(other))
}

fn number(text: &str) -> Option<u128> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_before_words() {
        let mut texts = ["b", "10", "", "9", "a10", "-1", "09", "B"];
        texts.sort_by(|one, other| natural(one, other));
        assert_eq!(texts, ["", "09", "9", "10", "-1", "B", "a10", "b"]);
    }
}
