//! Gathers: the root receives the blocks of all ranks.

mod binomial;
mod chain;
mod linear;

pub(super) use binomial::BINOMIAL;
pub(super) use chain::CHAIN;
pub(super) use linear::LINEAR;
