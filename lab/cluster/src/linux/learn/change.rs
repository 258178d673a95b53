//! How soon a decision changes after the network does.

use super::super::environment::RATE;
use super::super::table::table;
use super::program::Program;

const RUNS: u8 = 5;

/// The broadcasts of a run, and the one before which the rate of all ports changes.
const BROADCASTS: u64 = 1500;
const CHANGE: u64 = 500;

/// The rates before and after it.
const RATES: [&str; 2] = ["10Gbit", "20Mbit"];

/// Measures runs that begin with nothing.
pub(super) fn measure(program: &Program<'_>) -> Result<String, String> {
    let mut table = table(["run", "before the change", "after it", "calls until then"], 3);
    for run in 1..=RUNS {
        let settings =
            program.settings(&format!("change-{run}"), &[("QTDEC_LEARN", &format!("change-{run}"))])?;
        set_rate(RATES[0])?;
        let [broadcasts, change] = [BROADCASTS, CHANGE].map(|number| number.to_string());
        let ran = program.run(&settings, &["65536", &broadcasts, RATES[1], RATE, &change])?;
        let takeovers: Vec<(&str, u64)> = ran.said.lines().filter_map(takeover).collect();
        println!("{takeovers:?}");
        let (before, after) = takeovers.split_at(takeovers.partition_point(|(_, calls)| *calls <= CHANGE));
        let before = before.last().map_or("default", |(method, _)| method);
        let (method, calls) =
            after.first().ok_or_else(|| format!("run {run}: {before} stays after the change"))?;
        table.add_row([
            run.to_string(),
            before.to_owned(),
            (*method).to_owned(),
            (calls - CHANGE).to_string(),
        ]);
    }
    set_rate(RATES[1])?;
    Ok(table.to_string())
}

fn set_rate(rate: &str) -> Result<(), String> {
    std::fs::write(RATE, format!("{rate}\n")).map_err(|error| format!("{RATE}: {error}"))
}

/// Returns the method that takes over as a line says it, and the number of calls before.
fn takeover(line: &str) -> Option<(&str, u64)> {
    let (before, after) = line.split_once("bcast of ")?.1.split_once(" takes over from ")?;
    let calls = after.split_once(" after ")?.1.strip_suffix(" calls")?;
    Some((before.rsplit(' ').next()?, calls.parse().ok()?))
}
