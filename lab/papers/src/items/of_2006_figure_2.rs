//! 2006, Figure 2: decision maps of broadcast on Grig, limited in depth.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::data;
use crate::figures::{by_depth, maps, sizes};
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2006-figure-2",
    title: "decision maps of broadcast on Grig, by depth",
    about: "Fitted: see `2006-table-3`. The caption says that the crossover of depth 1 is not in the middle because of points that were filled \
            in, which fits the fill `last`: the second picture. All tables assume `stretch`.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    let stretched = by_depth(&map, 1..=6, &Making::default());
    let last = by_depth(&map, 1..=6, &Making::with_last());
    let table = sizes("max depth", &[("fill `stretch`", &stretched), ("fill `last`", &last)]);
    Ok(Shown::table(table)
        .and_picture("Fill `stretch`", maps(&map, &stretched, "max depth"))
        .and_picture("Fill `last`", maps(&map, &last, "max depth")))
}
