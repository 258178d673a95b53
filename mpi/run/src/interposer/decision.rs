//! The decision for one collective: a tree, and what its axes and methods mean for calls.

use qtdec_core::{Axis, Basis, DecisionTree, Samples};
use qtdec_mpi_library::catalogue::natural_basis;
use qtdec_mpi_schedule::Collective;

use super::call::Call;
use crate::bench::Method;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    Ranks,
    Nodes,
    RanksPerNode,
    Bytes,
    /// The bytes of the blocks of all ranks.
    TotalBytes,
    /// The sizes for an operation that does not commute, and for one that does.
    Commutative([u64; 2]),
}

#[derive(Clone, Debug)]
pub(super) struct Decision {
    given: Vec<Given>,
    methods: Vec<Method>,
    tree: DecisionTree,
}

impl Decision {
    /// Creates a decision from a tree for a collective, or returns what the tree needs and no call has, with a remedy.
    pub(super) fn new(collective: Collective, tree: DecisionTree) -> Result<Self, String> {
        let domain = tree.domain();
        if let Some(other) = domain.collective().filter(|other| *other != collective.name()) {
            return Err(format!("the tree is for {other}: rename the file, or take that of {collective}"));
        }
        let given = domain.axes().iter().map(|axis| given(collective, axis)).collect::<Result<_, _>>()?;
        let methods = domain.methods().iter().map(|method| {
            let label = method.label();
            let segment = u32::try_from(method.segment_size.unwrap_or(0));
            let segment = segment.map_err(|_| format!("{label}: a segment has less than 4G"))?;
            let method = Method::named(&method.name, segment);
            if matches!(method, Method::Own { .. }) {
                method.check(collective).map_err(|error| format!("{label}: {error}"))?;
            }
            Ok(method)
        });
        let methods = methods.collect::<Result<_, String>>()?;
        Ok(Self { given, methods, tree })
    }

    /// Returns whether the decision depends on the nodes of the ranks: an axis counts them, or a method is composed of them.
    pub(super) fn asks_nodes(&self) -> bool {
        let counts = |given: &Given| matches!(given, Given::Nodes | Given::RanksPerNode);
        self.given.iter().any(counts) || self.methods.iter().any(Method::needs_nodes)
    }

    /// Returns the numbers of ranks and the bytes from which on the decision may be another one, if it depends on nothing else.
    pub(super) fn borders(&self) -> Option<[Vec<u64>; 2]> {
        let places = self.given.iter().map(|given| match given {
            Given::Ranks => Some(0),
            Given::Bytes => Some(1),
            _ => None,
        });
        let places = places.collect::<Option<Vec<usize>>>()?;
        let mut borders = [Vec::new(), Vec::new()];
        for (axis, at) in self.tree.root().cuts() {
            borders[places[axis]].push(self.tree.threshold(axis, at));
        }
        self.tree.guards().is_empty().then_some(borders)
    }

    /// Returns the method for a number of ranks and bytes, on which alone the decision depends.
    pub(super) fn at(&self, ranks: u64, bytes: u64) -> Option<&Method> {
        let size = |given: &Given| if *given == Given::Ranks { ranks } else { bytes };
        let sizes: Vec<u64> = self.given.iter().map(size).collect();
        Some(&self.methods[self.tree.decide(&sizes)?.get()])
    }

    pub(super) fn method(&self, call: &Call) -> Option<&Method> {
        let (ranks, per_node) = (call.ranks, call.ranks_per_node());
        let nodes = call.placement().nodes(ranks).map(|nodes| nodes.count());
        let sizes: Option<Vec<u64>> = (self.given.iter())
            .map(|given| {
                Some(match given {
                    Given::Ranks => u64::from(ranks),
                    Given::Nodes => u64::from(nodes?),
                    Given::RanksPerNode => u64::from(nodes.map(|_| per_node)?),
                    Given::Bytes => call.bytes,
                    Given::TotalBytes => call.bytes.saturating_mul(u64::from(call.ranks)),
                    Given::Commutative(sizes) => sizes[usize::from(call.is_commutative())],
                })
            })
            .collect();
        Some(&self.methods[self.tree.decide(&sizes?)?.get()])
    }
}

