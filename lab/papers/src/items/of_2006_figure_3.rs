//! 2006, Figure 3: penalties of broadcast on Grig.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;
use qtdec_report::picture::Bands;

use crate::data;
use crate::figures::{by_depth, penalties, shares};
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2006-figure-3",
    title: "penalties of broadcast on Grig, by depth",
    about: "Fitted: see `2006-table-3`. In the paper's colours: white below 25 %, yellow up to 75 %.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    let trees = by_depth(&map, 1..=5, &Making::default());
    let picture = penalties(&map, &trees, Bands::Paper2006);
    Ok(Shown::table(shares(&[("broadcast on Grig", &map, &trees)])).and_picture("Broadcast on Grig", picture))
}
