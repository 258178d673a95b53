//! The first process of the cluster: file systems of its own, the nodes, the switch, and then the command.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_bind, mount_change};
use rustix::process::{Signal, set_parent_process_death_signal};

use super::agent::may_be_urgent;
use super::environment::{AGENT, FOLDER, IDLE, MACHINES, SLOTS, variables};
use super::kernel::NAMESPACES;
use super::{nodes, switch};
use crate::topology::{HEAD, Topology};

/// The source of the library that lets idle ranks sleep.
const IDLE_SOURCE: &str = include_str!("../idle.c");

/// Runs the command on a new cluster.
pub(crate) fn run(topology: &Topology, command: &[OsString]) -> Result<ExitCode, String> {
    if !rustix::process::getpid().is_init() {
        return Err("this is not the first process of a cluster".to_owned());
    }
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
    own_file_systems().map_err(|error| format!("file systems of the cluster: {error}"))?;
    let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    write_files(topology, &program).map_err(|error| format!("{FOLDER}: {error}"))?;
    compile_idle()?;
    nodes::create(topology)?;
    start_switch(topology, &program)?;
    nodes::configure(topology)?;
    let mut on_head = Command::new(&program);
    on_head.args(["on", HEAD, "--"]).args(command).envs(variables(topology));
    let status = on_head.status().map_err(|error| format!("{}: {error}", program.display()))?;
    let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    Ok(ExitCode::from(code as u8))
}

/// Hides what the cluster must not touch: the names of other namespaces, shared memory, processes.
fn own_file_systems() -> std::io::Result<()> {
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let safe = MountFlags::NOSUID | MountFlags::NODEV;
    mount("proc", "/proc", "proc", safe | MountFlags::NOEXEC, None)?;
    mount("tmpfs", "/run", "tmpfs", safe, None)?;
    mount("tmpfs", "/dev/shm", "tmpfs", safe, None)?;
    fs::create_dir_all(NAMESPACES)?;
    fs::create_dir_all(FOLDER)
}

fn write_files(topology: &Topology, program: &Path) -> std::io::Result<()> {
    let names = topology.names();
    let mut hosts = "127.0.0.1 localhost\n".to_owned();
    let (mut slots, mut machines) = (String::new(), String::new());
    for (index, name) in names.iter().enumerate() {
        let _ = writeln!(hosts, "{}.{} {name}", nodes::network(0), topology.octet(index));
        if name != HEAD {
            let _ = writeln!(slots, "{name} slots={0} max_slots={0}", topology.ranks_per_node);
            let _ = writeln!(machines, "{name}:{}", topology.ranks_per_node);
        }
    }
    let hosts_file = format!("{FOLDER}/hosts");
    fs::write(&hosts_file, hosts)?;
    mount_bind(&hosts_file, "/etc/hosts")?;
    fs::write(SLOTS, slots)?;
    fs::write(MACHINES, machines)?;
    let quoted = program.display().to_string().replace('\'', "'\\''");
    fs::write(AGENT, format!("#!/bin/sh\nexec '{quoted}' agent \"$@\"\n"))?;
    fs::set_permissions(AGENT, fs::Permissions::from_mode(0o755))
}

fn compile_idle() -> Result<(), String> {
    let source = format!("{FOLDER}/idle.c");
    fs::write(&source, IDLE_SOURCE).map_err(|error| format!("{source}: {error}"))?;
    let options = ["-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", IDLE, &source, "-ldl"];
    let output = Command::new("cc").args(options).output().map_err(|error| format!("cc: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("cc {source}: {said}")) }
}

/// Starts the switch, before everything else that runs if that is permitted, and waits until the interfaces exist.
fn start_switch(topology: &Topology, program: &Path) -> Result<(), String> {
    let mut command = if may_be_urgent() {
        let mut command = Command::new("chrt");
        command.args(["--fifo", "2"]).arg(program);
        command
    } else {
        eprintln!("cluster: without real-time priorities, other programs disturb the times");
        Command::new(program)
    };
    command.arg("switch").args(topology.arguments()).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("the switch: {error}"))?;
    let mut line = String::new();
    if let Some(printed) = child.stdout.take() {
        BufReader::new(printed).read_line(&mut line).map_err(|error| format!("the switch: {error}"))?;
    }
    // The kernel ends the switch with the first process.
    if line.trim_end() == switch::READY { Ok(()) } else { Err("the switch did not start".to_owned()) }
}
