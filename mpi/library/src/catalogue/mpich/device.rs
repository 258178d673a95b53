//! The layer of the device, which serves calls before a selection file is read.
//!
//! From 4.0 on, `MPIR_CVAR_DEVICE_COLLECTIVES` is `percoll` unless it is set: a variable of each collective tells whether the device
//! may serve it.

use crate::catalogue::Library;

/// The variable with which the variables of collectives count, and its value.
pub const BY_COLLECTIVE: (&str, &str) = ("MPIR_CVAR_DEVICE_COLLECTIVES", "percoll");

/// Returns the variable of a collective that has algorithms; `0` keeps the device from serving it.
pub fn variable(collective: &str) -> Option<String> {
    let known = Library::Mpich.collective(collective)?;
    Some(format!("MPIR_CVAR_{}_DEVICE_COLLECTIVE", known.name.to_uppercase()))
}
