//! What learning costs where the default is the best: a program of small calls.

use super::super::table::table;
use super::program::{Program, files, gain};
use std::fs;

/// The number of pairs of runs, each of which begins with nothing.
const PAIRS: u8 = 20;
const ARGUMENTS: [&str; 2] = ["small", "6000"];

/// Measures pairs of runs, and counts those in which another method took over.
pub(super) fn measure(program: &Program<'_>) -> Result<String, String> {
    let mut ratios = Vec::new();
    let mut changed = 0;
    for pair in 1..=PAIRS {
        let folder = format!("best-{pair}");
        ratios.push(program.pair(pair, &program.settings(&folder, "QTDEC_LEARN")?, &ARGUMENTS)?);
        let mut has_changed = false;
        for path in files(&program.chain.folder.join(folder))? {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            for line in text.lines().filter(|line| line.starts_with("# taken: ")) {
                println!("{line}");
                has_changed = true;
            }
        }
        changed += u32::from(has_changed);
    }
    let [mean, interval] = gain(&ratios)?;
    let mut table = table(
        ["where the default is best", "pairs of runs", "gain over the default, %", "95 %", "takeovers"],
        1,
    );
    table.add_row(["first run".to_owned(), PAIRS.to_string(), mean, interval, changed.to_string()]);
    Ok(table.to_string())
}
