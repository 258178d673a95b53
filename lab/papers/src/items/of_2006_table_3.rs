//! 2006, Table 3: trees of broadcast on Grig.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::data;
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::printed::{GRIG_BCAST_2006, LINES_2006};
use crate::trees::{Described, Making, Quantity, Trees, lines};

pub(super) const ITEM: Item = Item {
    id: "2006-table-3",
    title: "statistics of the trees of broadcast on Grig, by depth",
    about: "**A fit**: the network `grig-fitted` has seven parameters, fitted to the leaves of depths 3 to 6 and the mean penalties \
            of depths 1 to 3. The leaves of depths 1 and 2 are forced. Not fitted: min and mean depth, max and median penalty, the \
            mean penalties of depths 4 and 5, and the lines. The lines of a function are 17 for each inner node, less 3, in four \
            printed rows, and 10 more in the other two; ours are counted by that rule. Fill `stretch`; leaves are not merged.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    let trees = Trees::new(&map, &GRIG_BCAST_2006, &Making::default());
    let mut quantities = trees.depths_and_penalties();
    quantities.push(trees.nodes());
    quantities.push(Quantity::whole(
        "lines",
        &LINES_2006,
        trees.ours.iter().map(Described::inner).map(lines),
    ));
    Ok(Shown::table(trees.table(&quantities)))
}
