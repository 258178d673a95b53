//! Our GOAL text, simulated here and by a program of SimGrid's MPI that reads it by itself.

use std::collections::BTreeMap;

use qtdec_mpi_predict::network::Network;
use qtdec_mpi_predict::simulate::{Engine, Noise, Program};
use qtdec_mpi_schedule::{Algorithm, Entry, Schedule, all, import};
use qtdec_mpi_schedule::{Collective, Request};

use crate::smpi::Smpi;

/// The maximum difference of all other algorithms: SimGrid's dates are whole nanoseconds.
const SAME: f64 = 1e-5;

/// The maximum differences of algorithms in which messages of several ranks meet: in SimGrid they share the link of their receiver,
/// and a message that is slowed down there also slows down the next one of its sender.
const MEETING: [(Collective, &str, f64); 8] = [
    (Collective::Bcast, "circulant", 0.02),
    (Collective::Bcast, "multirail", 0.02),
    (Collective::Bcast, "two_tree", 0.03),
    (Collective::Reduce, "circulant", 0.20),
    (Collective::Reduce, "multirail", 0.20),
    (Collective::Reduce, "two_tree", 0.20),
    (Collective::Allreduce, "multirail", 0.22),
    (Collective::Alltoall, "linear", 0.60),
];

const RANKS: u32 = 16;
const SIZES: [u64; 2] = [1 << 10, 1 << 16];
const SEGMENT: u64 = 8 << 10;

/// Compares the times of the files of all algorithms.
pub(super) fn compare(network: &Network) -> Result<String, String> {
    let smpi = Smpi::goal()?;
    let mut worst: BTreeMap<(Collective, &str), f64> = BTreeMap::new();
    let mut files = 0;
    for entry in all().filter(|entry| entry.collective() != Collective::Barrier) {
        for bytes in SIZES {
            let Some(text) = text(entry, bytes)? else { continue };
            let theirs = smpi.time_of_goal(network, RANKS, &text)?;
            let ours = ours(network, &text)?;
            let off = (ours / theirs - 1.0).abs();
            let name = (entry.collective(), entry.name());
            let meeting = MEETING.iter().find(|(collective, algorithm, _)| (*collective, *algorithm) == name);
            if off.is_nan() || off > meeting.map_or(SAME, |(.., most)| *most) {
                return Err(format!(
                    "GOAL of {name:?} with {bytes} bytes takes {ours} s here and {theirs} s in SimGrid"
                ));
            }
            let worst = worst.entry(name).or_default();
            *worst = worst.max(off);
            files += 1;
        }
    }
    let same = worst.values().filter(|off| **off <= SAME).count();
    let others: Vec<String> = worst
        .iter()
        .filter(|(_, off)| **off > SAME)
        .map(|((collective, name), off)| format!("{collective} {name} {:.2} %", 100.0 * off))
        .collect();
    Ok(format!(
        "{files} files of GOAL: the times of {same} of {} algorithms are SimGrid's; at most off: {}",
        worst.len(),
        others.join(", ")
    ))
}

/// Returns the schedule of an algorithm as GOAL without our comments, or `None` if the algorithm does not serve the call.
fn text(entry: &Entry, bytes: u64) -> Result<Option<String>, String> {
    let request = Request::new(RANKS, bytes).and_then(|request| request.segment(Some(SEGMENT)));
    let Ok(schedule) = Schedule::build(entry, &request.map_err(|error| error.to_string())?) else {
        return Ok(None);
    };
    let verified = schedule.verify().map_err(|fault| fault.to_string())?;
    let text = verified.goal().to_string();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("//")).collect();
    Ok(Some(lines.join("\n")))
}

/// Returns our time of a GOAL file, in seconds.
fn ours(network: &Network, text: &str) -> Result<f64, String> {
    let imported = import(text.as_bytes(), None, None).and_then(qtdec_mpi_schedule::Imported::verify);
    let proved = imported.map_err(|problems| problems.to_string())?;
    let program = Program::new(proved.verified().schedule()).map_err(|error| error.to_string())?;
    let mut engine = Engine::default();
    engine.run(&program, network, Noise::default(), &mut ()).map_err(|error| error.to_string())?;
    Ok(engine.finish().iter().map(|time| time.seconds()).fold(0.0, f64::max))
}
