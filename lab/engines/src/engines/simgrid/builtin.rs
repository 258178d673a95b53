//! SimGrid's own broadcasts and selectors, in SMPI.

use qtdec_mpi_predict::network::Network;

use super::Grid;
use crate::smpi::{Broadcast, SELECTORS, Smpi};

/// SimGrid's broadcasts that do the same as one of our schedules: their names, and ours with the segment size.
const SAME: [(&str, &str, Option<u64>); 3] =
    [("flattree", "linear", None), ("binomial_tree", "binomial", None), ("NTSL", "pipeline", Some(8 << 10))];

/// The maximum relative difference between the times of the same broadcast.
const BOUND: f64 = 0.001;

/// The minimum time of a selector relative to our best time. SimGrid may be faster with an algorithm that we do not have.
const MIN: f64 = 0.5;

pub(super) fn compare(grid: &Grid, network: &Network) -> Result<String, String> {
    let smpi = Smpi::broadcasts()?;
    let mut held = Vec::new();
    for (theirs, ours, segment) in SAME {
        let times = smpi.times(network, Broadcast::Always(theirs), &grid.cells)?;
        let mut worst: f64 = 0.0;
        for ((cell, theirs_takes), ours_takes) in
            grid.cells.iter().zip(times).zip(grid.times_of(ours, segment))
        {
            let off = (ours_takes / theirs_takes - 1.0).abs();
            if off.is_nan() || off > BOUND {
                return Err(format!(
                    "{theirs} at {cell:?} takes {theirs_takes} s in SMPI, {ours} {ours_takes} s here"
                ));
            }
            worst = worst.max(off);
        }
        held.push(format!("{theirs} {:.4} %", 100.0 * worst));
    }
    let best = grid.best();
    let mut chosen = Vec::new();
    for selector in SELECTORS {
        let times = smpi.times(network, Broadcast::Selected(selector), &grid.cells)?;
        let ratios: Vec<f64> = times.iter().zip(&best).map(|(time, best)| time / best).collect();
        if let Some(cell) = ratios.iter().position(|ratio| ratio.is_nan() || *ratio < MIN) {
            let (cell, ratio) = (grid.cells[cell], ratios[cell]);
            return Err(format!("{selector} at {cell:?} takes {ratio} of our best time"));
        }
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        chosen.push(format!("{selector} {mean:.2}"));
    }
    Ok(format!(
        "its own broadcasts take as long as ours of the same form in {} cells (at most off: {}); those that its selectors \
         choose take on average, as multiples of our best: {}",
        grid.cells.len(),
        held.join(", "),
        chosen.join(", ")
    ))
}
