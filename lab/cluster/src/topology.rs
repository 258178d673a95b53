//! The nodes of a cluster, their ports and their sites.

use std::ffi::OsString;

use clap::Args;

use crate::units::{Duration, Rate};

/// The maximum number of nodes: the last octet of an address counts them, and the head has one too.
const MAX_NODES: u8 = 64;

/// The name of the node on which commands run.
pub(crate) const HEAD: &str = "qthead";

/// The nodes and what connects them.
#[derive(Args, Clone, Debug)]
pub(crate) struct Topology {
    /// Number of nodes, besides the head
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_NODES)))]
    pub(crate) nodes: u8,

    /// Ports of each node, each in a network of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) ports: u8,

    /// Rate of each port, in each direction
    #[arg(long, default_value = "20Mbit")]
    pub(crate) rate: Rate,

    /// Time of a frame between two ports
    #[arg(long, default_value = "500us")]
    pub(crate) latency: Duration,

    /// Number of ranks that `mpirun` starts on each node
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) ranks_per_node: u8,

    /// Number of sites among which the nodes are divided: 1, or 2 that share a link
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) sites: u8,

    /// Rate of the link between the sites, in each direction
    #[arg(long, default_value = "4Mbit")]
    pub(crate) link: Rate,

    /// Time of a frame on the link, besides that between two ports
    #[arg(long, default_value = "5ms")]
    pub(crate) link_latency: Duration,
}

impl Default for Topology {
    /// Returns eight nodes on ports of 20 Mbit/s with a latency of 500 µs. The slower the network, the less other programs disturb.
    fn default() -> Self {
        #[derive(clap::Parser)]
        struct Options {
            #[command(flatten)]
            topology: Topology,
        }
        <Options as clap::Parser>::parse_from(["cluster"]).topology
    }
}

impl Topology {
    /// Returns the names of the nodes, and the head's last.
    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.nodes).map(|node| format!("qt{node}")).chain([HEAD.to_owned()]).collect()
    }

    /// Returns the last octet of the address of a node in the list of names.
    pub(crate) fn octet(&self, index: usize) -> u8 {
        if index == usize::from(self.nodes) { 254 } else { index as u8 + 1 }
    }

    /// Returns the number of a node's port among all ports, which are those of the nodes in the order of their names.
    pub(crate) fn port(&self, index: usize, port: u8) -> usize {
        index * usize::from(self.ports) + usize::from(port)
    }

    /// Returns the number of all ports, with those of the head.
    pub(crate) fn all_ports(&self) -> usize {
        self.port(usize::from(self.nodes) + 1, 0)
    }

    /// Returns whether a port is the head's.
    pub(crate) fn is_head(&self, port: usize) -> bool {
        port >= self.port(usize::from(self.nodes), 0)
    }

    /// Returns the site of a port. The nodes of a site have consecutive numbers.
    pub(crate) fn site(&self, port: usize) -> u8 {
        (port / usize::from(self.ports) * usize::from(self.sites) / usize::from(self.nodes)) as u8
    }

    /// Returns the options that make the same topology.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let options = [
            ("--nodes", self.nodes.to_string()),
            ("--ports", self.ports.to_string()),
            ("--rate", self.rate.to_string()),
            ("--latency", self.latency.to_string()),
            ("--ranks-per-node", self.ranks_per_node.to_string()),
            ("--sites", self.sites.to_string()),
            ("--link", self.link.to_string()),
            ("--link-latency", self.link_latency.to_string()),
        ];
        options.into_iter().flat_map(|(name, value)| [name.into(), value.into()]).collect()
    }
}
