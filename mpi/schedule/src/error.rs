//! The errors of requests, and of schedules that cannot be built.

use std::fmt;

use super::TooLarge;

/// The error of a request that no schedule serves: what is wrong, and a remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    message: String,
    /// The parameter that the algorithm does not have, if this is what is wrong.
    pub(crate) lacking: Option<&'static str>,
}

impl RequestError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), lacking: None }
    }

    /// Returns the error of a number of bytes that is not a whole number of elements.
    #[doc(hidden)]
    pub fn part_of_element(bytes: u64, element_size: u64) -> Self {
        Self::new(format!(
            "{bytes} bytes are not a whole number of elements of {element_size} bytes; use a multiple"
        ))
    }

    pub(crate) fn lacks(algorithm: &str, parameter: &'static str) -> Self {
        let message = format!("algorithm `{algorithm}` has no {parameter}; omit it");
        Self { message, lacking: Some(parameter) }
    }

    /// Adds the algorithms that serve the request, if there are any.
    pub(crate) fn others(mut self, before: &str, others: &[&str]) -> Self {
        if !others.is_empty() {
            self.message += before;
            self.message += &others.join(", ");
        }
        self
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RequestError {}

/// The error of a schedule that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScheduleError {
    /// The algorithm does not serve the request.
    Request(RequestError),
    /// The schedule would be too large for memory.
    TooLarge(TooLarge),
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ScheduleError {}

impl From<RequestError> for ScheduleError {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl From<TooLarge> for ScheduleError {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge(error)
    }
}
