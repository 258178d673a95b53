//! Programs on nodes: what a launcher of MPI starts there, in place of ssh.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::thread::UnshareFlags;

use super::environment::IDLE;
use super::kernel::{enter_network, unshare};

/// Runs a command line on a node, as `ssh [-x] NODE COMMAND…` does: a shell reads the words, joined by blanks. Ranks that wait
/// sleep.
pub(crate) fn line(line: &[String]) -> Result<ExitCode, String> {
    // Launchers pass options for ssh, none of which has a value.
    let mut words = line.iter().skip_while(|word| word.starts_with('-'));
    let node = words.next().ok_or("no node is named")?;
    let words: Vec<&str> = words.map(String::as_str).collect();
    enter(node)?;
    // Ranks come before everything else that runs on the machine, if that is permitted.
    let mut shell = if may_be_urgent() {
        let mut shell = Command::new("chrt");
        shell.args(["--rr", "1", "sh"]);
        shell
    } else {
        Command::new("sh")
    };
    shell.args(["-c", &words.join(" ")]);
    if std::path::Path::new(IDLE).exists() {
        // What programs are to have is preloaded after it.
        let others = std::env::var("LD_PRELOAD").unwrap_or_default();
        shell.env("LD_PRELOAD", [IDLE, " ", &others].concat().trim_end());
    }
    Err(format!("sh: {}", shell.exec()))
}

/// Runs a program on a node.
pub(crate) fn program(node: &str, command: &[OsString]) -> Result<ExitCode, String> {
    enter(node)?;
    let Some((program, arguments)) = command.split_first() else { return Ok(ExitCode::SUCCESS) };
    let error = Command::new(program).args(arguments).exec();
    Err(format!("{}: {error}", program.display()))
}

/// Returns whether processes may have a real-time priority.
pub(crate) fn may_be_urgent() -> bool {
    Command::new("chrt").args(["--rr", "1", "true"]).output().is_ok_and(|output| output.status.success())
}

fn enter(node: &str) -> Result<(), String> {
    let entered = enter_network(node).and_then(|()| unshare(UnshareFlags::NEWUTS));
    let named = entered.and_then(|()| rustix::system::sethostname(node.as_bytes()).map_err(Into::into));
    named.map_err(|error| format!("node {node}: {error}"))
}
