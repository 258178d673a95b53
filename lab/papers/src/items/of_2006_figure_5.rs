//! 2006, Figure 5: accuracy threshold against maximum depth on Grig.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::data;
use crate::figures::constructions;
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2006-figure-5",
    title: "mean penalty by mean depth on Grig, for trees limited by depth and by threshold",
    about: "Broadcast was fitted, reduce was not. The text says that trees limited in depth cost less than those of a threshold at the same mean \
            depth, except for broadcasts whose trees are nearly exact.",
    make,
};

fn make() -> Result<Shown, String> {
    let [bcast, reduce] =
        [Collective::Bcast, Collective::Reduce].map(|collective| data::read(Cluster::Grig, collective));
    let maps = [("broadcast on Grig", of_2006(&bcast?)), ("reduce on Grig", of_2006(&reduce?))];
    Ok(constructions(&maps, &Making::default()))
}
