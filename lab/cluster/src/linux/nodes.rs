//! The nodes: network namespaces with interfaces, and settings of TCP that keep times steady.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use super::kernel::enter_network;
use crate::topology::Topology;

/// Returns the network of a port of all nodes, without the last octet. Commands use that of the first one.
pub(crate) fn network(port: u8) -> String {
    format!("10.77.{port}")
}

/// The settings of TCP in each node: no slow start after a pause, nothing remembered of earlier connections, and buffers that
/// hold a whole message.
const SETTINGS: [(&str, &str); 7] = [
    ("ipv6/conf/all/disable_ipv6", "1"),
    ("ipv6/conf/default/disable_ipv6", "1"),
    ("ipv4/tcp_congestion_control", "reno"),
    ("ipv4/tcp_slow_start_after_idle", "0"),
    ("ipv4/tcp_no_metrics_save", "1"),
    ("ipv4/tcp_rmem", "4096 1048576 8388608"),
    ("ipv4/tcp_wmem", "4096 1048576 4194304"),
];

/// The congestion window that a connection begins with, in packets.
const WINDOW: u32 = 64;

/// Creates the namespaces, without interfaces.
pub(crate) fn create(topology: &Topology) -> Result<(), String> {
    for name in topology.names() {
        let output = Command::new("ip").args(["netns", "add", &name]).output();
        let output = output.map_err(|error| format!("ip: {error}; install iproute2"))?;
        if !output.status.success() {
            return Err(format!("ip netns add {name}: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
    }
    Ok(())
}

/// Configures the interfaces, which the switch created.
pub(crate) fn configure(topology: &Topology) -> Result<(), String> {
    let names = topology.names();
    for (index, name) in names.iter().enumerate() {
        // Settings are those of the network of the thread that writes them.
        let done = thread::scope(|scope| scope.spawn(|| configure_one(topology, index, name)).join());
        done.unwrap_or_else(|_| Err("the thread ended early".to_owned()))
            .map_err(|reason| format!("node {name}: {reason}"))?;
    }
    Ok(())
}

fn configure_one(topology: &Topology, index: usize, name: &str) -> Result<(), String> {
    enter_network(name).map_err(|error| error.to_string())?;
    for (setting, value) in SETTINGS {
        match fs::write(format!("/proc/sys/net/{setting}"), value) {
            Err(error) if setting.starts_with("ipv4") => return Err(format!("{setting}: {error}")),
            _ => {} // A kernel without IPv6 needs none of its settings.
        }
    }
    let octet = topology.octet(index);
    let mut batch = vec!["link set lo up".to_owned()];
    for port in 0..topology.ports {
        let (network, own) = (network(port), address(port, octet));
        batch.push(format!("link set eth{port} address {own} txqueuelen 10000"));
        batch.push(format!("link set eth{port} up"));
        batch.push(format!("addr add {network}.{octet}/24 dev eth{port}"));
        let windows = format!("initcwnd {WINDOW} initrwnd {WINDOW}");
        batch.push(format!("route replace {network}.0/24 dev eth{port} src {network}.{octet} {windows}"));
        // Neighbours that are known need not be asked for.
        for other in (0..=usize::from(topology.nodes)).filter(|other| *other != index) {
            let octet = topology.octet(other);
            let other = address(port, octet);
            batch.push(format!("neigh replace {network}.{octet} lladdr {other} dev eth{port} nud permanent"));
        }
    }
    let batch = batch.join("\n") + "\n";
    let mut ip = Command::new("ip");
    ip.args(["-batch", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut ip = ip.spawn().map_err(|error| format!("ip: {error}"))?;
    if let Some(mut stdin) = ip.stdin.take() {
        stdin.write_all(batch.as_bytes()).map_err(|error| format!("ip: {error}"))?;
    }
    let output = ip.wait_with_output().map_err(|error| format!("ip: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Returns the address of an interface, by which the switch finds the node.
fn address(port: u8, octet: u8) -> String {
    format!("02:77:00:00:{port:02x}:{octet:02x}")
}
