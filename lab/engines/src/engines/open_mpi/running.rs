//! Complete runs of Open MPI: ranks call collectives, and the algorithms that run are observed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_core::{Basis, Method};
use qtdec_mpi::campaign::measure::LIBRARIES;
use qtdec_mpi_library::catalogue::open_mpi::{COLLECTIVES, REQUESTS_SINCE};
use qtdec_mpi_library::catalogue::{
    Algorithm, Library, Release, SizeUnit, TunedCollective, natural_basis_or_buffer,
};
use qtdec_mpi_library::rules::{Call, Choice, RuleSet};
use qtdec_mpi_library::tuning::open_mpi::{self, check, write};
use qtdec_mpi_library::tuning::{Severity, Written};

use super::han;
use super::maps::{self, Exported};
use super::nodes::{Nodes, mpirun};
use super::smoke;
use super::spy::observed;
use crate::engines::agent::Agent;
use crate::engines::deployed::rules;
use crate::engines::installed::Installed;
use crate::engines::observed::{Called, Program, basis, written};
use xtask::run::target;

/// The maximum size of all blocks of a call together, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The number of observed calls of each collective.
type Counts = BTreeMap<&'static str, u64>;

/// What files were obeyed in: the calls, and how many of them had a limit of requests.
struct Obeyed {
    calls: Counts,
    limited: u64,
}

/// Observes a release.
pub(crate) fn observe(installed: Installed) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let nodes = Agent::new(folder.path())?.map_or(Nodes::One, Nodes::Two);
    let smoke = smoke::test(&installed, &nodes, folder.path())?;
    let program = Program::build(folder.path(), installed, "open_mpi_spy.c")?;
    let by_file = exported_rules(&program, &Nodes::One, folder.path())?;
    let on_nodes = match nodes {
        Nodes::Two(_) => on_two_nodes(&program, &nodes, folder.path())?,
        Nodes::One => "two nodes need the right to change hostnames, which this user lacks".to_owned(),
    };
    let lacked = lacked_rules(&program, folder.path())?;
    let chains = forced_chains(&program, folder.path())?;
    let limits = match forced_limits(&program, folder.path())? {
        0 => "the release's rules have no limits of requests".to_owned(),
        limits => {
            format!("{limits} algorithms were given the same limit of requests when forced and under a file")
        }
    };
    let by_hand = fixed_rules(&program)?;
    Ok(format!(
        "all ranks ran the algorithm, segment size and fan-out of exported files on both sides of their thresholds, in {}; \
         {on_nodes}; the {lacked} algorithms that only later releases have failed in the call; {chains} chains had the same fan-out \
         when forced as in a job script and under a file; {limits}; and without a file ranks ran the algorithm of the hand-written \
         rules, in {}; {smoke}",
        obeyed(&by_file),
        described(&by_hand)
    ))
}

fn obeyed(Obeyed { calls, limited }: &Obeyed) -> String {
    let calls = described(calls);
    if *limited == 0 { calls } else { format!("{calls}, {limited} of them with a limit of requests") }
}

fn described(counts: &Counts) -> String {
    let each: Vec<String> =
        counts.iter().map(|(collective, calls)| format!("{collective} {calls}")).collect();
    format!("{} calls ({})", counts.values().sum::<u64>(), each.join(", "))
}

