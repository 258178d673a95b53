//! What every rank has for a root.

mod binomial;
mod chain;
mod linear;

pub(super) use binomial::BINOMIAL;
pub(super) use chain::CHAIN;
pub(super) use linear::LINEAR;
