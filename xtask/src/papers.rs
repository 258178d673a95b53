//! The papers' experiments, simulated, and their tables compared with the printed ones.

mod chapter;
mod data;
mod fit;
mod part;
mod printed;
mod tables;

use clap::Subcommand;

/// What to do with the papers' experiments.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Part {
    /// Scan settings of Grig's network for the one that comes nearest to Table 3 of the 2006 paper
    Fit,
    /// Simulate the experiments, and write the maps that the project carries
    Data,
    /// Write the tables of the guide's chapter anew
    Tables,
}

pub(crate) fn papers(part: Part) -> Result<(), String> {
    match part {
        Part::Fit => {
            fit::fit();
            Ok(())
        }
        Part::Data => data::write(),
        Part::Tables => chapter::write(),
    }
}
