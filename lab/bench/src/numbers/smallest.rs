//! The cost of finding the smallest trees of completely random maps, the worst case.

use std::fs;
use std::path::Path;
use std::process::Command;

use comfy_table::Table;
use qtdec_testkit::maps::{Pattern, Plan};

use super::{seconds, table, timed};
use xtask::run::{cargo, target};

pub(super) fn smallest(folder: &Path) -> Result<Table, String> {
    let mut table = table(&["the smallest tree, by the command", "time", "memory", "goal"]);
    timed(&mut cargo(["build", "--quiet", "--release", "--package", "qtdec-cli"]))?;
    let (map, tree) = (folder.join("random.json"), folder.join("random-tree.json"));
    for (side, goal) in [(64, "0.4 s"), (128, "256 MB")] {
        let plan = Plan { methods: 4, ..Plan::new(&[side, side], Pattern::Noise, 1) };
        fs::write(&map, plan.map().to_json()).map_err(|error| error.to_string())?;
        let mut command = Command::new(target().join("release/qtdec"));
        command.args(["encode", "--encoding", "optimal"]).arg(&map).arg("--output").arg(&tree);
        let (time, memory) = timed(&mut command)?;
        let name = format!("{side} × {side} random");
        table.add_row([name, seconds(time), format!("{} MB", memory >> 20), goal.to_owned()]);
    }
    Ok(table)
}
