//! The nodes on which ranks run.

use std::ffi::c_int;

use qtdec_mpi_schedule::Clusters;

/// The nodes on which the ranks of a communicator run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Placement {
    /// Nodes that have ranks in another order, or of which others than the last have fewer; or nobody asked.
    Other,
    /// So many consecutive ranks on each node, or fewer on the last.
    Consecutive(u32),
    /// So many nodes, which have the ranks in turn.
    InTurn(u32),
}

impl From<c_int> for Placement {
    /// Returns the placement that a number of `c/nodes.h` stands for.
    fn from(number: c_int) -> Self {
        match number {
            0 => Self::Other,
            1.. => Self::Consecutive(number.unsigned_abs()),
            ..0 => Self::InTurn(number.unsigned_abs()),
        }
    }
}

impl Placement {
    /// Returns the nodes of the first ranks, if they are known.
    pub(crate) fn nodes(self, ranks: u32) -> Option<Clusters> {
        match self {
            Self::Other => None,
            Self::Consecutive(per_node) => Clusters::of_ranks(ranks, per_node).ok(),
            Self::InTurn(nodes) => Clusters::in_turn(ranks, nodes.min(ranks)).ok(),
        }
    }

    /// Returns the most ranks on a node of a communicator of so many ranks, or 0 if it is not known.
    pub(crate) fn ranks_per_node(self, ranks: u32) -> u32 {
        match self {
            Self::Other => 0,
            Self::Consecutive(per_node) => per_node,
            Self::InTurn(nodes) => ranks.div_ceil(nodes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_nodes() {
        let nodes =
            |number: c_int, ranks| Placement::from(number).nodes(ranks).map(|nodes| nodes.to_string());
        for (number, ranks, expected, per_node) in [
            (0, 8, None, 0),
            (2, 8, Some("4x2"), 2),
            (-2, 8, Some("2x4:cyclic"), 4),
            (-4, 4, Some("4x1"), 1),
            (8, 8, Some("1x8"), 8),
            (4, 10, Some("2x4+2"), 4),
            (-4, 9, Some("3+3x2:cyclic"), 3),
        ] {
            assert_eq!(nodes(number, ranks).as_deref(), expected, "{number}");
            assert_eq!(Placement::from(number).ranks_per_node(ranks), per_node, "{number}");
        }
        assert_eq!(nodes(-4, 6).as_deref(), Some("2x2+2x1:cyclic"));
        assert_eq!(nodes(-4, 3).as_deref(), Some("3x1"));
    }
}
