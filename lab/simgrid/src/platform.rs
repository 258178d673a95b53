//! Networks as SimGrid's platforms.

use std::fmt::Write;

use qtdec_mpi_predict::network::{Level, Network, Overheads, ReceivePort};

/// The network model, and options that restrict standard error to errors.
const OPTIONS: [&str; 5] = [
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:no",
    "--cfg=network/TCP-gamma:1e12",
    "--cfg=surf/precision:1e-9",
    "--log=root.thres:error",
];

/// A network in SimGrid's terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// The text of the platform file: hosts `n0`, `n1`, …, each with a link to a switch in each direction.
    pub xml: String,
    /// The command-line options for SimGrid.
    pub options: Vec<String>,
}

impl Platform {
    /// Returns the platform of a network with a number of hosts, one rank on each.
    ///
    /// In SimGrid a route is two links, each with half of the latency, and a message takes the latency and then its bytes
    /// divided by the bandwidth; messages that arrive at one host at the same time share its link. The model is CM02 (Casanova and
    /// Marchal, "A Network Model for Simulation of Grid Application", 2002) without the limit of TCP's window, and without
    /// acknowledgement traffic.
    ///
    /// # Errors
    ///
    /// Returns all properties of the network that such a platform cannot have.
    pub fn new(network: &Network, hosts: u32) -> Result<Self, String> {
        let description = network.description();
        let mut lacking = Vec::new();
        let mut unless = |holds: bool, lacks: &'static str| {
            if !holds {
                lacking.push(lacks);
            }
        };
        unless(description.rails == 1, "nodes with several rails");
        unless(description.ranks_per_node == 1, "nodes with several ranks");
        unless(description.between.is_none(), "a second level");
        unless(description.size_factors.is_empty(), "factors by size");
        unless(description.eager_limit.is_none(), "handshakes of messages above an eager limit");
        unless(description.receive == ReceivePort::Shared, "receive ports that are not `shared`");
        unless(description.overheads == Overheads::Outside, "overheads that are not `outside`");
        let rate = rate(network);
        unless(rate.is_some(), "gaps that are not in proportion to the bytes");
        let rate = match rate {
            Some(rate) if lacking.is_empty() => rate,
            _ => {
                let lacking = lacking.join(", ");
                return Err(format!("the network cannot be a platform of SimGrid: it has {lacking}"));
            }
        };
        let last = hosts.max(1) - 1;
        let half = network.cost(Level::Within, 0).latency / 2.0;
        let mut xml =
            "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                .to_owned();
        // Writing to a string does not fail.
        let _ = writeln!(
            xml,
            "<platform version=\"4.1\">\n  <cluster id=\"nodes\" prefix=\"n\" suffix=\"\" radical=\"0-{last}\" speed=\"1Gf\" \
             bw=\"{rate:.9e}Bps\" lat=\"{half:.9e}s\"/>\n</platform>"
        );
        Ok(Self { xml, options: OPTIONS.map(str::to_owned).to_vec() })
    }
}

/// Returns the rate in bytes per second of a network whose gaps are proportional to the bytes, to six digits.
fn rate(network: &Network) -> Option<f64> {
    let description = network.description();
    let rates = description.points.iter().filter(|point| point.bytes > 0);
    let mut rates = rates.map(|point| point.bytes as f64 / (point.gap * description.unit.seconds()));
    let first = rates.next()?;
    rates.all(|rate| (rate / first - 1.0).abs() < 1e-6).then_some(first)
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_predict::network::shipped;

    use super::*;

    #[test]
    fn a_cluster_has_half_of_the_latency_on_each_link() {
        let platform = Platform::new(&shipped("grig").unwrap(), 28).unwrap();
        assert!(platform.xml.contains("radical=\"0-27\""), "{}", platform.xml);
        assert!(platform.xml.contains("bw=\"1.250000000e7Bps\" lat=\"2.500000000e-5s\""), "{}", platform.xml);
    }

    #[test]
    fn all_that_a_platform_cannot_have_is_named() {
        let mut description = shipped("grig").unwrap().description().clone();
        description.eager_limit = Some(1 << 16);
        description.receive = ReceivePort::Fifo;
        description.points[2].gap *= 1.1;
        let refused = Platform::new(&Network::new(description).unwrap(), 28).unwrap_err();
        assert_eq!(
            refused,
            "the network cannot be a platform of SimGrid: it has handshakes of messages above an eager limit, receive \
             ports that are not `shared`, gaps that are not in proportion to the bytes"
        );
    }
}
