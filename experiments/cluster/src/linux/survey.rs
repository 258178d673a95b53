//! Simulations compared with the library's algorithms for several collectives, on sixteen nodes.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use xtask::outcome::{Outcome, held};
use xtask::packages::Machine;
use xtask::run::target;

use super::chain::Chain;
use super::library::Library;
use super::outside;
use super::prepared::{prepare, write};
use super::results::{ERRORS, errors};
use crate::topology::Topology;

/// The options of the survey.
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    machine: Machine,

    /// Measure this release of Open MPI
    #[arg(long, default_value = "4.1")]
    release: Library,

    /// Write the table to the guide
    #[arg(long)]
    write: bool,
}

/// What runs on the head node.
#[derive(Args, Clone, Debug)]
pub(crate) struct Inside {
    folder: PathBuf,
    mpirun: PathBuf,
    release: Library,
}

const NODES: u8 = 16;

const COMM_SIZES: [u32; 4] = [2, 4, 8, 16];
const MSG_SIZES: [u64; 3] = [1 << 10, 1 << 13, 1 << 16];

/// Collectives with algorithms of the library that we have as schedules.
const COLLECTIVES: [(&str, &str); 5] = [
    ("bcast", "basic_linear,pipeline/8K,binary_tree/8K,split_binary_tree/8K,binomial"),
    ("reduce", "linear,pipeline/8K,binary/8K,binomial"),
    ("allreduce", "recursive_doubling,ring,rabenseifner"),
    ("allgather", "ring,bruck,recursive_doubling,neighbor"),
    ("alltoall", "pairwise,modified_bruck"),
];

const RESULTS: &str = "survey.md";

/// Prepares the programs, and runs the survey on a cluster.
///
/// # Errors
///
/// Fails if a program cannot be built, or a launch fails.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let folder = target().join("cluster-survey");
    let mpirun = match prepare(&folder, arguments.release, arguments.machine)? {
        Ok(mpirun) => mpirun,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let command: [OsString; 5] = [
        program.into(),
        "survey-inside".into(),
        folder.clone().into(),
        mpirun.into(),
        arguments.release.release().into(),
    ];
    if outside::run(&Topology { nodes: NODES, ..Topology::default() }, &command)? != ExitCode::SUCCESS {
        return Err("the survey has no result".to_owned());
    }
    if arguments.write {
        write("survey", &folder.join(RESULTS))?;
    }
    Ok(held(()))
}

/// Runs the survey, on the head node.
///
/// # Errors
///
/// Returns the first step that failed.
pub(crate) fn inside(inside: &Inside) -> Result<ExitCode, String> {
    let chain = Chain {
        folder: inside.folder.clone(),
        mpirun: inside.mpirun.clone(),
        release: inside.release.release(),
    };
    chain.bench(2, "", &["--network", "-o", "network.json"])?;
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([&["collective", "methods", "cells"][..], &ERRORS].concat());
    for (collective, methods) in COLLECTIVES {
        let file = format!("{collective}.csv");
        let (ranks, bytes) = (listed(&COMM_SIZES), listed(&MSG_SIZES));
        let mut arguments = vec!["--clock", "shared", "--root", "0", "--launch", "1", "--repeats", "5"];
        arguments.extend(["--collective", collective, "--methods", methods, "--output", &file]);
        arguments.extend(["--comm-sizes", &ranks, "--msg-sizes", &bytes]);
        chain.bench(u32::from(NODES), "", &arguments)?;
        let found = chain.predicted(collective, &[&file])?;
        let mut row = vec![collective.to_owned(), methods.split(',').count().to_string()];
        row.push((COMM_SIZES.len() * MSG_SIZES.len()).to_string());
        row.extend(errors(&found));
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    let path = inside.folder.join(RESULTS);
    fs::write(&path, format!("{table}\n")).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn listed<T: ToString>(sizes: &[T]) -> String {
    sizes.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}
