//! What is measured: collectives with the sizes of their calls, and the methods among which decisions choose.

use qtdec_mpi_run::own::PREFIX;
use qtdec_mpi_schedule::{Collective, TwoLevel};

use super::machine::Machine;
use crate::linux::chain::Chain;

/// A collective with the sizes of its calls, and the methods.
pub(super) struct Calls {
    pub(super) collective: Collective,
    pub(super) msg_sizes: [u64; 3],
    /// The library's algorithms, and some of ours.
    pub(super) flat: &'static [&'static str],
    /// The algorithms at the levels of compositions, the outermost first: between nodes and within them, or between sites, between the nodes
    /// of a site, and within these.
    composed: &'static [&'static [&'static str]],
}

const MESSAGES: [u64; 3] = [1 << 10, 1 << 13, 1 << 16];
const BLOCKS: [u64; 3] = [1 << 8, 1 << 10, 1 << 13];

const BCAST: Calls = Calls {
    collective: Collective::Bcast,
    msg_sizes: MESSAGES,
    flat: &["binomial", "pipeline/1K", "pipeline/8K", "split_binary_tree/1K", "own:scatter_allgather"],
    composed: &[
        &["binomial", "linear"],
        &["pipeline/1024", "linear"],
        &["pipeline/8192", "linear"],
        &["split_binary/1024", "linear"],
    ],
};

const REDUCE: Calls = Calls {
    collective: Collective::Reduce,
    msg_sizes: MESSAGES,
    flat: &["binomial", "pipeline/1K", "pipeline/8K", "rabenseifner"],
    composed: &[
        &["binomial", "linear"],
        &["pipeline/1024", "linear"],
        &["pipeline/8192", "linear"],
        &["scatter_gather", "linear"],
    ],
};

const ALLREDUCE: Calls = Calls {
    collective: Collective::Allreduce,
    msg_sizes: MESSAGES,
    flat: &["recursive_doubling", "ring", "rabenseifner", "own:circulant"],
    composed: &[
        &["recursive_doubling", "recursive_doubling"],
        &["rabenseifner", "recursive_doubling"],
        &["reduce_bcast", "recursive_doubling"],
    ],
};

const ALLGATHER: Calls = Calls {
    collective: Collective::Allgather,
    msg_sizes: BLOCKS,
    flat: &["ring", "bruck", "neighbor", "own:bruck"],
    composed: &[&["ring", "ring"], &["bruck", "ring"], &["neighbor_exchange", "ring"]],
};

const ALLTOALL: Calls = Calls {
    collective: Collective::Alltoall,
    msg_sizes: BLOCKS,
    flat: &["pairwise", "modified_bruck", "linear_sync", "own:linear"],
    composed: &[&["pairwise", "pairwise"], &["linear", "pairwise"], &["bruck", "pairwise"]],
};

/// What is measured on nodes.
const ON_NODES: [Calls; 5] = [BCAST, REDUCE, ALLREDUCE, ALLGATHER, ALLTOALL];

/// What is measured on sites: compositions of the sites with their ranks, and with their nodes.
const ON_SITES: [Calls; 5] = [
    Calls {
        composed: &[
            &["linear", "binomial"],
            &["pipeline/1024", "pipeline/1024"],
            &["linear", "binomial", "linear"],
            &["pipeline/1024", "pipeline/1024", "linear"],
        ],
        ..BCAST
    },
    Calls {
        composed: &[
            &["linear", "binomial"],
            &["pipeline/1024", "pipeline/1024"],
            &["linear", "binomial", "linear"],
            &["pipeline/1024", "pipeline/1024", "linear"],
        ],
        ..REDUCE
    },
    Calls {
        composed: &[
            &["recursive_doubling", "rabenseifner"],
            &["recursive_doubling", "recursive_doubling", "recursive_doubling"],
            &["recursive_doubling", "rabenseifner", "recursive_doubling"],
        ],
        ..ALLREDUCE
    },
    Calls {
        composed: &[&["ring", "bruck"], &["ring", "neighbor_exchange", "ring"], &["ring", "bruck", "ring"]],
        ..ALLGATHER
    },
    Calls {
        composed: &[
            &["pairwise", "pairwise"],
            &["pairwise", "pairwise", "pairwise"],
            &["pairwise", "bruck", "pairwise"],
        ],
        ..ALLTOALL
    },
];

/// Returns what is measured on a machine.
pub(super) fn of(machine: Machine) -> &'static [Calls] {
    if machine.has_sites() { &ON_SITES } else { &ON_NODES }
}

