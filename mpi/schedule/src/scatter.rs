//! Scatters: the root sends each rank its block.

mod binomial;
mod chain;
mod linear;

use super::algorithm::Entry;

/// The scatters, in display order.
pub(super) static ALL: &[&Entry] = &[
    // One a line.
    &linear::LINEAR,
    &chain::CHAIN,
    &binomial::BINOMIAL,
];
