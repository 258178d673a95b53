//! The nodes: network namespaces with an interface, and settings of TCP that keep times steady.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use super::kernel::enter_network;
use crate::topology::Topology;

/// The network of all nodes.
pub(crate) const NETWORK: &str = "10.77.0";

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
///
/// # Errors
///
/// Returns what `ip` said.
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
///
/// # Errors
///
/// Returns the node and what failed.
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
    let mut batch = format!(
        "link set lo up\n\
         link set eth0 address {} txqueuelen 10000\n\
         link set eth0 up\n\
         addr add {NETWORK}.{octet}/24 dev eth0\n\
         route replace {NETWORK}.0/24 dev eth0 src {NETWORK}.{octet} initcwnd {WINDOW} initrwnd {WINDOW}\n",
        address(octet)
    );
    // Neighbours that are known need not be asked for.
    for other in 0..=usize::from(topology.nodes) {
        let octet = topology.octet(other);
        if other != index {
            let (address, network) = (address(octet), NETWORK);
            batch += "neigh replace ";
            batch += &[network, ".", &octet.to_string(), " lladdr ", &address].concat();
            batch += " dev eth0 nud permanent\n";
        }
    }
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
fn address(octet: u8) -> String {
    format!("02:77:00:00:00:{octet:02x}")
}
