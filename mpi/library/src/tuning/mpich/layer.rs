//! The layers of MPICH that read selection files, each from a variable of its own.
//!
//! The device asks CH4 for a composition of collectives on and between nodes, and POSIX for an algorithm on a node. Where their files lead
//! to nothing, the layer below MPI's functions chooses, which reads the selection file.

use serde_json::Value;

use super::conditions::{is_leaf, written};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Device {
    Ch4,
    Posix,
}

impl Device {
    /// Returns the layer of what a key names, if it is one of the device.
    pub(super) fn of(key: &str) -> Option<Self> {
        let key = written(key);
        if key.starts_with("composition=") {
            return Some(Self::Ch4);
        }
        key.starts_with("algorithm=MPIDI_").then_some(Self::Posix)
    }

    /// Returns the layer for which all leaves of a file are.
    pub(super) fn of_file(file: &Value) -> Option<Self> {
        let mut leaves = Vec::new();
        collect(file, &mut leaves);
        let first = Self::of(leaves.first()?)?;
        leaves.iter().all(|key| Self::of(key) == Some(first)).then_some(first)
    }

    /// Returns the variable that names the layer's file.
    pub(super) fn variable(self) -> &'static str {
        match self {
            Self::Ch4 => "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE",
            Self::Posix => "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE",
        }
    }
}

fn collect<'f>(value: &'f Value, leaves: &mut Vec<&'f str>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        if is_leaf(key) {
            leaves.push(key);
        } else {
            collect(value, leaves);
        }
    }
}