/// Checks that the library obeys files with rules for all collectives. If a file leaves the choice to the library, its
/// fixed rules must apply.
fn exported_rules(program: &Program, nodes: &Nodes, folder: &Path) -> Result<Obeyed, String> {
    let mut counts = Counts::new();
    let mut with_limit = 0;
    for (number, trees) in files(program.release())?.iter().enumerate() {
        let mut plans = Vec::new();
        for Exported { name, tree, known, options, .. } in trees {
            let plan = rules(Library::OpenMpi, known, tree, options);
            plans.push(plan.map_err(|fault| format!("{name}: {fault}"))?);
        }
        let file = write(&plans, None).map_err(|problem| problem.to_string())?;
        let settings = written(folder, &format!("{number}.conf"), &file)?;
        for ranks in [3_u64, 8] {
            let mut calls = Vec::new();
            let mut expected = Vec::new();
            for exported in trees {
                for size in sizes(exported, ranks) {
                    let total = if exported.basis() == Basis::Total { size * ranks } else { size };
                    let (id, fan_out, segment) = exported.expected(ranks, total);
                    let choice = match exported.known.algorithm(id) {
                        Some(algorithm) => Choice {
                            algorithm: algorithm.name,
                            segment_size: Some(segment),
                            fan_out: Some(fan_out).filter(|children| *children > 0),
                            requests: exported.requests(ranks, total),
                        },
                        None => match by_hand(exported.known, ranks, size) {
                            Some(choice) => choice,
                            None => continue,
                        },
                    };
                    calls.push((exported.known.name, size));
                    with_limit += u64::from(choice.requests.is_some());
                    expected.push(observed(exported.known, &choice));
                }
            }
            let mut command = mpirun(program, (ranks, nodes), &settings);
            compare(program, &mut command, ranks, (&calls, &expected), &mut counts)
                .map_err(|fault| format!("{fault} under the file {}", kept(&file.text)))?;
        }
    }
    Ok(Obeyed { calls: counts, limited: with_limit })
}

/// Checks that the library obeys the same files on two nodes with several ranks each, and that without settings the component HAN serves
/// those collectives there of which users are told so. Returns a summary.
fn on_two_nodes(program: &Program, nodes: &Nodes, folder: &Path) -> Result<String, String> {
    let by_file = exported_rules(program, nodes, folder)?;
    let ranks = 8;
    let calls: Vec<Called> = COLLECTIVES
        .iter()
        .flat_map(|known| [64, 4096, 100_000].map(|size| (known, size)))
        .filter(|(known, _)| known.unit != SizeUnit::Nothing || known.name == "barrier")
        .map(|(known, size)| (known.name, size))
        .collect();
    let seen = program.run(&mut mpirun(program, (ranks, nodes), ""), &calls)?;
    let mut served: BTreeSet<&str> = BTreeSet::new();
    for ((name, size), seen) in calls.iter().zip(&seen) {
        let known = Library::OpenMpi.collective(name).ok_or("it is one of the catalogue's")?;
        let Some(choice) = by_hand(known, ranks, *size) else { continue };
        let expected = observed(known, &choice);
        if seen.iter().any(|seen| *seen != expected) {
            served.insert(name);
        }
    }
    let told: BTreeSet<&str> =
        if program.release() < Release::new(5, 0) { BTreeSet::new() } else { open_mpi::HAN.into() };
    if served != told {
        return Err(format!("without settings, HAN serves {served:?} on two nodes, not {told:?}"));
    }
    let by_file = obeyed(&by_file);
    if served.is_empty() {
        return Ok(format!("with two nodes of several ranks each, in {by_file}"));
    }
    let served: Vec<&str> = served.into_iter().collect();
    let [routed, left] = han::routes(program, nodes, folder)?;
    Ok(format!(
        "with two nodes of several ranks each, in {by_file}; without settings HAN serves {} there, and with a file for HAN {routed} \
         calls ran the algorithm of the rules, and {left} what HAN runs without any file",
        served.join(", ")
    ))
}

/// Checks that files with algorithms that the release lacks are accepted and fail in the call. Returns how many did.
fn lacked_rules(program: &Program, folder: &Path) -> Result<u64, String> {
    let mut failed = 0;
    for known in COLLECTIVES {
        for algorithm in known.algorithms.iter().filter(|algorithm| !algorithm.is_in(Some(program.release())))
        {
            let file = file_of_one(known, Method::new(algorithm.name))?;
            let found = check(file.text.as_bytes(), Some(program.release()));
            if !found.iter().any(|finding| finding.severity == Severity::Fails) {
                return Err(format!("the check of {} {} finds nothing", known.name, algorithm.name));
            }
            let settings = written(folder, &format!("{}.conf", algorithm.name), &file)?;
            match program.run(&mut mpirun(program, (4, &Nodes::One), &settings), &[(known.name, 64)]) {
                Err(fault) if fault.contains("MPI_ERR_ARG") => failed += 1,
                Err(fault) => return Err(format!("{} {}: {fault}", known.name, algorithm.name)),
                Ok(_) => return Err(format!("{} {} runs", known.name, algorithm.name)),
            }
        }
    }
    Ok(failed)
}

