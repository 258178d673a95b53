//! Open MPI's own reader and look-ups, called through `dlopen`.

mod maps;
mod script;
mod spoilt;

use std::fs;
use std::process::Command;

use qtdec_core::{Basis, DecisionTree, MethodIndex, Requirement};
use qtdec_tune::libraries::open_mpi::Collective;
use qtdec_tune::libraries::{Library, Unit};
use qtdec_tune::rules::{Call, RuleSet};
use qtdec_tune::tuning::open_mpi::{check, write};
use qtdec_tune::tuning::{Plan, PlanOptions, Severity};

use super::observed::{Broadcasts, launcher};
use crate::outcome::Outcome;
use crate::packages;
use maps::trees;
use script::Script;
use spoilt::{MUTATIONS, mutated};

/// The component that holds the reader.
const COMPONENT: &str = "openmpi/lib/openmpi3/mca_coll_tuned.so";

pub(super) fn prove() -> Result<Outcome, String> {
    let found = packages::library(COMPONENT, &["openmpi-bin", "libopenmpi3"])
        .and_then(|component| packages::command("python3", &["python3"]).map(|()| component));
    let component = match found {
        Ok(component) => component,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut script = Script::new(folder.path());
    let (exported, texts) = exported(&mut script)?;
    let points = script.questions() - exported;
    mutated(&mut script, &texts)?;
    let mutated_points = script.questions() - exported - points - MUTATIONS;
    script.run(&component)?;
    Ok(Outcome::Held(format!(
        "{exported} exported files agree at {points} points, and {MUTATIONS} mutated files are accepted or dropped as \
         foretold and agree at {mutated_points} more"
    )))
}

/// A whole run: eight ranks broadcast under an exported file, and the algorithms that are called are looked at.
pub(super) fn observe() -> Result<Outcome, String> {
    for (command, package) in
        [("mpirun.openmpi", "openmpi-bin"), ("mpicc.openmpi", "libopenmpi-dev"), ("cc", "gcc")]
    {
        if let Err(reason) = packages::command(command, &[package]) {
            return Ok(Outcome::Skipped(reason));
        }
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (tree, known) = trees()?.swap_remove(0);
    let plan = Plan::new(&tree, Library::OpenMpi, known.name, known.unit, &PlanOptions::default());
    let written = write(&[plan.map_err(|problems| problems.to_string())?], None);
    let file = folder.path().join("rules.conf");
    fs::write(&file, written.map_err(|problem| problem.to_string())?.text)
        .map_err(|error| error.to_string())?;
    let broadcasts = Broadcasts::build(folder.path(), "mpicc.openmpi", "open_mpi_spy.c")?;
    let msg_axis = tree.domain().find_axis("msg_size");
    let cuts = tree.root().cuts().filter(|(axis, _)| Some(*axis) == msg_axis);
    let mut sizes: Vec<u64> =
        cuts.flat_map(|(axis, at)| [tree.threshold(axis, at) - 1, tree.threshold(axis, at)]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.retain(|size| *size > 0);
    let mut observed = 0;
    for ranks in [3_u64, 8] {
        let mut command = mpirun(&broadcasts, ranks);
        command
            .args([
                "--mca",
                "coll_tuned_use_dynamic_rules",
                "1",
                "--mca",
                "coll_tuned_dynamic_rules_filename",
            ])
            .arg(&file);
        let seen = broadcasts.run(&mut command, &sizes)?;
        for (size, seen) in sizes.iter().zip(seen) {
            let (id, _, segment) = expected(&tree, known, ranks, tree.decide(&[ranks, *size]));
            let name = known.algorithm(id).map_or("", |algorithm| algorithm.name);
            if seen != format!("{name}/{segment}") {
                return Err(format!("{size} bytes to {ranks} ranks: {seen} ran, not {name}/{segment}"));
            }
            observed += 1;
        }
    }
    let by_hand = fixed_rules(&broadcasts)?;
    Ok(Outcome::Held(format!(
        "{observed} broadcasts, at every threshold, ran the algorithm of the exported file, and {by_hand} without it that \
         of the hand-written rules"
    )))
}

/// Without a file the library follows its fixed rules: are they those that are written down here?
fn fixed_rules(broadcasts: &Broadcasts) -> Result<u64, String> {
    let rule =
        RuleSet::find("open-mpi-4.1").and_then(|rules| rules.rule("bcast")).ok_or("there is no such rule")?;
    let powers = (0..=20).map(|exponent| 1_u64 << exponent);
    let mut sizes: Vec<u64> = powers.flat_map(|size| [size - 1, size]).filter(|size| *size > 0).collect();
    sizes.dedup();
    let mut observed = 0;
    for ranks in [2, 3, 4, 7, 8, 15, 16, 20] {
        let seen = broadcasts.run(&mut mpirun(broadcasts, ranks), &sizes)?;
        for (size, seen) in sizes.iter().zip(seen) {
            let name = rule(&Call::new(ranks, *size, Basis::Buffer)).algorithm;
            if seen != format!("{name}/0") {
                return Err(format!("{size} bytes to {ranks} ranks: {seen} runs without a file, not {name}"));
            }
            observed += 1;
        }
    }
    Ok(observed)
}

fn mpirun(broadcasts: &Broadcasts, ranks: u64) -> Command {
    let mut command = launcher("mpirun.openmpi");
    command
        .args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"])
        .args(["--mca", "btl", "self,vader", "--mca", "pml", "ob1", "--mca", "mpi_yield_when_idle", "1"])
        .args(["-x", &format!("LD_PRELOAD={}", broadcasts.spy().display())])
        .args(["-np", &ranks.to_string()]);
    command
}

/// Asks for every exported file what it decides around every threshold on both axes. Gives the number of files, and
/// their texts.
fn exported(script: &mut Script<'_>) -> Result<(u64, Vec<String>), String> {
    let mut texts = Vec::new();
    for (tree, known) in trees()? {
        let options = PlanOptions { max_comm_size: Some(70), ..PlanOptions::default() };
        let plan = Plan::new(&tree, Library::OpenMpi, known.name, known.unit, &options)
            .map_err(|problems| problems.to_string())?;
        let text = write(&[plan], None).map_err(|problem| problem.to_string())?.text;
        if check(text.as_bytes()).iter().any(|finding| finding.severity != Severity::Note) {
            return Err(format!("what was written for {} does not pass the check:\n{text}", known.name));
        }
        script.file(text.as_bytes(), true)?;
        breakpoints(script, &tree, known);
        texts.push(text);
    }
    Ok((texts.len() as u64, texts))
}

fn breakpoints(script: &mut Script<'_>, tree: &DecisionTree, known: &Collective) {
    let axis = |name: &str| tree.domain().find_axis(name);
    let (comm_axis, msg_axis) = (axis("comm_size"), axis("msg_size"));
    let around = |axis: Option<usize>, more: &[u64]| {
        let cuts = tree.root().cuts().filter(|(cut, _)| Some(*cut) == axis);
        let thresholds = cuts.map(|(axis, at)| tree.threshold(axis, at));
        let mut sizes: Vec<u64> = thresholds
            .flat_map(|size| [size.saturating_sub(1), size, size + 1])
            .chain(more.iter().copied())
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    };
    let basis = msg_axis.and_then(|axis| tree.domain().axes()[axis].basis);
    let multiplied = matches!(known.unit, Unit::TimesRanks | Unit::Total) && basis == Some(Basis::Block);
    // Every communicator size where each has rules of its own, those around thresholds where not.
    let every: Vec<u64> = (1..=70).collect();
    let ranks = around(comm_axis, if multiplied { &every } else { &[1, 2, 3, 1 << 20] });
    let largest = if multiplied { 70 } else { u64::from(i32::MAX as u32) };
    for ranks in ranks.into_iter().filter(|ranks| (1..=largest).contains(ranks)) {
        for size in around(msg_axis, &[0, 1, 1 << 40]) {
            let mut sizes = vec![0; tree.domain().axes().len()];
            for (axis, size) in [(comm_axis, ranks), (msg_axis, size)] {
                if let Some(axis) = axis {
                    sizes[axis] = size;
                }
            }
            let expected = expected(tree, known, ranks, tree.decide(&sizes));
            script.ask(known.id, ranks, if multiplied { size * ranks } else { size }, expected);
        }
    }
}

fn expected(
    tree: &DecisionTree,
    known: &Collective,
    ranks: u64,
    method: Option<MethodIndex>,
) -> (u64, u64, u64) {
    let Some(method) = method.map(|method| tree.domain().method(method)) else { return (0, 0, 0) };
    let Some(algorithm) = Library::OpenMpi.find(known.name, &method.name) else { return (0, 0, 0) };
    let may_run = |requirement: &Requirement| match requirement {
        Requirement::PowerOfTwo => ranks.is_power_of_two(),
        Requirement::CommSize(only) => ranks == *only,
        Requirement::Commutative | Requirement::CountAtLeastCommSize => true,
    };
    if !method.requires.iter().all(may_run) || (algorithm.name == "two_proc" && ranks != 2) {
        return (0, 0, 0);
    }
    let segment = method.segment_size.filter(|_| algorithm.segmented).unwrap_or(0);
    (known.id_of(algorithm), 0, segment)
}
