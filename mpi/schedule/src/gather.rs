//! Gathers: the root receives the blocks of all ranks.

mod binomial;
mod chain;
mod linear;

use super::algorithm::Entry;

/// The gathers, in display order.
pub(super) static ALL: &[&Entry] = &[
    // One a line.
    &linear::LINEAR,
    &chain::CHAIN,
    &binomial::BINOMIAL,
];
