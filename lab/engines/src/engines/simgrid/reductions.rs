//! Reductions in SimGrid, run by the binary `qtdec-simgrid`: how far our times are from SimGrid's, and why.

use std::collections::BTreeMap;

use qtdec_mpi_predict::network::Network;
use qtdec_mpi_schedule::Collective;
use xtask::files;

use super::{Grid, NETWORK, s4u};

/// The sizes of the table in `lab/results/simgrid.md`.
const COMM_SIZES: [u64; 7] = [4, 8, 12, 16, 20, 24, 28];
const MSG_SIZES: [u64; 4] = [1 << 10, 8 << 10, 64 << 10, 256 << 10];
const SEGMENTS: [u64; 3] = [1 << 10, 8 << 10, 32 << 10];

/// The least ratio of our time to SimGrid's for messages in segments. Uncut messages take the same time in both.
const LEAST: [(&str, f64); 4] = [("binomial", 0.98), ("linear", 0.93), ("pipeline", 0.89), ("binary", 0.61)];

/// The difference below which times are equal: SimGrid's dates are whole nanoseconds.
const SAME: f64 = 1e-5;

/// The winners of that table and of the papers' grid that both must share, and the largest mean loss of ours in SimGrid.
const SAME_OF_TABLE: usize = 26;
const LOSS_OF_TABLE: f64 = 0.004;
const SAME_OF_PAPER: f64 = 0.875;
const LOSS_OF_PAPER: f64 = 0.015;

pub(super) fn compare(network: &Network) -> Result<String, String> {
    let (table, theirs) = both(network, NETWORK)?;
    for (name, (least, most)) in ratios(&table, &theirs) {
        let (algorithm, cut) = name;
        let bound =
            LEAST.iter().find(|(known, _)| cut && *known == algorithm).map_or(1.0, |(_, least)| *least);
        if least < bound - SAME || most > 1.0 + SAME {
            return Err(format!("{name:?}: our times of reductions are {least} to {most} of SimGrid's"));
        }
    }
    let (same, loss) = s4u::winners(&table, &theirs);
    if same < SAME_OF_TABLE || loss > LOSS_OF_TABLE {
        return Err(format!(
            "SimGrid has the same fastest reduction in {same} of 28 calls; the mean loss is {loss}"
        ));
    }
    let without = without_overheads(network)?;
    let paper = Grid::of_paper(network, Collective::Reduce)?;
    let theirs = s4u::times(&paper, NETWORK)?;
    let (of_paper, loss_of_paper) = s4u::winners(&paper, &theirs);
    let cells = paper.cells.len();
    if (of_paper as f64) < SAME_OF_PAPER * cells as f64 || loss_of_paper > LOSS_OF_PAPER {
        return Err(format!(
            "SimGrid has the same fastest reduction in {of_paper} of {cells} cells; the mean loss is {loss_of_paper}"
        ));
    }
    Ok(format!(
        "reductions have the same winner in {same} of 28 calls (mean loss {:.2} %) and {of_paper} of {cells} ({:.2} %); {without}",
        100.0 * loss,
        100.0 * loss_of_paper
    ))
}

/// Checks the two reasons of the differences, on the same network without overheads.
///
/// The first is the order in which a processor serves its messages: without overheads, all times agree but those of binary trees in
/// segments. The second is back-pressure: in SimGrid a message that is slowed down at its receiver also holds up the next one of its
/// sender. It needs a rank that sends on what it receives from two others, so four ranks still agree, where only the root has two children.
fn without_overheads(network: &Network) -> Result<String, String> {
    let mut description = network.description().clone();
    for point in &mut description.points {
        (point.send, point.receive) = (0.0, 0.0);
    }
    let network = Network::new(description).map_err(|problems| problems.to_string())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("network.json");
    files::write(&file, network.to_json())?;
    let (grid, theirs) = both(&network, &file.display().to_string())?;
    let mut least: BTreeMap<u32, f64> = BTreeMap::new();
    for ((cell, method, ours), theirs) in grid.points().zip(&theirs) {
        let ratio = ours / theirs;
        if method.algorithm == "binary" && method.segment_size.is_some() {
            let least = least.entry(cell.comm_size).or_insert(f64::INFINITY);
            *least = ratio.min(*least);
        } else if (ratio - 1.0).abs() > SAME {
            return Err(format!("{method:?} at {cell:?} without overheads takes {ratio} of SimGrid's time"));
        }
    }
    let of_four = least.remove(&4).unwrap_or_default();
    let (best, worst) =
        least.values().fold((0.0_f64, 1.0_f64), |(best, worst), &ratio| (ratio.max(best), ratio.min(worst)));
    if of_four < 1.0 - SAME || best > 0.9 {
        return Err(format!(
            "binary trees in segments without overheads: {of_four} of SimGrid's time for 4 ranks, {best} for more"
        ));
    }
    Ok(format!("without overheads all are SimGrid's but binary in segments beyond 4 ranks, from {worst:.3}"))
}

/// Returns the table's times here and in SimGrid.
fn both(network: &Network, name: &str) -> Result<(Grid, Vec<f64>), String> {
    let sizes = (COMM_SIZES.to_vec(), MSG_SIZES.to_vec());
    let grid = Grid::simulated(network, Collective::Reduce, &sizes, &SEGMENTS, |_| true)?;
    let theirs = s4u::times(&grid, name)?;
    Ok((grid, theirs))
}

/// Returns the least and the largest ratio of our times to SimGrid's, by algorithm, uncut and in segments.
fn ratios<'g>(grid: &'g Grid, theirs: &[f64]) -> BTreeMap<(&'g str, bool), (f64, f64)> {
    let mut ratios = BTreeMap::new();
    for ((_, method, ours), theirs) in grid.points().zip(theirs) {
        let (least, most) = ratios
            .entry((method.algorithm, method.segment_size.is_some()))
            .or_insert((f64::INFINITY, 0.0_f64));
        let ratio = ours / theirs;
        (*least, *most) = (ratio.min(*least), ratio.max(*most));
    }
    ratios
}
