//! 2004, Figure 2: the broadcast by a segmented chain.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{SEGMENT, figure_over_ranks};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-2",
    title: "the broadcast by a segmented chain, measured and expected",
    about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Messages of 64 KiB in segments of 8 KiB; the paper does not state them.",
    make,
};

fn make() -> Result<Shown, String> {
    let method = ("pipeline", Some(SEGMENT));
    figure_over_ranks("2", Collective::Bcast, method, 64 << 10, "64 KiB by a segmented chain")
}
