//! The nodes and sites of a measurement.

use std::ffi::OsString;

use clap::Args;

use crate::linux::survey;
use crate::topology::Topology;

/// The nodes, and the sites that have them.
#[derive(Args, Clone, Copy, Debug)]
// Groups have the names of structs, and the options of every measurement have a `Machine` too.
#[group(skip)]
pub(super) struct Machine {
    /// Number of nodes of a site, with two ranks each
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=16))]
    pub(super) nodes: u8,

    /// Number of sites: 1, or 2 that are far apart
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(super) sites: u8,
}

pub(super) const RANKS_PER_NODE: u8 = 2;

impl Machine {
    /// Returns the name in that of a table: the number of nodes, as in `4`, and with sites before it their number, as in `2x4`.
    pub(super) fn name(self) -> String {
        if self.has_sites() { format!("{}x{}", self.sites, self.nodes) } else { self.nodes.to_string() }
    }

    /// Returns the options that select the same machine.
    pub(super) fn arguments(self) -> Vec<OsString> {
        let sites = self.has_sites().then_some(("--sites", self.sites));
        let options = [("--nodes", self.nodes)].into_iter().chain(sites);
        options.flat_map(|(name, value)| [name.into(), value.to_string().into()]).collect()
    }

    /// Returns the cluster, on the slow network of the survey. The link between the sites carries as much as all nodes of one send: networks
    /// that are simulated have no link that nodes share.
    pub(super) fn topology(self) -> Result<Topology, String> {
        let topology = survey::topology(self.nodes * self.sites)?;
        let link = topology.rate.times(self.nodes);
        Ok(Topology { ranks_per_node: RANKS_PER_NODE, sites: self.sites, link, ..topology })
    }

    pub(super) fn has_sites(self) -> bool {
        self.sites > 1
    }

    pub(super) fn ranks(self) -> u32 {
        u32::from(self.sites) * u32::from(self.nodes) * u32::from(RANKS_PER_NODE)
    }

    /// Returns the number of nodes of each site, if there are sites.
    pub(super) fn nodes_of_site(self) -> Option<u8> {
        self.has_sites().then_some(self.nodes)
    }

    /// Returns the sites of the ranks, as a composition of so many levels is told them; none without sites, as MPI knows the nodes.
    pub(super) fn clusters(self, levels: usize) -> Option<String> {
        let nodes = if levels > 2 { format!(":nodes={RANKS_PER_NODE}") } else { String::new() };
        self.nodes_of_site().map(|of_site| format!("{}x{}{nodes}", self.sites, of_site * RANKS_PER_NODE))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use qtdec_mpi_schedule::Clusters;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        machine: Machine,
    }

    fn parsed(options: &[&str]) -> Machine {
        Options::parse_from(["levels"].iter().chain(options)).machine
    }

    #[test]
    fn every_table_has_a_name_and_a_cluster_of_its_own() {
        for (options, name, nodes, ranks) in [
            (&[][..], "4", 4, 8),
            (&["--nodes", "8"], "8", 8, 16),
            (&["--sites", "2"], "2x4", 8, 16),
            (&["--nodes", "3", "--sites", "2"], "2x3", 6, 12),
        ] {
            let machine = parsed(options);
            let topology = machine.topology().unwrap();
            assert_eq!((&*machine.name(), topology.nodes, machine.ranks()), (name, nodes, ranks));
            assert_eq!((topology.ranks_per_node, topology.sites), (2, machine.sites));
            assert_eq!(
                topology.link.nanoseconds(1000 * usize::from(machine.nodes)),
                topology.rate.nanoseconds(1000)
            );
            let again: Vec<String> =
                machine.arguments().into_iter().map(|word| word.into_string().unwrap()).collect();
            let again: Vec<&str> = again.iter().map(String::as_str).collect();
            assert_eq!(parsed(&again).name(), name);
        }
    }

    #[test]
    fn the_first_nodes_of_sites_are_in_different_ones() {
        let nodes = parsed(&["--nodes", "8"]);
        assert_eq!((nodes.nodes_of_site(), nodes.clusters(2)), (None, None));
        let sites = parsed(&["--sites", "2"]);
        assert_eq!(sites.nodes_of_site(), Some(4));
        let topology = sites.topology().unwrap();
        let site = |node: u8| topology.site(topology.port(usize::from(node), 0));
        assert_eq!([0, 1, 4].map(site), [0, 0, 1]);
        for (levels, expected) in [(2, "2x8"), (3, "2x8:nodes=2")] {
            let clusters = sites.clusters(levels).unwrap();
            assert_eq!(clusters, expected);
            let parsed: Clusters = clusters.parse().unwrap();
            assert_eq!((parsed.ranks(), &*parsed.to_string()), (16, expected));
        }
    }
}
