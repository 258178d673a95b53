//! The papers' experiments, simulated, and their tables compared with the printed ones.

mod assumptions;
mod broadcast_tables;
mod broadcasts;
mod chapter;
mod clusters;
mod data;
mod fit;
mod intra_cluster;
mod memory;
mod part;
mod printed;
mod simulated;
mod tables;

use clap::Subcommand;

/// Tasks for the papers' experiments.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(crate) enum Part {
    /// Search for the parameters of Grig's network that best reproduce Table 3 of the 2006 paper
    Fit,
    /// Simulate the experiments, and write the maps in qt-tune/data/papers and, with other assumptions, in experiments/data/papers
    Data,
    /// Simulate broadcasts on nodes with two network cards, and write their times and a map for one or two clusters
    Multirail,
    /// Rewrite the tables of the guide's chapter
    Tables,
}

pub(crate) fn papers(part: Part) -> Result<(), String> {
    match part {
        Part::Fit => {
            fit::fit();
            Ok(())
        }
        Part::Data => data::write(),
        Part::Multirail => clusters::write().and_then(|()| broadcasts::write()),
        Part::Tables => chapter::write(),
    }
}
