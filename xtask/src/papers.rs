//! The papers' experiments, simulated, and their tables compared with the printed ones.

mod broadcast_tables;
mod broadcasts;
mod chapter;
mod clusters;
mod data;
mod fit;
mod intra_cluster;
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
    /// Simulate broadcasts on nodes with two cards, and write their times and the map of one cluster and two
    Multirail,
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
        Part::Multirail => clusters::write().and_then(|()| broadcasts::write()),
        Part::Tables => chapter::write(),
    }
}
