//! 2004, Figure 7: the scatter by a binomial tree.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::figure_over_ranks;
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-7",
    title: "the scatter by a binomial tree, measured and expected",
    about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Blocks of 4 KiB; the paper does not state the size. The printed formula is a staircase with steps after powers of two; the schedule moves only the blocks that ranks need.",
    make,
};

fn make() -> Result<Shown, String> {
    figure_over_ranks(
        "7",
        Collective::Scatter,
        ("binomial", None),
        4 << 10,
        "4 KiB for each rank by a binomial tree",
    )
}
