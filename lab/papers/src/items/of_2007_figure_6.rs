//! 2007, Figure 6: accuracy threshold against maximum depth.

use crate::data;
use crate::figures::constructions;
use crate::item::{Item, Shown};
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2007-figure-6",
    title: "mean penalty by mean depth of broadcast and reduce on Frodo and Grig, for trees limited by depth and by threshold",
    about: "The text says that trees limited in depth cost less than those of a threshold at the same mean depth, and that each further level lowers \
            their penalty where there are no spikes. Only broadcast on Grig was fitted.",
    make,
};

fn make() -> Result<Shown, String> {
    Ok(constructions(&data::all()?, &Making::merged()))
}
