//! A ring whose blocks are cut into segments.

use super::ring;
use crate::Collective;
use crate::Symmetry;
use crate::algorithm::{Build, Entry};

/// Open MPI's segmented ring: the reduce-scatter works segment by segment, the allgather on whole blocks.
pub(crate) static SEGMENTED_RING: Entry = Entry::new(
    Collective::Allreduce,
    "segmented_ring",
    "the ring whose blocks are combined segment by segment",
    Build::Local(|request, rank, ops| ring::allreduce(request, rank, true, ops)),
)
.in_segments()
.alike(|request| Symmetry::TURNS.of_equal_blocks(request));