fn given(collective: Collective, axis: &Axis) -> Result<Given, String> {
    let has_sizes = matches!(axis.samples, Samples::Values(_));
    let natural = natural_basis(collective.name());
    match (&*axis.name, axis.basis.or(natural)) {
        ("comm_size", _) if has_sizes => Ok(Given::Ranks),
        ("nodes", _) if has_sizes => Ok(Given::Nodes),
        ("ppn" | "ranks_per_node", _) if has_sizes => Ok(Given::RanksPerNode),
        ("msg_size", None) if has_sizes => Ok(Given::Bytes),
        ("msg_size", basis) if has_sizes && basis == natural => Ok(Given::Bytes),
        ("msg_size", Some(Basis::Total)) if has_sizes && natural == Some(Basis::Block) => {
            Ok(Given::TotalBytes)
        }
        ("commutative", _) if has_sizes => Ok(Given::Commutative([0, 1])),
        ("commutative", _) if axis.len() == 2 && axis.true_label().is_some() => {
            let truth = axis.true_label().unwrap_or(0) as u64;
            Ok(Given::Commutative([1 - truth, truth]))
        }
        ("msg_size", Some(basis)) => Err(format!(
            "the axis `msg_size` counts by `{}`, which {collective} has not in MPI's signature: make the map with another basis",
            basis.name()
        )),
        _ => Err(format!(
            "the axis `{}` is not known of calls: make the map over comm_size or nodes and ppn, msg_size, and commutative for reductions",
            axis.name
        )),
    }
}

#[cfg(test)]
mod tests {
    use qtdec_core::Document;

    use super::super::example;
    use super::*;

    fn tree(collective: Collective, axes: &str, methods: &str, nodes: &str) -> DecisionTree {
        let text = example::text(collective, axes, methods, nodes);
        Document::from_json(text.as_bytes()).unwrap_or_else(|error| panic!("{error}")).into_tree().unwrap()
    }

    const SIZES: &str = r#"{"name": "msg_size", "basis": "total", "values": [1, 4096]}"#;
    const TWO: &str = r#"{"name": "ring"}, {"name": "own_bruck"}"#;
    const CUT: &str = r#"["msg_size", 4096], "own_bruck", "ring""#;
    const LINEAR: (&str, &str) = (r#"{"name": "linear"}"#, r#""linear""#);

    #[test]
    fn sizes_count_as_the_axis_says() {
        let decision =
            Decision::new(Collective::Allgather, tree(Collective::Allgather, SIZES, TWO, CUT)).unwrap();
        let method =
            |bytes| decision.method(&Call::new(Collective::Allgather, (4, 0, 0), bytes)).unwrap().label();
        assert_eq!((method(1023), method(1024)), ("own_bruck".to_owned(), "ring".to_owned()));
    }

    #[test]
    fn nodes_are_those_of_the_ranks_if_each_has_as_many() {
        let axes = r#"{"name": "nodes", "values": [1, 4]}, {"name": "ppn", "values": [1, 2]}"#;
        let node = r#"["nodes", 4], "ring", ["ppn", 2], "ring", "own_bruck""#;
        let of_nodes = tree(Collective::Allgather, axes, TWO, node);
        let decision = Decision::new(Collective::Allgather, of_nodes).unwrap();
        let method = |ranks, per_node| {
            let call = Call::new(Collective::Allgather, (ranks, 0, 0), 8).on_nodes_of(per_node);
            decision.method(&call).map(Method::label)
        };
        assert!(decision.asks_nodes());
        assert_eq!(method(3, 3).as_deref(), Some("ring"));
        assert_eq!(method(8, 2).as_deref(), Some("own_bruck"));
        assert_eq!(method(8, 0), None);
    }

    #[test]
    fn trees_that_no_call_can_be_asked_are_refused() {
        let refused = |collective, tree| Decision::new(collective, tree).unwrap_err();
        let other = refused(Collective::Bcast, tree(Collective::Allgather, SIZES, TWO, CUT));
        assert_eq!(other, "the tree is for allgather: rename the file, or take that of bcast");
        let basis = refused(Collective::Bcast, tree(Collective::Bcast, SIZES, LINEAR.0, LINEAR.1));
        assert!(basis.starts_with("the axis `msg_size` counts by `total`"), "{basis}");
        let depth = r#"{"name": "depth", "values": [1, 2]}"#;
        let axis = refused(Collective::Bcast, tree(Collective::Bcast, depth, LINEAR.0, LINEAR.1));
        assert!(axis.starts_with("the axis `depth` is not known of calls"), "{axis}");
        let sizes = r#"{"name": "msg_size", "values": [1, 2]}"#;
        let method = refused(
            Collective::Bcast,
            tree(Collective::Bcast, sizes, r#"{"name": "own_pipline"}"#, r#""own_pipline""#),
        );
        assert!(
            method.starts_with("own_pipline: bcast has no algorithm `pipline`; did you mean `pipeline`?"),
            "{method}"
        );
    }
}
