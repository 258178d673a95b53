//! Broadcasts.

mod binomial;
mod linear;
mod pipeline;

pub(super) use binomial::BINOMIAL;
pub(super) use linear::LINEAR;
pub(super) use pipeline::PIPELINE;
