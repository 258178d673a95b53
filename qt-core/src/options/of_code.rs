//! The options that affect the code rather than the tree.

use crate::code::{ERROR, LayoutChoice, TRUE_LABEL};
use crate::message::Message;
use crate::similar::did_you_mean;

pub(super) const NAMES: [&str; 3] = [LayoutChoice::OPTION, TRUE_LABEL.name, ERROR.name];

/// The options for the code of a tree.
#[derive(Debug, Default)]
pub(super) struct OfCode {
    pub(super) layout: LayoutChoice,
    pub(super) true_labels: Vec<String>,
    pub(super) error: Option<String>,
}

impl OfCode {
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), Message> {
        if name == TRUE_LABEL.name {
            self.true_labels = value.split(',').map(|label| label.trim().to_owned()).collect();
        } else if name == ERROR.name {
            self.error = Some(value.to_owned());
        } else {
            let not = |expected: String| not(name, value, &expected, &LayoutChoice::names());
            self.layout = LayoutChoice::parse(value, not)?;
        }
        Ok(())
    }
}

/// Returns the message for a value that is not the expected one, and may be a misspelled one of `values`.
pub(super) fn not(name: &str, value: &str, expected: &str, values: &[&str]) -> Message {
    let meant = did_you_mean(value, values.iter().copied());
    let meant = meant.map(|meant| format!(": did you mean `{meant}`?")).unwrap_or_default();
    Message::default().option(name).text(format!(" is {expected}, not `{value}`{meant}"))
}

/// Returns the message for a tree file with options that only an encoder has.
pub(super) fn cannot_change(given: &[String]) -> Message {
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    Message::from("the file holds a tree: ").options(&given).text(" cannot change it")
}
