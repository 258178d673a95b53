//! Times: what a benchmark printed becomes canonical times.

pub(crate) mod read;
