//! C4.5, Figure 2: decision maps of the trees of broadcast and reduce together.

use qtdec_core::Borders;
use qtdec_report::picture::{self, Plane};

use crate::c45_trees::{FEW, both, tree};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "c45-figure-2",
    title: "decision maps of broadcast and reduce: measured, and of the trees of both together",
    about: "As `c45-figure-1`, for the trees of both collectives: a picture for each collective.",
    make,
};

fn make() -> Result<Shown, String> {
    let both = both()?;
    let tree =
        |setting: (u32, f64)| Ok((format!("-m {} -c {}", setting.0, setting.1), tree(&both, setting)?));
    let trees: Vec<_> = [FEW[0], FEW[4]].into_iter().map(tree).collect::<Result<_, String>>()?;
    let mut shown = Shown::default();
    for (index, collective) in [(0, "broadcast"), (1, "reduce")] {
        let plane = Plane::new(both.domain(), Borders::Floor, &[("collective".to_owned(), index)]);
        let plane = plane.map_err(|fault| format!("{fault:?}"))?;
        shown = shown.and_picture(collective, picture::map_and_trees(&both, &trees, &plane, false));
    }
    Ok(shown)
}
