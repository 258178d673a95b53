//! Message sizes as MPI's own signatures give them.

use qtdec_core::Basis;

/// Returns whose bytes the message size of a collective counts where nobody says: those of MPI's own signature. `None`
/// for a collective that is not known, by MPI's name in lower case.
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

/// Returns the same for any collective: one that is not known is taken to have one buffer.
pub fn natural_basis_or_buffer(collective: &str) -> Basis {
    natural_basis(collective).unwrap_or(Basis::Buffer)
}
