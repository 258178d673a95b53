//! 2004, Figure 3: the broadcast by a binomial tree.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::figure_over_ranks;
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-3",
    title: "the broadcast by a binomial tree, measured and expected",
    about: "A run is a simulation on the network `icluster-2`: it shows where a formula is wrong about the algorithm, not where it is wrong about TCP. Messages of 64 KiB; the paper does not state the size. The printed formula is exact for powers of two.",
    make,
};

fn make() -> Result<Shown, String> {
    figure_over_ranks("3", Collective::Bcast, ("binomial", None), 64 << 10, "64 KiB by a binomial tree")
}
