//! Message sizes as counted by MPI's own signatures.

use qtdec_core::Basis;

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
