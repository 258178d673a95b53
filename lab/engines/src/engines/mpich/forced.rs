//! All collectives with several algorithms, identified by their messages when each algorithm is forced.
//!
//! A call counts only if no two algorithms send the same messages, so that the algorithm that runs under the file is certain.

use std::collections::BTreeMap;
use std::path::Path;

use qtdec_core::{Axis, DecisionTree, Method};
use qtdec_mpi_library::catalogue::{Algorithm, Library, Need, Release, SizeUnit, TunedCollective};
use qtdec_mpi_library::tuning::{LibraryRules, RuleOptions, find_format};

use super::{Placement, mpirun, whole};
use crate::engines::deployed::{self, rules, senders};
use crate::engines::observed::{Called, Program, basis, written};

/// The numbers of ranks, which all of the algorithms serve.
pub(super) const RANKS: [u64; 2] = [4, 8];

/// A collective and its algorithms.
pub(super) type Choices = (&'static TunedCollective, Vec<&'static str>);

/// Returns the collectives with several algorithms of a release that can be forced.
pub(super) fn choices(release: Release) -> Vec<Choices> {
    let serves = |algorithm: &&Algorithm| {
        let is_met = |need: &Need| RANKS.iter().all(|ranks| need.holds(*ranks));
        algorithm.is_in(Some(release))
            && algorithm.measured_name().is_some()
            && algorithm.needs.iter().all(is_met)
    };
    let known = Library::Mpich.collectives().iter();
    let choices = known.map(|known| {
        (known, known.algorithms.iter().filter(serves).map(|algorithm| algorithm.name).collect::<Vec<_>>())
    });
    choices.filter(|(_, algorithms)| algorithms.len() > 1).collect()
}

/// The message sizes at which the map's decisions change.
const THRESHOLDS: [u64; 2] = [300, 3000];

/// Compares runs with a file to runs of each algorithm, and returns a summary.
pub(super) fn compare(program: &Program, folder: &Path) -> Result<String, String> {
    let format = find_format("mpich").ok_or("there is no such form")?;
    let release = program.release();
    let choices = choices(release);
    let trees = choices.iter().map(|(known, algorithms)| tree(known.name, algorithms));
    let trees: Vec<DecisionTree> = trees.collect::<Result<_, _>>()?;
    let options = RuleOptions { release: Some(release), extend: true, ..RuleOptions::default() };
    let plans = choices.iter().zip(&trees);
    let plans = plans.map(|((known, _), tree)| rules(Library::Mpich, known, tree, &options));
    let plans: Vec<LibraryRules> = plans.collect::<Result<_, _>>()?;
    let whole = whole(release)?;
    let file = format.write(&plans, Some(&whole)).map_err(|problems| problems.to_string())?;
    let settings = written(folder, "collectives.json", &file)?;
    let text = &file.text;

    let sizes: Vec<u64> = THRESHOLDS.iter().flat_map(|size| [size - 1, *size]).collect();
    let calls = choices.iter().flat_map(|(known, _)| sizes.iter().map(move |size| (known.name, *size)));
    let calls: Vec<Called> = calls.collect();
    let most = choices.iter().map(|(_, algorithms)| algorithms.len()).max().unwrap_or(0);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut alike = 0;
    let communicators = RANKS.map(|ranks| (ranks, 1)).into_iter().chain([(RANKS[1], 2)]);
    let launches = communicators.flat_map(|of| Placement::ALL.map(|placement| (of, placement)));
    for ((processes, parts), placement) in launches {
        let launch = (processes, placement);
        let (ranks, ranks_per_node) =
            (processes / parts, placement.ranks_per_node(processes).div_ceil(parts));
        let split = format!("export QTDEC_PARTS={parts}\n");
        let mut forced = Vec::new();
        for turn in 0..most {
            let mut command =
                mpirun(program, launch, &format!("{split}export MPIR_CVAR_DEVICE_COLLECTIVES=none"));
            // 5.0 itself reduces few elements as it starts. Where a measured call falls back, two algorithms are alike.
            command.env("MPIR_CVAR_COLLECTIVE_FALLBACK", "silent");
            for (known, algorithms) in &choices {
                let variable = format!("MPIR_CVAR_{}_INTRA_ALGORITHM", known.name.to_uppercase());
                command.env(variable, algorithms[turn.min(algorithms.len() - 1)]);
            }
            forced.push(program.run(&mut command, &calls)?);
        }
        let mut command = mpirun(program, launch, &format!("{split}{settings}"));
        let seen = program.run(&mut command, &calls)?;
        for (number, (name, size)) in calls.iter().enumerate() {
            let collective = number / sizes.len();
            let (_, algorithms) = &choices[collective];
            let domain = trees[collective].domain();
            let sizes = &[ranks, ranks_per_node, *size][..domain.axes().len()];
            let method = trees[collective].decide(sizes).ok_or("the map has no gaps")?;
            let expected = &*domain.method(method).name;
            let ran = senders(algorithms, &forced, number, &seen[number]);
            if !ran.contains(&expected) {
                return Err(format!(
                    "{name} of {size} bytes on {ranks} of {processes} ranks, {ranks_per_node} on a node, sends the messages of {ran:?}, \
                     not of {expected}\n{text}"
                ));
            }
            if ran.len() == 1 {
                *counts.entry(name).or_default() += 1;
            } else {
                alike += 1;
            }
        }
    }
    let each: Vec<String> = counts.iter().map(|(name, calls)| format!("{name} {calls}")).collect();
    Ok(format!(
        "{} calls those of the file's algorithm and of no other ({}; in {alike} more, two algorithms send the same messages)",
        counts.values().sum::<u64>(),
        each.join(", ")
    ))
}

/// Returns a tree with different algorithms in each band, on eight ranks than on fewer, and on nodes of several ranks than of one.
pub(super) fn tree(collective: &str, algorithms: &[&str]) -> Result<DecisionTree, String> {
    tree_of_turns(collective, algorithms, |turn| turn % algorithms.len())
}

/// Returns a tree in which a function chooses among methods for the turn of a cell. A method `default` is the library's own choice.
pub(super) fn tree_of_turns(
    collective: &str,
    methods: &[&str],
    choice: impl Fn(usize) -> usize,
) -> Result<DecisionTree, String> {
    let mut axes = vec![Axis::new("comm_size", vec![2, 8]), Axis::new("ppn", vec![1, 2])];
    let mut columns = 1;
    if Library::Mpich.unit(collective) != SizeUnit::Nothing {
        let msg_sizes: Vec<u64> = [1].into_iter().chain(THRESHOLDS).collect();
        columns = msg_sizes.len();
        axes.push(Axis { basis: Some(basis(collective)), ..Axis::new("msg_size", msg_sizes) });
    }
    let method = |name: &&str| Method { baseline: *name == "default", ..Method::new(*name) };
    let methods = methods.iter().map(method).collect();
    let rows = [0, 1, 1, 2].into_iter();
    let turns = rows.flat_map(|row| (0..columns).map(move |column| row + column));
    deployed::tree(collective, axes, methods, turns.map(choice))
}
