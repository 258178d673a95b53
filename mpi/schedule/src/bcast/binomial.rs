//! A binomial tree: in every round, each rank that has the message sends it to one that does not.

use crate::Collective;
use crate::algorithm::{Build, Entry};
use crate::tree::{self, Place};
use crate::{Library, Request};

/// The binomial tree: MPICH's, which serves the farthest child first, or Open MPI's.
pub(crate) static BINOMIAL: Entry = Entry::new(
    Collective::Bcast,
    "binomial",
    "a binomial tree, the farthest child first",
    Build::Tree(place),
)
.in_segments();

fn place(request: &Request, number: u32) -> Place {
    match request.chosen_variant().library {
        Some(Library::OpenMpi) => nearest_first(number, request.comm_size()),
        _ => tree::farthest_first(number, request.comm_size()),
    }
}

/// Returns the place in Open MPI's tree (`ompi_coll_base_topo_build_bmtree`), where a parent's number is the child's
/// without its highest bit.
fn nearest_first(number: u32, comm_size: u32) -> Place {
    let bits = u32::BITS - number.leading_zeros();
    let children = (bits..u32::BITS).map(|bit| number | 1 << bit).take_while(|&child| child < comm_size);
    Place { parent: (bits > 0).then(|| number & !(1 << (bits - 1))), children: children.collect() }
}
