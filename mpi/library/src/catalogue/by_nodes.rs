//! The names of algorithms that divide the ranks among the nodes.

/// The beginning of the name of every algorithm of Open MPI's component HAN.
pub(super) const HAN: &str = "han:";

/// The beginning of the name of every composition of MPICH's device CH4.
pub(super) const CH4: &str = "ch4:";

/// Returns whether a method is called like an algorithm that divides the ranks among the nodes.
pub fn is_by_nodes(name: &str) -> bool {
    [HAN, CH4].iter().any(|prefix| name.starts_with(prefix))
}
