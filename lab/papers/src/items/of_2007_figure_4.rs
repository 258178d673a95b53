//! 2007, Figure 4: decision maps of broadcast, limited by the accuracy threshold.

use crate::data;
use crate::figures::{by_threshold, maps, sizes};
use crate::item::{Item, Shown};
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2007-figure-4",
    title: "decision maps of broadcast on (a) Frodo and (b) Grig, by accuracy threshold",
    about: "The thresholds of the paper's panels are not legible in the copy at hand: these are 40, 60 and 80 %. Frodo is a prediction, Grig nearly \
            the fit.",
    make,
};

const THRESHOLDS: [u32; 3] = [40, 60, 80];

fn make() -> Result<Shown, String> {
    let mut shown = Shown::default();
    for (name, map) in data::broadcasts()? {
        let trees = by_threshold(&map, THRESHOLDS, &Making::merged());
        let table = sizes("threshold %", &[(name, &trees)]);
        shown = shown.and_table(table).and_picture(name, maps(&map, &trees, "threshold"));
    }
    Ok(shown)
}
