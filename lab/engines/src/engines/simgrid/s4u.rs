//! Our schedules in SimGrid, run by the binary `qtdec-simgrid`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use qtdec_simgrid::points::COLUMNS;

use super::{Grid, NETWORK};
use xtask::files;
use xtask::run::{build, target};

/// The maximum differences between our times and SimGrid's. Ranks that receive from two others at a time differ more: in SimGrid
/// all arriving messages share a link, and its ranks wait in the order of their lists.
const BOUNDS: [(&str, f64); 5] =
    [("linear", 0.012), ("pipeline", 0.012), ("binary", 0.012), ("binomial", 0.012), ("split_binary", 0.15)];

/// The share of cells in which both must have the same winner, and the maximum mean penalty of our winners.
const SAME_WINNERS: f64 = 0.985;
const MEAN_PENALTY: f64 = 0.0002;

/// The difference below which times are equal: SimGrid's dates are whole nanoseconds in calls of milliseconds.
const TIED: f64 = 1e-5;

/// The time limit of SimGrid in seconds. The whole grid takes some 20 seconds on one processor.
const LIMIT: &str = "600";

pub(super) fn compare(grid: &Grid) -> Result<String, String> {
    let theirs = times(grid, NETWORK)?;
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    for ((cell, method, ours), theirs) in grid.points().zip(&theirs) {
        let off = (ours / theirs - 1.0).abs();
        let bound =
            BOUNDS.iter().find(|(name, _)| *name == method.algorithm).map_or(0.0, |(_, bound)| *bound);
        if off.is_nan() || off > bound {
            return Err(format!("{method:?} at {cell:?} takes {ours} s here and {theirs} s in SimGrid"));
        }
        let worst = worst.entry(method.algorithm).or_default();
        *worst = worst.max(off);
    }
    let (same, penalty) = winners(grid, &theirs);
    let cells = grid.cells.len();
    if (same as f64) < SAME_WINNERS * cells as f64 || penalty > MEAN_PENALTY {
        return Err(format!(
            "SimGrid has the same winner in {same} of {cells} cells; the mean penalty is {penalty}"
        ));
    }
    let worst: Vec<String> =
        worst.iter().map(|(algorithm, off)| format!("{algorithm} {:.4} %", 100.0 * off)).collect();
    Ok(format!(
        "{} times of {} methods are SimGrid's (at most off: {}), with the same winner in {same} of {cells} cells and a mean \
         penalty of {:.4} %",
        theirs.len(),
        grid.methods.len(),
        worst.join(", "),
        100.0 * penalty
    ))
}

/// Returns the number of cells in which our winner is as fast as SimGrid's, and its mean penalty there.
pub(super) fn winners(grid: &Grid, theirs: &[f64]) -> (usize, f64) {
    let mut cells: BTreeMap<(u32, u64), Vec<(f64, f64)>> = BTreeMap::new();
    for ((cell, _, ours), &theirs) in grid.points().zip(theirs) {
        cells.entry((cell.comm_size, cell.msg_size)).or_default().push((ours, theirs));
    }
    let penalty = |times: &Vec<(f64, f64)>| {
        let best = times.iter().map(|(_, theirs)| *theirs).fold(f64::INFINITY, f64::min);
        let chosen = times.iter().min_by(|one, other| one.0.total_cmp(&other.0));
        chosen.map_or(f64::NAN, |(_, theirs)| theirs / best - 1.0)
    };
    let penalties: Vec<f64> = cells.values().map(penalty).collect();
    let same = penalties.iter().filter(|penalty| **penalty <= TIED).count();
    (same, penalties.iter().sum::<f64>() / penalties.len() as f64)
}

/// Returns SimGrid's time of every point on a shipped network or a network file, in seconds.
pub(super) fn times(grid: &Grid, network: &str) -> Result<Vec<f64>, String> {
    let built = build(&["--features", "qtdec-simgrid/simgrid", "--bin", "qtdec-simgrid"]).status();
    if !built.is_ok_and(|status| status.success()) {
        return Err("qtdec-simgrid does not build".to_owned());
    }
    let mut points = COLUMNS.join(",") + "\n";
    for (cell, method, _) in grid.points() {
        let segment = method.segment_size.map(|segment| segment.to_string()).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(
            points,
            "{},{},{segment},{},{}",
            grid.collective, method.algorithm, cell.comm_size, cell.msg_size
        );
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("points.csv");
    files::write(&file, points)?;
    let mut command = Command::new("timeout");
    command.arg(LIMIT).arg(target().join("debug/qtdec-simgrid")).arg(network).arg(&file);
    let output = command.output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let time = |line: &str| Some(line.rsplit(',').next()?.parse::<f64>().ok()? * 1e-6);
    let times: Option<Vec<f64>> = printed.lines().skip(1).map(time).collect();
    match times {
        Some(times) if output.status.success() && times.len() == grid.points().count() => Ok(times),
        _ => Err(format!("qtdec-simgrid: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
