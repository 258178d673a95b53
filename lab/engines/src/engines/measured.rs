//! The benchmark `qtdec-bench`: it calls every collective, and all results are right.

use std::path::Path;
use std::process::Command;

use qtdec_mpi_run::abilities::collectives;
use xtask::files;

use super::installed::Installed;
use super::started::{launcher, succeed};

/// The sizes, of which some cannot be divided equally.
const SIZES: [&str; 4] = ["0", "4", "20", "4096"];

/// Measures every collective with the benchmark in a folder, on 3 and on 4 ranks.
pub(super) fn prove(
    installed: &Installed,
    folder: &Path,
    launch: impl Fn(&mut Command),
) -> Result<String, String> {
    let called = collectives();
    for collective in &called {
        let has_counts = collective.ends_with('v') || *collective == "reduce_scatter";
        let blocks = if has_counts { &["equal", "skewed:4"][..] } else { &["equal"] };
        for blocks in blocks {
            let mut command = launcher(&installed.mpirun, "");
            command.envs(installed.variable.clone()).current_dir(folder);
            launch(&mut command);
            command.args(["./qtdec-bench", "--collective", collective, "--blocks", blocks]);
            command.args(["--comm-sizes", "3,4", "--msg-sizes", &SIZES.join(","), "--repeats", "1"]);
            succeed(command.args(["--clock", "shared", "--output", "measured.csv"]))?;
            let text = files::read(folder.join("measured.csv"))?;
            let times = text.lines().filter(|line| line.starts_with(['3', '4'])).count();
            let expected = if *collective == "barrier" { 2 } else { 2 * SIZES.len() };
            if times != expected {
                return Err(format!(
                    "{collective} with blocks {blocks} has {times} times, not {expected}:\n{text}"
                ));
            }
        }
    }
    Ok(format!("{} collectives were measured with right results", called.len()))
}
