//! Trees that know nodes: decisions by the ranks on each node, and within them in bands.
//!
//! A tree has the axis `ppn` (or `ranks_per_node`) beside `comm_size` or `nodes`. A communicator of p ranks with q on each node is on
//! p / q nodes, rounded up.

use std::collections::BTreeMap;

use crate::catalogue::{Library, Placement};
use qtdec_core::{DecisionTree, MethodIndex, Path, Place, Problem};

use super::bands::{Bands, MessageBands, last_from, message_bands, no_axis, sorted, thresholds};

/// The names of the axis of ranks per node.
const RANKS_PER_NODE: [&str; 2] = ["ppn", "ranks_per_node"];

/// The largest number of ranks per node whose rules may differ from those of one less.
const MAX_RANKS_PER_NODE: u64 = 1024;

/// A tree's decisions in bands.
type Decisions = Bands<Option<MethodIndex>>;

/// The smallest number of ranks per node, and the decisions from there on.
type Level = (u64, Decisions);

struct Axes<'t> {
    tree: &'t DecisionTree,
    comm_size: Option<usize>,
    nodes: Option<usize>,
    ranks_per_node: Option<usize>,
}

/// Returns the decisions of a tree from each number of ranks per node on, of which the first is 0, in terms of what a library can test, and
/// adds notes on them. There is one number if the decisions hold for all placements. Fails if the tree has axes that no tuning file has, or if
/// its decisions depend on nodes, of which the library knows nothing.
pub(super) fn placed(
    tree: &DecisionTree,
    library: Library,
    placement: Placement,
    notes: &mut Vec<String>,
) -> Result<Vec<Level>, Problem> {
    let axes = Axes::new(tree)?;
    let Some(axis) = axes.ranks_per_node else {
        return Ok(vec![(0, Bands::from_tree(tree)?)]);
    };
    let name = &tree.domain().axes()[axis].name;
    let samples = axes.samples(axis);
    if let [only] = samples {
        notes.push(format!("the rules are those of jobs with {only} ranks on each node (`{name}`)"));
        return Ok(vec![(0, axes.bands(*only)?)]);
    }
    if matches!(placement, Placement::Unknown(_) | Placement::Distribution) {
        match axes.by_product(samples) {
            Ok(bands) => {
                notes.push(format!(
                    "`{name}` makes no difference for a number of ranks, so the rules hold for all placements"
                ));
                return Ok(vec![(0, bands)]);
            }
            Err(found) => {
                if let Placement::Unknown(reason) = placement {
                    return Err(axes.cannot_tell(library, reason, axis, &found));
                }
            }
        }
    }
    let mut levels = axes.levels(axis)?;
    levels.dedup_by(|next, kept| next.1 == kept.1);
    Ok(levels)
}

/// Returns the first and the last number of ranks that a tree was measured with.
pub(super) fn measured(tree: &DecisionTree) -> Option<(u64, u64)> {
    let axes = Axes::new(tree).ok()?;
    let ends = |axis: Option<usize>| Some((*axes.samples(axis?).first()?, *axes.samples(axis?).last()?));
    let on_a_node = ends(axes.ranks_per_node).unwrap_or((1, 1));
    let of_nodes =
        |(first, last): (u64, u64)| (first.saturating_mul(on_a_node.0), last.saturating_mul(on_a_node.1));
    ends(axes.comm_size).or_else(|| ends(axes.nodes).map(of_nodes))
}

/// A number of ranks and of bytes, and different decisions of two placements.
struct Disagreement {
    ranks: u64,
    message: u64,
    one: (u64, Option<MethodIndex>),
    other: (u64, Option<MethodIndex>),
}

impl<'t> Axes<'t> {
    fn new(tree: &'t DecisionTree) -> Result<Self, Problem> {
        let (mut nodes, mut ranks_per_node) = (None, None);
        for (index, axis) in tree.domain().axes().iter().enumerate() {
            match &*axis.name {
                _ if axis.values().is_none() => return Err(no_axis(tree, index)),
                "comm_size" | "msg_size" => {}
                "nodes" => nodes = Some(index),
                name if RANKS_PER_NODE.contains(&name) && ranks_per_node.is_none() => {
                    ranks_per_node = Some(index);
                }
                _ => return Err(no_axis(tree, index)),
            }
        }
        let comm_size = tree.domain().find_axis("comm_size");
        let (message, help) = match (nodes, comm_size, ranks_per_node) {
            (Some(_), Some(_), _) => (
                "`nodes` and `comm_size` are both axes, and one of them follows from the other",
                "keep `ppn` and one of them, such as with --columns nodes=nodes,ppn=ppn,msg_size=msg_size",
            ),
            (Some(_), None, None) => (
                "`nodes` alone does not say how many ranks call",
                "add the ranks on each node, such as --fixed ppn=1",
            ),
            _ => return Ok(Self { tree, comm_size, nodes, ranks_per_node }),
        };
        let place = Path::root().key("axes").index(nodes.unwrap_or_default());
        Err(Problem::new(place, message).help(help))
    }

