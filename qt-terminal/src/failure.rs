//! The reasons why a command fails.

use qtdec_core::{Problem, Problems, Syntax, visible};

/// The reason why a command failed. The variants are complete.
#[derive(Debug)]
pub enum Failure {
    /// The input is invalid: exit code 1.
    Input(Vec<String>),
    /// The answer to a question is no, with an explanation: exit code 3.
    Negative(Vec<String>),
    /// The command line is invalid: exit code 2.
    Usage(String),
    /// The reader of the output has closed it.
    Closed,
}

impl Failure {
    /// Returns the error of invalid options, as they appear on a command line.
    pub fn options(faults: &Problems) -> Self {
        Self::Usage(faults.render(Syntax::Command))
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub fn problem(problem: &Problem) -> Self {
        Self::input(problem.render(Syntax::Command))
    }

    pub fn input(message: impl Into<String>) -> Self {
        Self::Input(vec![visible::lines(&message.into()).into_owned()])
    }
}
