//! The layer of the device: a file's settings take from it the collectives that have rules, and no other.
//!
//! Half of the collectives get rules, then the other half. What a collective without rules sends must be what it sends with the file
//! before our rules and no other setting, and only counts if it sends something else where the device serves nothing. What one with rules
//! sends must be what it sends where all have rules, which [`forced`](super::forced) compares with the algorithms of the file.

use std::path::Path;

use qtdec_core::DecisionTree;
use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_library::tuning::{RuleOptions, find_format};
use xtask::files;

use super::forced::{Choices, RANKS, choices, tree};
use super::{Placement, mpirun, whole};
use crate::engines::deployed::rules;
use crate::engines::observed::{Called, Program, written};

/// All collectives of the program.
pub(super) const COLLECTIVES: [&str; 14] = [
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "barrier",
    "bcast",
    "exscan",
    "gather",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "scatter",
];

/// The message sizes, one below and one above each size at which rules change.
pub(super) const SIZES: [u64; 4] = [200, 299, 2000, 3001];

/// The calls before those that are looked at: the device sets up its shared memory in the first ones.
const WARM_UP: usize = 6;

/// What was counted.
#[derive(Default)]
struct Counts {
    /// Calls of collectives without rules that the device serves in its own way, on one node and on two.
    kept: [u64; 2],
    /// Those that send the same messages without the device.
    alike: u64,
    /// Calls of collectives with rules that send what the file says, which is not what the device sends.
    taken: u64,
}

/// Compares runs with files to runs without settings, and returns a summary.
pub(super) fn compare(program: &Program, folder: &Path) -> Result<String, String> {
    let choices = choices(program.release());
    let halves = [0, 1].map(|half| choices.iter().skip(half).step_by(2).collect::<Vec<_>>());
    let alone = alone(program, folder)?;
    let all = settings(program, folder, "all", &choices.iter().collect::<Vec<_>>())?;
    let mut counts = Counts::default();
    for half in &halves {
        let settings = settings(program, folder, "half", half)?;
        for ranks in RANKS {
            for placement in [Placement::OneNode, Placement::TwoNodes] {
                let launch = (ranks, placement);
                count(program, launch, half, [&alone, &all, &settings], &mut counts)?;
            }
        }
    }
    let Counts { kept, alike, taken } = counts;
    if kept.contains(&0) || taken == 0 {
        return Err("no call tells whether the device serves it".to_owned());
    }
    Ok(format!(
        "of the collectives without rules, {} calls on one node and {} on two sent what the device sends without settings, and MPICH without \
         its device does not ({alike} more send the same either way); {taken} calls of those with rules ran what rules for all say, and not what the device runs",
        kept[0], kept[1]
    ))
}

/// Writes the file into which the rules are inserted, which has none of ours, and returns the setting with which MPICH reads it.
fn alone(program: &Program, folder: &Path) -> Result<String, String> {
    let file = folder.join("alone.json");
    files::write(&file, whole(program.release())?)?;
    Ok(format!("export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE='{}'\n", file.display()))
}

/// Writes a file with rules for some collectives, and returns its settings.
fn settings(program: &Program, folder: &Path, name: &str, half: &[&Choices]) -> Result<String, String> {
    let format = find_format("mpich").ok_or("there is no such form")?;
    let options = RuleOptions { release: Some(program.release()), extend: true, ..RuleOptions::default() };
    let mut plans = Vec::new();
    for (known, algorithms) in half {
        let tree: DecisionTree = tree(known.name, algorithms)?;
        plans.push(rules(Library::Mpich, known, &tree, &options)?);
    }
    let whole = whole(program.release())?;
    let file = format.write(&plans, Some(&whole)).map_err(|problems| problems.to_string())?;
    written(folder, &format!("{name}.json"), &file)
}

/// Counts the calls of one launch.
fn count(
    program: &Program,
    launch: (u64, Placement),
    half: &[&Choices],
    [alone, all, settings]: [&str; 3],
    counts: &mut Counts,
) -> Result<(), String> {
    let round = |size: u64| COLLECTIVES.map(|collective| (collective, size));
    let first = (0..WARM_UP).flat_map(|_| round(SIZES[0]));
    let calls: Vec<Called> = first.chain(SIZES.into_iter().flat_map(round)).collect();
    let run = |settings: &str| program.run(&mut mpirun(program, launch, settings), &calls);
    let untouched = run(alone)?;
    let without = run(&format!("{alone}export MPIR_CVAR_DEVICE_COLLECTIVES=none"))?;
    let (with_all, seen) = (run(all)?, run(settings)?);
    for number in WARM_UP * COLLECTIVES.len()..calls.len() {
        let (collective, size) = calls[number];
        let differs = untouched[number] != without[number];
        let has_rules = half.iter().any(|(known, _)| known.name == collective);
        match (has_rules, seen[number] == untouched[number]) {
            (true, is_same) if seen[number] == with_all[number] => counts.taken += u64::from(!is_same),
            (true, _) => {
                return Err(format!(
                    "{collective} of {size} bytes sends {:?}, not {:?}",
                    seen[number], with_all[number]
                ));
            }
            (false, true) if differs => counts.kept[usize::from(launch.1 == Placement::TwoNodes)] += 1,
            (false, true) => counts.alike += 1,
            (false, false) => {
                let (ranks, placement) = launch;
                return Err(format!(
                    "{collective} of {size} bytes on {ranks} ranks, {} on a node, has no rules but sends {:?}, without settings {:?}, without \
                     the device {:?}",
                    placement.ranks_per_node(ranks),
                    seen[number],
                    untouched[number],
                    without[number]
                ));
            }
        }
    }
    Ok(())
}
