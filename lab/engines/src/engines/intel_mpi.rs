//! Intel MPI under `mpiexec.hydra`: checks that it obeys the variables written here.
//!
//! The library is closed, so an algorithm is known by its messages: those of a run in which a variable without conditions forces it. A
//! call counts only if no two algorithms send the same messages.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use qtdec_core::{Axis, Basis, DecisionTree, Method};
use qtdec_mpi_library::catalogue::intel_mpi::last_preset;
use qtdec_mpi_library::catalogue::{Library, SizeUnit, TunedCollective};
use qtdec_mpi_library::tuning::{RuleOptions, find_format};

use super::agent::Agent;
use super::deployed::{self, rules, senders};
use super::installed::Installed;
use super::observed::{Called, Program, basis, written};
use super::smoke::{self, RANKS};

/// The numbers of ranks from which the maps have other algorithms.
const BANDS: [u64; 2] = [2, 8];

/// The message sizes at which the maps' decisions change.
const THRESHOLDS: [u64; 2] = [300, 3000];

/// The collectives of the program that have several algorithms between ranks.
const CALLED: [&str; 12] = [
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "barrier",
    "bcast",
    "exscan",
    "gather",
    "reduce",
    "reduce_scatter",
    "scan",
    "scatter",
];

/// The numbers of ranks that are launched, and whether they are on two nodes.
const LAUNCHES: [(u64, bool); 5] = [(3, false), (5, false), (8, false), (6, true), (8, true)];

/// A collective and its algorithms. Those in shared memory send no messages, or those of others; those that call another collective do
/// what the variable of that one says; the messages of `plum` differ from run to run.
type Choices = (&'static TunedCollective, Vec<&'static str>);

/// Checks the release of a wheel.
pub(super) fn prove(installed: Installed) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let smoke = smoke(&installed, folder.path())?;
    let program = Program::build(folder.path(), installed, "intel_mpi_spy.c")?;
    let agent = Agent::new(folder.path())?;
    let choices = choices();
    let mut files = Vec::new();
    for turn in [0, 3, 6] {
        files.push(Deployed::new(&choices, turn, Shape::Messages, folder.path())?);
    }
    for turn in [1, 2] {
        files.push(Deployed::new(&choices, turn, Shape::Ranks, folder.path())?);
    }
    let mut counts = Counts::default();
    for (ranks, two_nodes) in LAUNCHES {
        match &agent {
            Some(agent) if two_nodes => {
                compare(&program, (ranks, Some(agent)), &choices, &files, &mut counts)?;
            }
            None if two_nodes => {}
            _ => compare(&program, (ranks, None), &choices, &files, &mut counts)?,
        }
    }
    let on_nodes = if agent.is_some() {
        "on one node and on two with several ranks each"
    } else {
        "on one node: two need the right to change hostnames, which this user lacks"
    };
    let each = |counts: &BTreeMap<&str, u64>| -> String {
        let each: Vec<String> = counts.iter().map(|(name, calls)| format!("{name} {calls}")).collect();
        each.join(", ")
    };
    let sum: u64 = counts.certain.values().sum();
    if sum < LEAST {
        return Err(format!("only {sum} calls are certain, which should be {LEAST} or more"));
    }
    Ok(format!(
        "{sum} calls sent the messages of the algorithm of the variable and of no other, {on_nodes} (by {}; {}; in {} \
         more, several algorithms send the same messages); {smoke}",
        each(&counts.by_shape),
        each(&counts.certain),
        counts.alike
    ))
}

