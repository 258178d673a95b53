//! Broadcasts, whose algorithms differ in the number of messages that the root sends.

use std::path::Path;

use qtdec_core::{Borders, DecisionMap, Document};
use qtdec_mpi_library::catalogue::Library;
use qtdec_mpi_library::tuning::{LibraryRules, RuleOptions, find_format};

use super::{Placement, mpirun, whole};
use crate::engines::deployed::encoded;
use crate::engines::observed::{Called, Program, written as write};

const MAP: &str = r#"{ "format": "qtdec-map/1", "collective": "bcast",
  "axes": [{ "name": "comm_size", "values": [2, 8] },
           { "name": "msg_size", "basis": "buffer", "values": [1, 1000, 30000, 200001] }],
  "methods": [{ "name": "binomial" }, { "name": "scatter_allgather_ring" }, { "name": "scatter_allgather" }],
  "cells": [[1, 0, 2, 1], [2, 1, 0, 2]] }"#;

/// Checks broadcasts at every threshold, and returns their number.
pub(super) fn count(program: &Program, folder: &Path) -> Result<u64, String> {
    let map = map()?;
    let tree = encoded(&map, Borders::Floor)?;
    let format = find_format("mpich").ok_or("there is no such form")?;
    let plan = LibraryRules::new(
        &tree,
        Library::Mpich,
        "bcast",
        format.unit("bcast"),
        &RuleOptions { extend: true, ..RuleOptions::default() },
    );
    let whole = whole(program.release())?;
    let written = format.write(&[plan.map_err(|problems| problems.to_string())?], Some(&whole));
    let file = written.map_err(|problems| problems.to_string())?;
    let settings = write(folder, "broadcasts.json", &file)?;
    let text = &file.text;

    let sizes = [1000_u64, 30_000, 200_001].into_iter().flat_map(|size| [size - 1, size, size + 1]);
    let calls: Vec<Called> = sizes.map(|size| ("bcast", size)).collect();
    let mut observed = 0;
    for ranks in [4_u64, 7, 8, 9] {
        let mut command = mpirun(program, (ranks, Placement::Alone), &settings);
        let seen = program.run(&mut command, &calls)?;
        for ((_, size), seen) in calls.iter().zip(seen) {
            let method = tree.decide(&[ranks, *size]).ok_or("the map has no gaps")?;
            let name = &*tree.domain().method(method).name;
            let Some(expected) = sends_of_root(name, ranks) else { continue };
            let sent = seen[0].split(' ').next().unwrap_or_default();
            if sent != expected.to_string() {
                return Err(format!(
                    "{size} bytes to {ranks} ranks: the root sends {sent} messages, not the {expected} of {name}\n{text}"
                ));
            }
            observed += 1;
        }
    }
    Ok(observed)
}

fn map() -> Result<DecisionMap, String> {
    match Document::from_json(MAP.as_bytes()) {
        Ok(Document::Map(map)) => Ok(map),
        Ok(_) => Err("it is a map".to_owned()),
        Err(problems) => Err(problems.to_string()),
    }
}

/// Returns the number of the root's messages. The binomial tree sends to each of the root's children. The others first scatter
/// in the same way, then pass blocks around a ring or, with a power of two of ranks, exchange more and more of them.
fn sends_of_root(name: &str, ranks: u64) -> Option<u32> {
    let children = ranks.next_power_of_two().ilog2();
    match name {
        "binomial" => Some(children),
        "scatter_allgather_ring" => Some(children + ranks as u32 - 1),
        _ => ranks.is_power_of_two().then_some(2 * children),
    }
}
