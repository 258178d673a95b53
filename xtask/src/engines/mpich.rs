//! MPICH under `mpirun`: does it load the selection file that is written here, and does it obey?

use std::fs;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap, Document};
use qtdec_tune::libraries::Library;
use qtdec_tune::tuning::{Plan, PlanOptions, find_format};

use super::observed::{Called, Program, launcher};
use crate::outcome::Outcome;
use crate::packages;
use crate::run::root;

/// Three algorithms that differ in how many messages the root sends.
const MAP: &str = r#"{ "format": "qtdec-map/1", "collective": "bcast",
  "axes": [{ "name": "comm_size", "values": [2, 8] },
           { "name": "msg_size", "basis": "buffer", "values": [1, 1000, 30000, 200001] }],
  "methods": [{ "name": "binomial" }, { "name": "scatter_allgather_ring" }, { "name": "scatter_allgather" }],
  "cells": [[1, 0, 2, 1], [2, 1, 0, 2]] }"#;

pub(super) fn prove() -> Result<Outcome, String> {
    for (command, package) in [("mpirun.mpich", "mpich"), ("mpicc.mpich", "libmpich-dev"), ("cc", "gcc")] {
        if let Err(reason) = packages::command(command, &[package]) {
            return Ok(Outcome::Skipped(reason));
        }
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("selection.json");
    let map = map()?;
    let tree =
        encode::encode(&map, &Quadtree::default(), Borders::Floor).map_err(|problem| problem.to_string())?;
    let format = find_format("mpich").ok_or("there is no such form")?;
    let plan = Plan::new(&tree, Library::Mpich, "bcast", format.unit("bcast"), &PlanOptions::default());
    let whole =
        fs::read(root().join("qt-tune/tests/commands.in/whole.json")).map_err(|error| error.to_string())?;
    let written = format.write(&[plan.map_err(|problems| problems.to_string())?], Some(&whole));
    let text = written.map_err(|problems| problems.to_string())?.text;
    fs::write(&file, &text).map_err(|error| error.to_string())?;

    let program = Program::build(folder.path(), "mpicc.mpich", "mpich_spy.c")?;
    let sizes: Vec<u64> =
        [1000, 30_000, 200_001].iter().flat_map(|size| [size - 1, *size, size + 1]).collect();
    let mut observed = 0;
    for ranks in [4_u64, 7, 8, 9] {
        let mut command = launcher("mpirun.mpich");
        command
            .args(["-np", &ranks.to_string()])
            .env("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", &file)
            .env("MPIR_CVAR_DEVICE_COLLECTIVES", "none")
            // Every message goes through UCX, where the spy is.
            .env("MPIR_CVAR_NOLOCAL", "1")
            .env("UCX_TLS", "self,sm,tcp")
            .env("LD_PRELOAD", program.spy());
        let calls: Vec<Called> = sizes.iter().map(|size| ("bcast", *size)).collect();
        let seen = program.run(&mut command, &calls)?;
        for (size, seen) in sizes.iter().zip(seen) {
            let seen = &seen[0];
            let method = tree.decide(&[ranks, *size]).ok_or("the map has no gaps")?;
            let name = &*tree.domain().method(method).name;
            let Some(expected) = sends_of_root(name, ranks) else { continue };
            if *seen != expected.to_string() {
                return Err(format!(
                    "{size} bytes to {ranks} ranks: the root sends {seen} messages, not the {expected} of {name}\n{text}"
                ));
            }
            observed += 1;
        }
    }
    Ok(Outcome::Held(format!(
        "{observed} broadcasts under mpirun, at every threshold, ran the algorithm of the file"
    )))
}

fn map() -> Result<DecisionMap, String> {
    match Document::from_json(MAP.as_bytes()) {
        Ok(Document::Map(map)) => Ok(map),
        Ok(Document::Tree(_)) => Err("it is a map".to_owned()),
        Err(problems) => Err(problems.to_string()),
    }
}

/// The binomial tree sends to each of the root's children. The others scatter so first, then pass blocks around a ring
/// or, with a power of two of ranks, exchange ever more of them.
fn sends_of_root(name: &str, ranks: u64) -> Option<u32> {
    let children = ranks.next_power_of_two().ilog2();
    match name {
        "binomial" => Some(children),
        "scatter_allgather_ring" => Some(children + ranks as u32 - 1),
        _ => ranks.is_power_of_two().then_some(2 * children),
    }
}