/// Checks the smoke test of a script with variables, and of bad ones.
fn smoke(installed: &Installed, folder: &Path) -> Result<String, String> {
    let deployed = smoke::Deployed {
        format: ["intel-mpi", "intel-mpi.sh"],
        options: &[],
        own: "default",
        algorithms: [("bcast", ["binomial", "ring"]), ("allreduce", ["recursive_doubling", "rabenseifner"])],
        ranks: &[RANKS],
    };
    let bcast = |preset: u64| format!("I_MPI_ADJUST_BCAST='{preset}:");
    let later = bcast(last_preset("bcast").unwrap_or_default() + 1);
    let bad: [smoke::Bad<'_>; 4] = [
        (
            "for a release with a preset more",
            &|text| text.replace(&bcast(1), &later),
            "the last preset for bcast in 2021.18.1",
        ),
        ("truncated", &|text| text[..text.trim_end().len() - 1].to_owned(), "Unterminated quoted string"),
        (
            "one with a wrong range",
            &|text| text.replace("'1:0-", "'1:99999-"),
            "there are no sizes from 99999 to",
        ),
        ("one with an unknown algorithm", &|text| text.replace("'1:", "'99:"), "99 is not a known preset"),
    ];
    let libraries = installed.mpirun.with_file_name("../lib");
    let launch = |command: &mut Command, preloaded: Option<&Path>| {
        command
            .env("LD_LIBRARY_PATH", &libraries)
            .env("FI_PROVIDER_PATH", &libraries)
            .env("FI_PROVIDER", "tcp");
        command.env("I_MPI_PIN", "0").args(["-np", &RANKS.to_string()]);
        if let Some(library) = preloaded {
            command.args(["-genv", "LD_PRELOAD"]).arg(library);
        }
    };
    smoke::prove(installed, &deployed, &bad, folder, launch)
}

/// The least number of calls whose algorithm is certain.
const LEAST: u64 = 100;

#[derive(Default)]
struct Counts {
    certain: BTreeMap<&'static str, u64>,
    by_shape: BTreeMap<&'static str, u64>,
    alike: u64,
}

fn choices() -> Vec<Choices> {
    let known = Library::IntelMpi.collectives().iter().filter(|known| CALLED.contains(&known.name));
    let is_whole = |name: &&str| {
        let is_shared = name.starts_with("shm_") || name.starts_with("numa_");
        let calls_others = name.ends_with("_bcast") || name.ends_with("reduce_scatterv");
        !is_shared && !calls_others && **name != *"plum"
    };
    let each = known.map(|known| {
        let names = known.algorithms.iter().map(|algorithm| algorithm.name);
        (known, names.filter(is_whole).collect::<Vec<_>>())
    });
    each.filter(|(_, algorithms)| algorithms.len() > 1).collect()
}

/// The size that the rules of a variable test: the release does not obey rules that test both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Messages,
    Ranks,
}

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Self::Messages => "message sizes",
            Self::Ranks => "ranks",
        }
    }
}

/// Variables, with the trees that they are made from.
struct Deployed {
    shape: Shape,
    text: String,
    settings: String,
    trees: Vec<Option<DecisionTree>>,
}

impl Deployed {
    /// Writes rules; the algorithms of each collective begin with the one at `turn`.
    fn new(choices: &[Choices], turn: usize, shape: Shape, folder: &Path) -> Result<Self, String> {
        let format = find_format("intel-mpi").ok_or("there is no such form")?;
        let options = RuleOptions { max_comm_size: Some(BANDS[1]), ..RuleOptions::default() };
        let (mut trees, mut plans) = (Vec::new(), Vec::new());
        for (known, algorithms) in choices {
            // Rules for totals depend on the number of ranks as well.
            let is_total = known.unit.basis() == Some(Basis::Total);
            if shape == Shape::Messages && (is_total || known.unit == SizeUnit::Nothing) {
                trees.push(None);
                continue;
            }
            let tree = tree(known, algorithms, turn, shape)?;
            plans.push(rules(Library::IntelMpi, known, &tree, &options)?);
            trees.push(Some(tree));
        }
        let file = format.write(&plans, None).map_err(|problems| problems.to_string())?;
        let faults = format.check(file.text.as_bytes(), None);
        if let Some(fault) = faults.first() {
            return Err(format!("`check` reports {} of {}", fault.problem, file.text));
        }
        let settings = written(folder, &format!("{turn}-{}.sh", shape.name()), &file)?;
        Ok(Self { shape, text: file.text, settings, trees })
    }
}