/// A composition, and the sites that it is told.
pub(super) struct Composition {
    pub(super) name: String,
    pub(super) clusters: Option<String>,
}

impl Composition {
    fn new(levels: &[&str], machine: Machine) -> Self {
        let composed =
            |intra: String, inter: &&str| format!("{}:inter={inter}:intra={intra}", TwoLevel::PREFIX);
        let (last, others) = levels.split_last().unwrap_or((&"", &[]));
        let name = others.iter().rev().fold((*last).to_owned(), composed);
        Self { name, clusters: machine.clusters(levels.len()) }
    }

    /// Returns the method, as the benchmark is told it.
    fn option(&self) -> String {
        let clusters = self.clusters.as_ref().map(|clusters| format!("@{clusters}"));
        format!("own:{}{}", self.name, clusters.unwrap_or_default())
    }

    /// Returns the method, as times have it.
    pub(super) fn in_times(&self) -> String {
        let clusters = self.clusters.as_ref().map(|clusters| format!("_{clusters}"));
        format!("{PREFIX}{}{}", self.name, clusters.unwrap_or_default())
    }

    /// Returns what tells a composition from others in a table.
    pub(super) fn label(&self) -> &str {
        self.name.strip_prefix("two_level:").unwrap_or(&self.name)
    }
}

/// The seconds in which a process measures the library's own choice, and one all other methods: each calls every method three times at least.
const SECONDS: [&str; 2] = ["8", "20"];

impl Calls {
    pub(super) fn folder(&self) -> String {
        format!("levels-{}", self.collective)
    }

    pub(super) fn compositions(&self, machine: Machine) -> impl Iterator<Item = Composition> {
        self.composed.iter().map(move |levels| Composition::new(levels, machine))
    }

    /// Measures in one launch: the library's own choice in a process, because forcing algorithms changes its settings, and all others in
    /// another one. Whichever is second finds a machine that the first one warmed up.
    pub(super) fn measure(
        &self,
        chain: &Chain,
        machine: Machine,
        default: &str,
        launch: u32,
    ) -> Result<(), String> {
        let flat = self.flat.iter().map(|name| (*name).to_owned());
        let composed = self.compositions(machine).map(|composition| composition.option());
        let methods: Vec<String> = flat.chain(composed).collect();
        let methods = methods.join(",");
        let [own, others] = SECONDS;
        let mut processes = [("1", default, own), ("2", &*methods, others)];
        if launch.is_multiple_of(2) {
            processes.reverse();
        }
        let launch = launch.to_string();
        let of_launch = ["--collective", self.collective.name(), "--launch", &launch, "--repeats", "5"];
        for (process, methods, seconds) in processes {
            let of_process = ["--process", process, "--methods", methods, "--seconds", seconds];
            let file = format!("{}/{launch}-{process}.csv", self.folder());
            let more = [&of_launch[..], &of_process].concat();
            chain.measure("", (&[machine.ranks()], &self.msg_sizes), &file, &more)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use qtdec_mpi_run::own::carries_out;

    use super::*;

    #[test]
    fn compositions_have_a_name_for_options_and_one_for_times() {
        let composed = |sites, levels: &[&str]| {
            let composition = Composition::new(levels, Machine { nodes: 4, sites });
            (composition.option(), composition.in_times(), composition.label().to_owned())
        };
        let (option, in_times, label) = composed(1, &["ring/8", "linear"]);
        assert_eq!(option, "own:two_level:inter=ring/8:intra=linear");
        assert_eq!(in_times, "own_two_level:inter=ring/8:intra=linear");
        assert_eq!(label, "inter=ring/8:intra=linear");
        let (option, in_times, label) = composed(2, &["ring", "bruck", "linear"]);
        assert_eq!(label, "inter=ring:intra=two_level:inter=bruck:intra=linear");
        assert_eq!(option, format!("own:two_level:{label}@2x8:nodes=2"));
        assert_eq!(in_times, format!("own_two_level:{label}_2x8:nodes=2"));
        assert!(composed(2, &["ring", "bruck"]).0.ends_with("@2x8"));
    }

    #[test]
    fn the_benchmark_carries_out_every_composition() {
        for (nodes, sites) in [(4, 1), (8, 1), (4, 2)] {
            let machine = Machine { nodes, sites };
            for calls in of(machine) {
                for composition in calls.compositions(machine) {
                    let name = composition.in_times();
                    assert!(carries_out(calls.collective.name(), &name), "{} {name}", calls.collective);
                }
            }
        }
    }
}
