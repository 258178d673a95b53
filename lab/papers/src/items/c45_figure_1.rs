//! C4.5, Figure 1: decision maps of broadcast.

use crate::c45_trees::{FEW, maps, tree};
use crate::figures::plane;
use crate::item::{Item, Shown};
use qtdec_report::picture;

pub(super) const ITEM: Item = Item {
    id: "c45-figure-1",
    title: "decision maps of broadcast on Grig: measured, and of trees by weight and confidence",
    about: "A prediction about the trees from the simulated map of `2006-table-3`, which was fitted. The paper's settings are lost in the copy at hand.",
    make,
};

fn make() -> Result<Shown, String> {
    let [bcast, _] = maps()?;
    let tree =
        |setting: (u32, f64)| Ok((format!("-m {} -c {}", setting.0, setting.1), tree(&bcast, setting)?));
    let trees: Vec<_> = FEW.into_iter().map(tree).collect::<Result<_, String>>()?;
    Ok(Shown::picture("Broadcast on Grig", picture::map_and_trees(&bcast, &trees, &plane(&bcast), false)))
}
