//! The names that the column `collective` usually has, those of MPI's functions, and what their message sizes count.

use qtdec_core::Basis;

/// The collectives of MPI that take time, by their names in lower case.
pub const FUNCTIONS: [&str; 22] = [
    "barrier",
    "bcast",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "reduce",
    "allreduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
];

/// The collective that sends no data, and so has no message size.
pub const BARRIER: &str = "barrier";

/// Returns whether a name is one of [`FUNCTIONS`].
pub fn is_known(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// Returns the default basis of a collective's message size, that of MPI's own signature, or `None` if the collective is
/// not known. The collective is given by MPI's name in lower case.
pub fn natural_basis(collective: &str) -> Option<Basis> {
    match collective {
        "bcast" | "reduce" | "allreduce" | "scan" | "exscan" => Some(Basis::Buffer),
        "reduce_scatter" => Some(Basis::Total),
        "allgather"
        | "allgatherv"
        | "alltoall"
        | "alltoallv"
        | "alltoallw"
        | "gather"
        | "gatherv"
        | "scatter"
        | "scatterv"
        | "reduce_scatter_block" => Some(Basis::Block),
        _ => None,
    }
}

/// Returns the default basis of any collective. Unknown collectives are assumed to have one buffer.
pub fn natural_basis_or_buffer(collective: &str) -> Basis {
    natural_basis(collective).unwrap_or(Basis::Buffer)
}
