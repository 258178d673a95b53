//! The time and memory of predictions on large grids.

use std::io::Read;
use std::process::{Command, Stdio};

use comfy_table::Table;
use wait4::Wait4;

use super::{seconds, table};
use xtask::run::{cargo, target};

/// Arguments of the example `grid` of `qtdec-mpi-predict`, with a description and the goal.
const GRIDS: [(&[&str], &str, &str); 5] = [
    (&["grig"], "broadcasts on Grig, simulated", "1 s, 100 MB"),
    (&["messages", "grig"], "their schedules, only built", ""),
    (&["frodo"], "broadcasts on Frodo, simulated", "10 s, 100 MB"),
    (&["messages", "frodo"], "their schedules, only built", ""),
    (&["formulas"], "64 × 64 cells, 12 algorithms, 8 segment sizes, by formulas", "0.5 s"),
];

/// Returns the processor time, which depends less on other work of the machine than the elapsed time.
pub(super) fn grids() -> Result<Table, String> {
    let mut table = table(&["times without measuring", "count", "processor time", "memory", "goal"]);
    super::timed(&mut cargo([
        "build",
        "--quiet",
        "--release",
        "--package",
        "qtdec-mpi-predict",
        "--example",
        "grid",
    ]))?;
    for (arguments, name, goal) in GRIDS {
        let mut command = Command::new(target().join("release/examples/grid"));
        let mut child = command
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        let mut reported = String::new();
        let output = child.stdout.take().ok_or("a pipe")?.read_to_string(&mut reported);
        let used = output.and_then(|_| child.wait4()).map_err(|error| error.to_string())?;
        if !used.status.success() {
            return Err(format!("{command:?} failed"));
        }
        let (count, _) =
            reported.split_once(" in ").ok_or_else(|| format!("{command:?} printed {reported}"))?;
        let time = used.rusage.utime + used.rusage.stime;
        let memory = format!("{} MB", used.rusage.maxrss >> 20);
        table.add_row([name, count, &seconds(time), &memory, goal]);
    }
    Ok(table)
}
