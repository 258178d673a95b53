//! Errors in options.

use std::fmt;

use crate::message::{Message, Syntax};
use crate::problem::{Diagnostics, Place, Problem, Problems};

/// An error in an option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionFault {
    /// The position of the option among those given.
    pub index: usize,
    /// Whether the error is in the value rather than the name.
    pub is_of_value: bool,
    /// The error, with a suggestion.
    pub message: Message,
}

/// All errors in options: at least one, in the order of the options.
///
/// `{}` and `{:?}` print the same lines, one for each error.
///
/// ```
/// use qtdec_core::{Options, Syntax};
///
/// let faults = Options::parse(&[("max_deep", "3"), ("threshold", "120")]).unwrap_err();
/// assert_eq!(faults.iter().map(|fault| fault.is_of_value).collect::<Vec<_>>(), [false, true]);
/// assert!(faults.render(Syntax::Command).starts_with("unknown option `max_deep`: did you mean --max-depth?"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct OptionFaults(pub(super) Vec<OptionFault>);

impl OptionFaults {
    /// Returns the errors in the order of the options.
    pub fn iter(&self) -> std::slice::Iter<'_, OptionFault> {
        self.0.iter()
    }

    /// Returns the errors, one per line, with options in the syntax of a front end.
    pub fn render(&self, syntax: Syntax) -> String {
        self.iter().map(|fault| fault.message.render(syntax)).collect::<Vec<_>>().join("\n")
    }
}

impl<'a> IntoIterator for &'a OptionFaults {
    type Item = &'a OptionFault;
    type IntoIter = std::slice::Iter<'a, OptionFault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for OptionFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Syntax::default()))
    }
}

impl fmt::Debug for OptionFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for OptionFaults {}

/// This conversion is for programs that parse options and use them in one function.
impl From<OptionFaults> for Problems {
    fn from(faults: OptionFaults) -> Self {
        let mut problems = Diagnostics::default();
        for fault in faults.0 {
            problems.add(Problem::new(Place::File, fault.message));
        }
        problems.finish::<()>(None).expect_err("there is at least one fault")
    }
}
