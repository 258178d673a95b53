//! The papers' experiments, simulated, and their tables next to the printed ones.

mod fit;
mod printed;

use clap::Subcommand;

/// What to do with the papers' experiments.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Part {
    /// Scan settings of Grig's network for the one that comes nearest to Table 3 of the 2006 paper
    Fit,
}

pub(crate) fn papers(part: Part) -> Result<(), String> {
    match part {
        Part::Fit => fit::fit(),
    }
}
