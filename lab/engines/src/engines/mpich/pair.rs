//! The pair of a selection file and the file of the device, with which the device keeps the calls that rules leave to the library.
//!
//! Every second cell of each collective forces an algorithm. Then the others do, in one half of the collectives and after that in the other
//! half. A call of a forced cell must send what it sends with the
//! selection file and without the device, which [`forced`](super::forced) compares with the algorithms. It only counts if the untouched
//! library sends something else. Any other call must send what the untouched library sends, and only counts if MPICH without its device
//! sends something else.

use std::path::Path;

use qtdec_core::DecisionTree;
use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_library::tuning::mpich::built_in::BuiltIn;
use qtdec_mpi_library::tuning::mpich::device_file;
use qtdec_mpi_library::tuning::{RuleOptions, Written, find_format};
use xtask::files;

use super::device::{COLLECTIVES, SIZES};
use super::forced::{Choices, choices, tree_of_turns};
use super::{Placement, mpirun};
use crate::engines::deployed::rules;
use crate::engines::observed::{Called, Program, written};

/// The ranks and placements of the launches.
const LAUNCHES: [(u64, Placement); 3] =
    [(4, Placement::OneNode), (8, Placement::TwoNodes), (4, Placement::Alone)];

/// The collectives that the device sends through shared memory, after a few calls that it served.
const SHARED: [&str; 4] = ["allreduce", "barrier", "bcast", "reduce"];

/// The rounds of their calls before those that are looked at. Every round has calls without an algorithm.
const WARM_UP: usize = 6;

/// What the calls of one kind were.
#[derive(Default)]
struct Counts {
    /// Those that send what they must, and what nothing else sends.
    right: u64,
    /// Those that send what they must, as without any rules or without the device.
    alike: u64,
}

/// A pair of files with the trees of their rules.
struct Pair {
    trees: Vec<DecisionTree>,
    /// The settings of both files.
    both: String,
    /// The setting of the selection file, and the device switched off.
    without_device: String,
}

impl Pair {
    fn write(
        program: &Program,
        folder: &Path,
        built_in: BuiltIn<'_>,
        (name, choices, turn): (&str, &[&Choices], usize),
    ) -> Result<Self, String> {
        let format = find_format("mpich").ok_or("there is no such form")?;
        let options =
            RuleOptions { release: Some(program.release()), extend: true, ..RuleOptions::default() };
        let (mut trees, mut plans) = (Vec::new(), Vec::new());
        for (known, algorithms) in choices {
            let tree = every_second(known.name, algorithms, turn)?;
            plans.push(rules(Library::Mpich, known, &tree, &options)?);
            trees.push(tree);
        }
        let rules = format.write(&plans, Some(built_in.whole)).map_err(|problems| problems.to_string())?;
        let ch4 = built_in.ch4.ok_or("the library has no selection file of CH4")?;
        let device = device_file::write(&plans, ch4).map_err(|problems| problems.to_string())?;
        let rules = Written { switches: device_file::kept_by(rules.switches), ..rules };
        let alone = written(folder, &format!("{name}.json"), &rules)?;
        let both = format!("{alone}{}", written(folder, &format!("{name}-ch4.json"), &device)?);
        let without_device = format!("{alone}export MPIR_CVAR_DEVICE_COLLECTIVES=none\n");
        Ok(Self { trees, both, without_device })
    }

    /// Returns whether the rules force an algorithm for a call, or `None` without rules for the collective.
    fn forces(&self, (collective, size): Called, ranks: u64, ranks_per_node: u64) -> Option<bool> {
        let tree = self.trees.iter().find(|tree| tree.domain().collective() == Some(collective))?;
        let sizes = &[ranks, ranks_per_node, size][..tree.domain().axes().len()];
        let method = tree.decide(sizes).expect("the map has no gaps");
        Some(!tree.domain().method(method).baseline)
    }
}

/// Returns a tree that forces an algorithm in every second cell. `smp` is not among them: it calls collectives on parts of the communicator,
/// which the device serves.
fn every_second(collective: &str, algorithms: &[&str], turn: usize) -> Result<DecisionTree, String> {
    let forced: Vec<&str> = algorithms.iter().copied().filter(|name| *name != "smp").collect();
    tree_of_turns(collective, &[&["default"], &forced[..]].concat(), |cell| match cell + turn {
        odd if odd % 2 == 1 => 1 + odd / 2 % forced.len(),
        _ => 0,
    })
}

/// Compares runs with both files to runs without any, and returns a summary.
pub(super) fn compare(program: &Program, folder: &Path) -> Result<String, String> {
    let library = program.library("libmpi")?;
    let library = files::bytes(&library)?;
    let built_in = BuiltIn::of_library(&library).map_err(|problem| problem.to_string())?;
    let choices = choices(program.release());
    let half = |first: usize| choices.iter().skip(first).step_by(2).collect::<Vec<_>>();
    let pairs =
        [("pair", choices.iter().collect(), 0), ("pair-half", half(0), 1), ("pair-other-half", half(1), 1)];
    let pairs = pairs.map(|(name, ruled, turn)| Pair::write(program, folder, built_in, (name, &ruled, turn)));
    let calls_of = |collectives: &[&'static str]| -> Vec<Called> {
        let sizes = SIZES.into_iter();
        sizes.flat_map(|size| collectives.iter().map(move |collective| (*collective, size))).collect()
    };
    let round = calls_of(&COLLECTIVES);
    let calls = [calls_of(&SHARED).repeat(WARM_UP), round.repeat(2)].concat();
    let looked_at = calls.len() - round.len()..calls.len();
    let (mut forced, mut left, mut others) = (Counts::default(), Counts::default(), Counts::default());
    for launch in LAUNCHES {
        let run = |settings: &str| program.run(&mut mpirun(program, launch, settings), &calls);
        let (untouched, none) = (run("")?, run("export MPIR_CVAR_DEVICE_COLLECTIVES=none")?);
        for pair in &pairs {
            let pair = pair.as_ref().map_err(Clone::clone)?;
            let (seen, without) = (run(&pair.both)?, run(&pair.without_device)?);
            for number in looked_at.clone() {
                let (ranks, placement) = launch;
                let (collective, size) = calls[number];
                let is_forced = pair.forces(calls[number], ranks, placement.ranks_per_node(ranks));
                let (expected, other, counts) = match is_forced {
                    Some(true) => (&without[number], &untouched[number], &mut forced),
                    Some(false) => (&untouched[number], &none[number], &mut left),
                    None => (&untouched[number], &none[number], &mut others),
                };
                if seen[number] != *expected {
                    return Err(format!(
                        "{collective} of {size} bytes on {ranks} ranks, {} on a node, {} sends {:?}, not {expected:?}",
                        placement.ranks_per_node(ranks),
                        if is_forced == Some(true) { "has an algorithm but" } else { "has none but" },
                        seen[number]
                    ));
                }
                if expected == other {
                    counts.alike += 1;
                } else {
                    counts.right += 1;
                }
            }
        }
    }
    if [&forced, &left, &others].iter().any(|counts| counts.right == 0) {
        return Err("no call tells whether the device's file is obeyed".to_owned());
    }
    Ok(format!(
        "with a file for the device too, {} calls ran the file's algorithm and not what the untouched library runs ({} more send the same either \
         way), {} left to the library and {} of collectives without rules sent what the device sends in the untouched library, and MPICH without \
         its device does not ({} more send the same either way), and none was different",
        forced.right,
        forced.alike,
        left.right,
        others.right,
        left.alike + others.alike
    ))
}
