//! 2007, Figure 5: mean depth and mean penalty by accuracy threshold.

use crate::data;
use crate::figures::{by_threshold, claims, curves, from_threshold, sizes};
use crate::item::{Item, Shown};
use crate::table::number;
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2007-figure-5",
    title: "mean depth and mean penalty of broadcast and reduce on Frodo and Grig, by accuracy threshold",
    about: "The text says that the mean depth is flat from 45 % (reduce on Frodo) to almost 70 % (reduce on Grig) on. Flat is read here as within a \
            tenth of the exact tree's mean depth. Only broadcast on Grig was fitted. Shown with both fills; leaves are merged.",
    make,
};

/// The difference from the exact tree's mean depth that counts as flat, as a share of it.
const FLAT: f64 = 0.1;

fn make() -> Result<Shown, String> {
    let mut rows = Vec::new();
    let mut shown = Shown::default();
    for (name, map) in data::all()? {
        let stretched = by_threshold(&map, (5..=100).step_by(5), &Making::merged());
        let last = by_threshold(&map, (5..=100).step_by(5), &Making::merged_with_last());
        let printed = match name {
            "reduce on Frodo" => "45",
            "reduce on Grig" => "almost 70",
            _ => "45 to almost 70",
        };
        let flat = [&stretched, &last].map(|trees| {
            let depth = |tree: &qtdec_core::DecisionTree| tree.statistics().encoding.depth.mean;
            let exact = trees.last().map_or(f64::NAN, |(_, tree)| depth(tree));
            number(from_threshold(trees, |tree| (depth(tree) - exact).abs() <= FLAT * exact), 0)
        });
        let ours = format!("{} with `stretch`, {} with `last`", flat[0], flat[1]);
        rows.push([
            format!("{name}: threshold from which on the mean depth is flat"),
            printed.to_owned(),
            ours,
        ]);
        let [with_stretch, with_last] = ["stretch", "last"].map(|fill| format!("{name}, fill `{fill}`"));
        shown = shown
            .and_table(sizes("threshold %", &[(&with_stretch, &stretched), (&with_last, &last)]))
            .and_picture(name, curves(&stretched));
    }
    shown.tables.insert(0, claims(rows));
    Ok(shown)
}
