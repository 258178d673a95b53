//! A chain: every rank passes the message to the next one.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::tree;

/// One chain of all ranks; with segments, all of its links work at once.
pub(crate) static PIPELINE: Entry = Entry::new(
    Collective::Bcast,
    "pipeline",
    "one chain of all ranks",
    Build::Tree(|request, number| tree::chain(number, request.comm_size())),
)
.in_segments();
