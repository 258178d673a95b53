//! Scatters: the root sends each rank its block.

mod binomial;
mod chain;
mod linear;

pub(super) use binomial::BINOMIAL;
pub(super) use chain::CHAIN;
pub(super) use linear::LINEAR;
