//! A flat tree: the root sends the message to every rank.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::tree;

/// The flat tree; with segments, each goes to all ranks before the next one does (the paper's segmented flat tree).
pub(crate) static LINEAR: Entry = Entry::new(
    Collective::Bcast,
    "linear",
    "the root sends to every rank",
    Build::Tree(|request, number| tree::flat(number, request.comm_size())),
)
.in_segments();
