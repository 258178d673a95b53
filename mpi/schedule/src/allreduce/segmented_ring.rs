//! A ring whose blocks are cut into segments.

use super::ring;
use crate::Collective;
use crate::algorithm::{Build, Entry};

/// Open MPI's segmented ring: the reduce-scatter works segment by segment, the allgather on whole blocks.
pub(crate) static SEGMENTED_RING: Entry = Entry {
    collective: Collective::Allreduce,
    name: "segmented_ring",
    summary: "the ring whose blocks are combined segment by segment",
    segmented: true,
    ordered: false,
    parameters: &[],
    build: Build::Local(|request, rank, ops| ring::allreduce(request, rank, true, ops)),
};
