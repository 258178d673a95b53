//! What Open MPI calls for a broadcast, as the spy of `cargo xtask engines` sees it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::run::root;

use super::chain::Chain;
use super::programs::succeed;

/// A program of collectives, and the library that notes which algorithm each of them calls first.
pub(super) struct Spied<'c> {
    chain: &'c Chain,
    program: PathBuf,
    spy: PathBuf,
}

impl<'c> Spied<'c> {
    /// Compiles both, with the compiler beside the command that starts ranks.
    pub(super) fn new(chain: &'c Chain) -> Result<Self, String> {
        let sources = root().join("lab/engines/src/engines");
        let [program, spy] = ["spied", "spy.so"].map(|name| chain.folder.join(name));
        let compile = |compiler: &Path, options: &[&str], output: &Path, source: &str| {
            let mut command = Command::new(compiler);
            command.args(options).arg("-o").arg(output).arg(sources.join(source)).arg("-ldl");
            succeed(&mut command)
        };
        compile(&chain.mpirun.with_file_name("mpicc"), &["-O2"], &program, "collectives.c")?;
        compile(Path::new("cc"), &["-O1", "-shared", "-fPIC"], &spy, "open_mpi_spy.c")?;
        Ok(Self { chain, program, spy })
    }

    /// Returns what each rank calls first for broadcasts of these sizes, under the settings of a script, if one is named. The program
    /// checks that every byte arrives.
    pub(super) fn broadcasts(
        &self,
        ranks: u32,
        settings: &str,
        msg_sizes: &[u64],
    ) -> Result<Vec<Vec<String>>, String> {
        // HAN makes its communicators in the first call that it serves.
        let sizes = [msg_sizes, msg_sizes].concat();
        let mut launcher = self.chain.launcher(ranks, settings);
        launcher.arg(&self.program).args(sizes.iter().map(|bytes| format!("bcast:{bytes}")));
        // The program that takes the place of ssh passes it on.
        launcher.env("LD_PRELOAD", &self.spy).stderr(Stdio::inherit());
        let output = launcher.output().map_err(|error| format!("{launcher:?}: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let calls = |line: &str| Some(line.split_once(": ")?.1.split(';').map(str::to_owned).collect());
        let seen: Vec<Vec<String>> = text.lines().filter_map(calls).collect();
        let is_whole = seen.len() == sizes.len() && seen.iter().all(|call| call.len() == ranks as usize);
        if output.status.success() && is_whole {
            Ok(seen[msg_sizes.len()..].to_vec())
        } else {
            Err(format!("{launcher:?}: {}\n{text}", output.status))
        }
    }
}

/// Returns what the spy says of a broadcast by an algorithm with a segment size.
pub(super) fn called((name, segment): &(String, String)) -> String {
    // Unless a rule says otherwise, Open MPI makes four chains.
    let chains = if name == "chain" { " of 4" } else { "" };
    format!("bcast {name}/{}{chains}", if segment.is_empty() { "0" } else { segment })
}
