//! The error of a schedule that cannot be built.

use std::fmt;

use super::{RequestError, TooLarge};

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
