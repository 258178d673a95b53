//! 2007, Table 2: trees of broadcast on Grig.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::data;
use crate::item::{Item, Shown};
use crate::printed::{GRIG_BCAST_2007, GRIG_NODES_2007};
use crate::trees::{Making, Quantity, Trees};

pub(super) const ITEM: Item = Item {
    id: "2007-table-2",
    title: "statistics of the trees of broadcast on Grig, by depth",
    about: "**Nearly the fit**: the network was fitted to `2006-table-3`, which seems to be about the same measurements; what is predicted is \
            how many leaves can be merged. The paper prints 227 leaves for depth 5, but its 369 nodes need 277, which is what the \
            column has. Fill `stretch`; segments of up to 128 KiB; leaves are merged.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = data::read(Cluster::Grig, Collective::Bcast)?;
    let trees = Trees::new(&map, &GRIG_BCAST_2007, &Making::merged());
    let mut quantities = trees.depths_and_penalties();
    quantities.push(Quantity::whole("nodes", &GRIG_NODES_2007, trees.ours.iter().map(|own| own.nodes)));
    Ok(Shown::table(trees.table(&quantities)))
}
