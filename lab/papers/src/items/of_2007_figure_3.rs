//! 2007, Figure 3: penalties of broadcast.

use qtdec_report::picture::Bands;

use crate::data;
use crate::figures::{by_depth, penalties, shares};
use crate::item::{Item, Shown};
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2007-figure-3",
    title: "penalties of broadcast on (a) Frodo and (b) Grig, by depth",
    about: "In the paper's colours: white below 5 %, yellow from 10 to 25 %, red from 50 % on. Frodo is a prediction and lacks the spike of the \
            paper's measurements; Grig is nearly the fit.",
    make,
};

fn make() -> Result<Shown, String> {
    let mut shown = Shown::default();
    for (name, map) in data::broadcasts()? {
        let trees = by_depth(&map, 1..=5, &Making::merged());
        let picture = penalties(&map, &trees, Bands::Paper2007);
        shown = shown.and_table(shares(&[(name, &map, &trees)])).and_picture(name, picture);
    }
    Ok(shown)
}