    fn samples(&self, axis: usize) -> &'t [u64] {
        self.tree.domain().axes()[axis].values().unwrap_or_default()
    }

    /// Returns the fault of decisions that differ by the ranks on a node.
    fn cannot_tell(&self, library: Library, reason: &str, axis: usize, found: &Disagreement) -> Problem {
        let Disagreement { ranks, message, one, other } = found;
        let name = &self.tree.domain().axes()[axis].name;
        let message = format!(
            "{} cannot tell nodes apart: {reason}; {ranks} ranks and {message} bytes have {} with {name}={}, and {} with {name}={}",
            library.name(),
            self.label(one.1),
            one.0,
            self.label(other.1),
            other.0
        );
        Problem::new(Path::root().key("axes").index(axis), message).help(format!(
            "write a file for each (`qtdec-mpi tune --each {name}={},{}`), or compile the decision into the program (--target rust \
             or c)",
            one.0, other.0
        ))
    }

    fn label(&self, method: Option<MethodIndex>) -> String {
        let label = |method| format!("`{}`", self.tree.domain().method(method).label());
        method.map_or("no decision".to_owned(), label)
    }

    /// Returns the sizes of a communicator on the axes of ranks and nodes.
    fn sizes(&self, ranks: u64, on_a_node: u64) -> Vec<(usize, u64)> {
        let nodes = ranks.div_ceil(on_a_node.max(1));
        let sizes = [(self.comm_size, ranks), (self.nodes, nodes), (self.ranks_per_node, on_a_node)];
        sizes.into_iter().filter_map(|(axis, size)| Some((axis?, size))).collect()
    }

    fn bands(&self, on_a_node: u64) -> Result<Decisions, Problem> {
        let mut starts = self.comm_size.map_or_else(Vec::new, |axis| thresholds(self.tree, axis));
        // The first rank on the node with which a test of nodes holds.
        let first = |nodes: u64| nodes.saturating_sub(1).saturating_mul(on_a_node.max(1)).saturating_add(1);
        let of_nodes = self.nodes.map_or_else(Vec::new, |axis| thresholds(self.tree, axis));
        starts.extend(of_nodes.into_iter().filter(|nodes| *nodes > 0).map(first));
        let bands = Bands::at(self.tree, starts, |ranks| self.sizes(ranks, on_a_node));
        bands.ok_or_else(|| Problem::new(Place::File, "the tree has no decisions at all"))
    }

    /// Returns the decisions from each number of ranks per node on. Beyond the last one measured, those by nodes are left open.
    fn levels(&self, axis: usize) -> Result<Vec<Level>, Problem> {
        let mut starts = thresholds(self.tree, axis);
        let depends_on_nodes = self.nodes.is_some_and(|axis| !thresholds(self.tree, axis).is_empty());
        let last = self.samples(axis).last().copied().unwrap_or(1);
        if depends_on_nodes {
            if last > MAX_RANKS_PER_NODE {
                let message = format!("up to {last} ranks on each node need rules of their own");
                let help = format!("measure at most {MAX_RANKS_PER_NODE} ranks on each node");
                return Err(Problem::new(Path::root().key("axes").index(axis), message).help(help));
            }
            starts.extend(2..=last);
        }
        let first = [(0, self.bands(1)?)].into_iter().map(Ok);
        let starts = sorted(starts.into_iter().filter(|start| *start > 1)).into_iter();
        let others = starts.map(|start| Ok((start, self.bands(start)?)));
        let mut levels: Vec<_> = first.chain(others).collect::<Result<_, Problem>>()?;
        if depends_on_nodes {
            levels.push((last + 1, Bands::everywhere(None)));
        }
        Ok(levels)
    }

    /// Returns the decisions by the number of ranks alone, taken at the measured placements, or two that differ.
    fn by_product(&self, on_nodes: &[u64]) -> Result<Decisions, Disagreement> {
        let mut placements: Vec<(u64, u64)> = Vec::new();
        for &on_a_node in on_nodes {
            let ranks: Vec<u64> = match (self.nodes, self.comm_size) {
                (Some(nodes), _) => {
                    self.samples(nodes).iter().map(|nodes| nodes.saturating_mul(on_a_node)).collect()
                }
                (None, Some(ranks)) => thresholds(self.tree, ranks).into_iter().chain([0]).collect(),
                (None, None) => vec![0],
            };
            placements.extend(ranks.into_iter().map(|ranks| (ranks, on_a_node)));
        }
        placements.sort_unstable();
        let mut known: BTreeMap<u64, (u64, MessageBands)> = BTreeMap::new();
        for (ranks, on_a_node) in placements {
            let bands = message_bands(self.tree, &self.sizes(ranks, on_a_node));
            let (first, seen) = known.entry(ranks).or_insert_with(|| (on_a_node, bands.clone()));
            if let Some((message, one, other)) = first_difference(seen, &bands) {
                return Err(Disagreement { ranks, message, one: (*first, one), other: (on_a_node, other) });
            }
        }
        let mut communicators: Vec<_> = known.into_iter().map(|(ranks, (_, bands))| (ranks, bands)).collect();
        // Fewer ranks than were measured have the decisions of the fewest.
        if let Some((ranks, _)) = communicators.first_mut() {
            *ranks = 0;
        }
        Ok(Bands::new(communicators).unwrap_or_else(|| Bands::everywhere(None)))
    }
}

/// Returns the first message size at which bands differ, and both values.
fn first_difference<T: Copy + PartialEq>(one: &[(u64, T)], other: &[(u64, T)]) -> Option<(u64, T, T)> {
    let at = |bands: &[(u64, T)], size: u64| last_from(bands, size).1;
    let starts = sorted(one.iter().chain(other).map(|(from, _)| *from)).into_iter();
    starts.map(|size| (size, at(one, size), at(other, size))).find(|(_, one, other)| one != other)
}