/// Compares runs with each set of variables to runs of each algorithm.
fn compare(
    program: &Program,
    launch: (u64, Option<&Agent>),
    choices: &[Choices],
    files: &[Deployed],
    counts: &mut Counts,
) -> Result<(), String> {
    let (ranks, _) = launch;
    let sizes: Vec<u64> = THRESHOLDS.iter().flat_map(|size| [size - 1, *size]).collect();
    let calls = choices.iter().flat_map(|(known, _)| sizes.iter().map(move |size| (known.name, *size)));
    let calls: Vec<Called> = calls.collect();
    let most = choices.iter().map(|(_, algorithms)| algorithms.len()).max().unwrap_or(0);
    let mut forced = Vec::new();
    for turn in 0..most {
        let variables = choices.iter().map(|(known, algorithms)| {
            let number = known.find(algorithms[turn.min(algorithms.len() - 1)]);
            let number = number.and_then(|algorithm| algorithm.number).unwrap_or(0);
            format!("export I_MPI_ADJUST_{}={number}\n", known.word)
        });
        forced.push(run(program, launch, &variables.collect::<String>(), &calls)?);
    }
    for file in files {
        let seen = run(program, launch, &file.settings, &calls)?;
        for (number, (name, size)) in calls.iter().enumerate() {
            let collective = number / sizes.len();
            let Some(tree) = &file.trees[collective] else { continue };
            let (_, algorithms) = &choices[collective];
            let domain = tree.domain();
            let sizes: Vec<u64> = (domain.axes().iter())
                .map(|axis| if axis.name == "comm_size" { ranks } else { *size })
                .collect();
            let method = tree.decide(&sizes).ok_or("the map has no gaps")?;
            let expected = &*domain.method(method).name;
            let ran = senders(algorithms, &forced, number, &seen[number]);
            if !ran.contains(&expected) {
                return Err(format!(
                    "{name} of {size} bytes on {ranks} ranks sends the messages of {ran:?}, not of {expected}\n{}",
                    file.text
                ));
            }
            if ran.len() == 1 {
                *counts.certain.entry(name).or_default() += 1;
                *counts.by_shape.entry(file.shape.name()).or_default() += 1;
            } else {
                counts.alike += 1;
            }
        }
    }
    Ok(())
}

/// Returns what ranks send in each call. The release ends in rare cases as it starts, so a launch that fails is repeated once.
fn run(
    program: &Program,
    launch: (u64, Option<&Agent>),
    settings: &str,
    calls: &[Called],
) -> Result<Vec<Vec<String>>, String> {
    let first = program.run(&mut mpiexec(program, launch, settings), calls);
    first.or_else(|_| program.run(&mut mpiexec(program, launch, settings), calls))
}

/// Returns the launcher of a number of ranks, with these environment settings.
fn mpiexec(program: &Program, (ranks, nodes): (u64, Option<&Agent>), settings: &str) -> Command {
    let mut command = program.launcher(settings);
    let libraries = program.libraries();
    command.env("LD_LIBRARY_PATH", &libraries).env("FI_PROVIDER_PATH", &libraries).env("FI_PROVIDER", "tcp");
    // All messages go through libfabric, where the spy is, also those within a node.
    command.env("I_MPI_FABRICS", "ofi").env("I_MPI_COLL_INTRANODE", "pt2pt").env("I_MPI_PIN", "0");
    let mut each = ranks;
    if let Some(agent) = nodes {
        each = ranks.div_ceil(2);
        command.args(["-hosts", "qtdec-a,qtdec-b", "-bootstrap", "ssh", "-bootstrap-exec"]).arg(agent.path());
    }
    command.args(["-np", &ranks.to_string(), "-ppn", &each.to_string()]);
    command.args(["-genv", "LD_PRELOAD"]).arg(program.spy());
    command
}

/// Returns a tree with different algorithms in each band of messages or of ranks.
fn tree(
    known: &TunedCollective,
    algorithms: &[&str],
    turn: usize,
    shape: Shape,
) -> Result<DecisionTree, String> {
    let (mut rows, mut columns) = (1, 1);
    let mut axes = Vec::new();
    if shape != Shape::Messages {
        rows = BANDS.len();
        axes.push(Axis::new("comm_size", BANDS.to_vec()));
    }
    if shape != Shape::Ranks && known.unit != SizeUnit::Nothing {
        let sizes: Vec<u64> = [1].into_iter().chain(THRESHOLDS).collect();
        columns = sizes.len();
        axes.push(Axis { basis: Some(basis(known.name)), ..Axis::new("msg_size", sizes) });
    }
    let methods: Vec<Method> = algorithms.iter().map(|name| Method::new(*name)).collect();
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| turn + row + column));
    let cells: Vec<usize> = cells.map(|cell| cell % methods.len()).collect();
    deployed::tree(known.name, axes, methods, cells)
}
