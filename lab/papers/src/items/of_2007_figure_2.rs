//! 2007, Figure 2: decision maps of broadcast, limited in depth.

use crate::data;
use crate::figures::{by_depth, maps, sizes};
use crate::item::{Item, Shown};
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2007-figure-2",
    title: "decision maps of broadcast on (a) Frodo and (b) Grig, by depth",
    about: "Frodo is a prediction, Grig nearly the fit. Fill `stretch`; leaves are merged. Which methods win is compared in `2007-section-4.1`.",
    make,
};

fn make() -> Result<Shown, String> {
    let mut shown = Shown::default();
    for (name, map) in data::broadcasts()? {
        let trees = by_depth(&map, 1..=6, &Making::merged());
        let table = sizes("max depth", &[(name, &trees)]);
        shown = shown.and_table(table).and_picture(name, maps(&map, &trees, "max depth"));
    }
    Ok(shown)
}
