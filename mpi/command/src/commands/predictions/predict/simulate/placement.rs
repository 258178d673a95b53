//! The numbers of ranks of a grid, and their placement on nodes.

use qtdec_mpi_schedule::MAX_COMM_SIZE;

use qtdec_terminal::Failure;
use qtdec_terminal::sizes::sizes;

const NODES: &str = "nodes";

const RANKS_PER_NODE: &str = "ppn";

/// The numbers of ranks with one number of ranks per node.
pub(super) struct Level {
    /// The ranks on each node, or `None` for those of the network.
    pub(super) on_a_node: Option<u64>,
    pub(super) ranks: Vec<u32>,
}

/// The axes of a grid other than message sizes.
pub(super) struct Placement {
    /// The axis of ranks or nodes, with its unit.
    first: (&'static str, &'static str),
    pub(super) levels: Vec<Level>,
}

impl Placement {
    /// Reads the lists of `--comm-size` or `nodes=`, and of `ppn=`.
    pub(super) fn new(comm_sizes: Option<&str>, axes: &[String]) -> Result<Self, Failure> {
        let usage = |message: String| Err(Failure::Usage(message));
        let (mut nodes, mut on_nodes) = (None, None);
        for pair in axes {
            let Some((name, list)) = pair.split_once('=') else {
                return usage(format!("`{pair}` is not AXIS=LIST, such as ppn=1,2,4"));
            };
            let axis = match name {
                NODES => &mut nodes,
                RANKS_PER_NODE => &mut on_nodes,
                _ => {
                    return usage(format!(
                        "there is no axis `{name}`: the axes are {NODES} and {RANKS_PER_NODE}"
                    ));
                }
            };
            if axis.is_some() {
                return usage(format!("the sizes on axis `{name}` are given twice"));
            }
            let list = sizes(list).map_err(Failure::Usage)?;
            if list.first() == Some(&0) {
                return usage(format!("`{pair}`: begin with 1"));
            }
            *axis = Some(list);
        }
        let (first, list) = match (comm_sizes, nodes) {
            (Some(list), None) => (("comm_size", "ranks"), sizes(list).map_err(Failure::Usage)?),
            (None, Some(nodes)) => ((NODES, NODES), nodes),
            (None, None) => {
                return usage(format!("add --comm-size LIST, or {NODES}=LIST {RANKS_PER_NODE}=LIST"));
            }
            (Some(_), Some(_)) => {
                return usage(format!(
                    "--comm-size and {NODES}= are both given, and one follows from the other: remove one"
                ));
            }
        };
        if first.0 == NODES && on_nodes.is_none() {
            return usage(format!("{NODES}= needs {RANKS_PER_NODE}=LIST, the ranks on each node"));
        }
        let levels = match on_nodes {
            None => vec![(None, 1)],
            Some(list) => list
                .into_iter()
                .map(|ranks| (Some(ranks), if first.0 == NODES { ranks } else { 1 }))
                .collect(),
        };
        let level = |(on_a_node, factor): (Option<u64>, u64)| {
            let ranks = list.iter().map(|&size| ranks(size, factor)).collect::<Result<_, _>>()?;
            Ok(Level { on_a_node, ranks })
        };
        Ok(Self { first, levels: levels.into_iter().map(level).collect::<Result<_, Failure>>()? })
    }

    pub(super) fn axes(&self) -> Vec<(&'static str, &'static str)> {
        let is_placed = self.levels.iter().any(|level| level.on_a_node.is_some());
        let second = is_placed.then_some((RANKS_PER_NODE, "ranks"));
        [self.first].into_iter().chain(second).collect()
    }

    /// Returns the sizes of a call on all axes.
    pub(super) fn sizes(&self, on_a_node: Option<u64>, ranks: u32, msg_size: Option<u64>) -> Vec<u64> {
        let ranks = u64::from(ranks);
        let first = if self.first.0 == NODES { ranks / on_a_node.unwrap_or(1) } else { ranks };
        [Some(first), on_a_node, msg_size].into_iter().flatten().collect()
    }

    pub(super) fn count(&self) -> usize {
        self.levels.iter().map(|level| level.ranks.len()).sum()
    }
}

/// Returns a product as a number of ranks.
fn ranks(size: u64, factor: u64) -> Result<u32, Failure> {
    let ranks = size.saturating_mul(factor);
    u32::try_from(ranks).map_err(|_| {
        Failure::usage(format!("{ranks} ranks exceed the maximum of {MAX_COMM_SIZE}; use fewer ranks"))
    })
}
