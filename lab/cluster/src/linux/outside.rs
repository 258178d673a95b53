//! The process outside of the cluster: it makes the namespaces, and ends everything in them.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitCode};

use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::UnshareFlags;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::kernel::unshare;
use crate::topology::Topology;

/// Runs a command on a cluster, and returns its exit code, or 128 and the number of the signal that ended it.
pub(crate) fn run(topology: &Topology, command: &[OsString]) -> Result<ExitCode, String> {
    check()?;
    // Whoever started this program may be killed without a word to it.
    set_parent_process_death_signal(Some(Signal::TERM)).map_err(|error| error.to_string())?;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGCHLD]).map_err(|error| error.to_string())?;
    unshare(UnshareFlags::NEWPID | UnshareFlags::NEWNS | UnshareFlags::NEWIPC)
        .map_err(|error| format!("no namespaces can be made: {error}; run the cluster as root, and not in a container without privileges"))?;
    let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut first = Command::new(program);
    first.arg("inside").args(topology.arguments()).arg("--").args(command);
    let mut first = first.spawn().map_err(|error| format!("the first process: {error}"))?;
    for signal in &mut signals {
        if signal == SIGCHLD {
            if let Some(status) = first.try_wait().map_err(|error| error.to_string())? {
                let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
                return Ok(ExitCode::from(code as u8));
            }
        } else {
            end(&mut first)?;
            return Ok(ExitCode::from(128 + signal as u8));
        }
    }
    Err("no more signals".to_owned())
}

/// Kills the first process, and with it the kernel kills all others of its namespace.
fn end(first: &mut Child) -> Result<(), String> {
    first
        .kill()
        .and_then(|()| first.wait())
        .map(|_| ())
        .map_err(|error| format!("the first process: {error}"))
}

/// Checks what the machine lacks, all at once.
pub(crate) fn check() -> Result<(), String> {
    let mut lacks = Vec::new();
    if !rustix::process::geteuid().is_root() {
        lacks.push("root's rights, for network namespaces and interfaces: use sudo".to_owned());
    } else if let Err(error) = fs::File::options().read(true).write(true).open("/dev/net/tun") {
        lacks.push(format!(
            "/dev/net/tun ({error}): load the module `tun`, or pass the device to the container"
        ));
    }
    for (program, package) in [("ip", "iproute2"), ("cc", "gcc"), ("mount", "mount")] {
        if Command::new(program).arg("--version").output().is_err() {
            lacks.push(format!("{program}: install {package}"));
        }
    }
    if lacks.is_empty() { Ok(()) } else { Err(format!("this machine lacks\n  {}", lacks.join("\n  "))) }
}