/// Checks that an algorithm with a fan-out runs with the same one when it is forced as in a job script and under a file that is written
/// for a method without one. Returns the number of algorithms.
fn forced_chains(program: &Program, folder: &Path) -> Result<u64, String> {
    let planned = LIBRARIES.iter().find(|planned| planned.library == Library::OpenMpi);
    let planned = planned.ok_or("no job script measures Open MPI")?;
    let mut compared = 0;
    for known in COLLECTIVES {
        for algorithm in known.algorithms.iter().filter(|algorithm| algorithm.fan_out.is_some()) {
            let file = file_of_one(known, Method::new(algorithm.name))?;
            let deployed = written(folder, "chains.conf", &file)?;
            let variables = (planned.force)(known.name, algorithm, 0);
            let variables = planned.switches.iter().map(|switch| (*switch).to_owned()).chain(variables);
            let forced: Vec<String> = variables.map(|variable| format!("export {variable}")).collect();
            let run = |settings: &str| {
                program.run(&mut mpirun(program, (8, &Nodes::One), settings), &[(known.name, 1 << 16)])
            };
            let (forced, deployed) = (run(&forced.join("\n"))?, run(&deployed)?);
            if forced != deployed {
                return Err(format!(
                    "forced, {forced:?} ran, and under the file {}, {deployed:?}",
                    file.text
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// Checks that ranks run an algorithm with the same limit of requests, and are told it, when it is forced as in a job script and under a
/// file. Returns the number of algorithms, none for a release whose rules have no limits.
fn forced_limits(program: &Program, folder: &Path) -> Result<u64, String> {
    let planned = LIBRARIES.iter().find(|planned| planned.library == Library::OpenMpi);
    let planned = planned.ok_or("no job script measures Open MPI")?;
    let mut compared = 0;
    for known in COLLECTIVES.iter().filter(|_| program.release() >= REQUESTS_SINCE) {
        let limits = |algorithm: &&Algorithm| {
            algorithm.limits_requests(true) && algorithm.is_in(Some(program.release()))
        };
        for algorithm in known.algorithms.iter().filter(limits) {
            let segment = if algorithm.limits_requests(false) { 0 } else { 1 << 10 };
            let method = Method::new(format!("{}:reqs={LIMIT}", algorithm.name));
            let file = file_of_one(
                known,
                Method { segment_size: Some(segment).filter(|size| *size > 0), ..method },
            )?;
            let deployed = written(folder, "limits.conf", &file)?;
            let variables = (planned.force)(known.name, algorithm, segment).into_iter();
            let variables = variables.chain((planned.limit)(known.name, LIMIT));
            let variables = planned.switches.iter().map(|switch| (*switch).to_owned()).chain(variables);
            let forced: Vec<String> = variables.map(|variable| format!("export {variable}")).collect();
            let choice = Choice {
                algorithm: algorithm.name,
                segment_size: Some(segment),
                fan_out: algorithm.fan_out,
                requests: Some(LIMIT),
            };
            let expected = observed(known, &choice);
            for settings in [forced.join("\n"), deployed] {
                let seen = program
                    .run(&mut mpirun(program, (8, &Nodes::One), &settings), &[(known.name, 1 << 16)])?;
                if seen.iter().flatten().any(|seen| *seen != expected) {
                    return Err(format!("{seen:?} ran, not {expected}, under {settings} and {}", file.text));
                }
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// The most requests of algorithms that are forced with a limit.
const LIMIT: u64 = 3;

/// Returns a file that chooses one method everywhere.
fn file_of_one(known: &TunedCollective, method: Method) -> Result<Written, String> {
    let tree = maps::always(known, method)?;
    let plan = rules(Library::OpenMpi, known, &tree, &maps::for_all_sizes())?;
    write(&[plan], None).map_err(|problem| problem.to_string())
}

/// Keeps a file for inspection after the folder has been removed.
fn kept(text: &str) -> String {
    let path = target().join("engine-disobeys.conf");
    let _ = fs::write(&path, text);
    path.display().to_string()
}

/// Returns trees of all collectives, one of each per file: as many files as the maximum number of trees of a collective.
fn files(release: Release) -> Result<Vec<Vec<Exported>>, String> {
    let (repository, _) = maps::of_repository(release)?;
    let examples = repository.into_iter().filter(|exported| exported.name.starts_with("examples/maps/"));
    let mut trees: BTreeMap<Option<u8>, Vec<Exported>> = BTreeMap::new();
    for exported in examples.chain(maps::random(release)?) {
        // A program knows the bytes of a block or of all of them, not those of "the buffer", where ranks have several.
        if natural_basis_or_buffer(exported.known.name) == Basis::Buffer || exported.basis() != Basis::Buffer
        {
            trees.entry(exported.known.number).or_default().push(exported);
        }
    }
    let mut files = Vec::new();
    loop {
        let file: Vec<Exported> = trees.values_mut().filter_map(Vec::pop).collect();
        if file.is_empty() {
            return Ok(files);
        }
        files.push(file);
    }
}

/// Returns the sizes of buffers or blocks on both sides of every threshold.
fn sizes(exported: &Exported, ranks: u64) -> BTreeSet<u64> {
    let tree = &exported.tree;
    let Some(axis) = tree.domain().find_axis("msg_size") else { return BTreeSet::from([1, 64, 4096]) };
    let each = if exported.basis() == Basis::Total { ranks } else { 1 };
    let thresholds =
        tree.root().cuts().filter(|(cut, _)| *cut == axis).map(|(axis, at)| tree.threshold(axis, at));
    let sizes = thresholds.flat_map(|size| [(size - 1) / each, size.div_ceil(each)]).chain([64]);
    sizes.filter(|size| (1..=MAX_BYTES / ranks).contains(size)).collect()
}

/// Checks that the library without a file follows the fixed rules written here.
fn fixed_rules(program: &Program) -> Result<Counts, String> {
    let powers = (0..=20).map(|exponent| 1_u64 << exponent);
    let powers: BTreeSet<u64> = powers.flat_map(|size| [size - 1, size]).filter(|size| *size > 0).collect();
    let mut counts = Counts::new();
    for ranks in [2, 3, 4, 7, 8, 15, 16, 20] {
        let mut calls = Vec::new();
        let mut expected = Vec::new();
        for known in COLLECTIVES {
            let is_buffer = natural_basis_or_buffer(known.name) == Basis::Buffer;
            let is_asked = known.unit != SizeUnit::Nothing;
            for &size in &powers {
                let Some(choice) = by_hand(known, ranks, size) else { continue };
                if size == 1 || (is_asked && (is_buffer || size * ranks <= MAX_BYTES)) {
                    calls.push((known.name, size));
                    expected.push(observed(known, &choice));
                }
            }
        }
        compare(
            program,
            &mut mpirun(program, (ranks, &Nodes::One), ""),
            ranks,
            (&calls, &expected),
            &mut counts,
        )
        .map_err(|fault| format!("{fault} without a file"))?;
    }
    Ok(counts)
}

/// Returns the choice of the fixed rules, or `None` if there are none for the collective.
fn by_hand(known: &TunedCollective, ranks: u64, size: u64) -> Option<Choice> {
    let rule = RuleSet::find("open-mpi-4.1")?.rule(known.name)?;
    Some(rule(&Call::new(ranks, size, basis(known.name))))
}

/// Runs the calls, and reports the first one in which a rank does not do what is expected.
fn compare(
    program: &Program,
    command: &mut Command,
    ranks: u64,
    (calls, expected): (&[Called], &[String]),
    counts: &mut Counts,
) -> Result<(), String> {
    let seen = program.run(command, calls)?;
    for (((collective, size), expected), seen) in calls.iter().zip(expected).zip(seen) {
        if let Some(rank) = seen.iter().position(|seen| seen != expected) {
            let ran = &seen[rank];
            return Err(format!(
                "{collective} of {size} bytes on {ranks} ranks: rank {rank} ran {ran}, not {expected},"
            ));
        }
        *counts.entry(collective).or_default() += 1;
    }
    Ok(())
}
