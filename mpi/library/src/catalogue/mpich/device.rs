//! The layer of the device, which serves calls before a selection file is read.
//!
//! From 4.0 on, `MPIR_CVAR_DEVICE_COLLECTIVES` is `percoll` unless it is set: a variable of each collective tells whether the device
//! may serve it.

/// The variable with which the variables of collectives count, and its value.
pub const BY_COLLECTIVE: (&str, &str) = ("MPIR_CVAR_DEVICE_COLLECTIVES", "percoll");

/// Returns the variable of a collective that has algorithms; `0` keeps the device from serving it.
pub fn variable(collective: &str) -> Option<&'static str> {
    Some(match collective {
        "allgather" => "MPIR_CVAR_ALLGATHER_DEVICE_COLLECTIVE",
        "allgatherv" => "MPIR_CVAR_ALLGATHERV_DEVICE_COLLECTIVE",
        "allreduce" => "MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE",
        "alltoall" => "MPIR_CVAR_ALLTOALL_DEVICE_COLLECTIVE",
        "alltoallv" => "MPIR_CVAR_ALLTOALLV_DEVICE_COLLECTIVE",
        "barrier" => "MPIR_CVAR_BARRIER_DEVICE_COLLECTIVE",
        "bcast" => "MPIR_CVAR_BCAST_DEVICE_COLLECTIVE",
        "gather" => "MPIR_CVAR_GATHER_DEVICE_COLLECTIVE",
        "reduce" => "MPIR_CVAR_REDUCE_DEVICE_COLLECTIVE",
        "reduce_scatter" => "MPIR_CVAR_REDUCE_SCATTER_DEVICE_COLLECTIVE",
        "reduce_scatter_block" => "MPIR_CVAR_REDUCE_SCATTER_BLOCK_DEVICE_COLLECTIVE",
        "scatter" => "MPIR_CVAR_SCATTER_DEVICE_COLLECTIVE",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::variable;
    use crate::catalogue::mpich::COLLECTIVES;

    #[test]
    fn every_collective_that_is_tuned_has_its_variable() {
        for known in COLLECTIVES {
            let expected = format!("MPIR_CVAR_{}_DEVICE_COLLECTIVE", known.name.to_uppercase());
            assert_eq!(variable(known.name), Some(&*expected));
        }
    }
}
