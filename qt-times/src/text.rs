//! The texts that a file of times can hold.

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
