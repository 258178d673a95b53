//! 2004, Figure 8: the scatter by a flat tree.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::figure_over_ranks;
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-8",
    title: "the scatter by a flat tree, measured and expected",
    about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Blocks of 4 KiB; the paper does not state the size.",
    make,
};

fn make() -> Result<Shown, String> {
    figure_over_ranks(
        "8",
        Collective::Scatter,
        ("linear", None),
        4 << 10,
        "4 KiB for each rank by a flat tree",
    )
}
