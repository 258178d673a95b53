//! 2006, Figure 1: the decision map of reduce on Nano.

use crate::figures::by_depth;
use crate::figures::{maps, sizes};
use crate::item::{Item, Shown};
use crate::nano;
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2006-figure-1",
    title: "the decision map of reduce on Nano",
    about: "The papers print neither sizes nor times of Nano. This is a network of our own, `nano`, with sizes of our own: 9 numbers of ranks \
            and 9 message sizes. It shows that the experiment can be repeated, not that the map is the paper's.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = nano::reduce()?;
    let trees = by_depth(&map, 1..=4, &Making::default());
    let table = sizes("max depth", &[("reduce on Nano", &trees)]);
    Ok(Shown::table(table).and_picture("Reduce on Nano, and its trees", maps(&map, &trees, "max depth")))
}
