//! 2006, Figure 4: the effect of the accuracy threshold on reduce.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::data;
use crate::figures::{by_threshold, claims, curves, from_threshold, mean_penalty, sizes};
use crate::item::{Item, Shown};
use crate::nano;
use crate::part::of_2006;
use crate::table::number;
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2006-figure-4",
    title: "mean penalty of reduce on Grig and Nano, by accuracy threshold",
    about: "Grig is a prediction (see `2006-table-4`). Nano has sizes and a network of our own (see `2006-figure-1`). The text says that the \
            mean penalty is below 10 % from a threshold of about 45 % on, in trees of depth 3.",
    make,
};

/// The limit of which the text speaks, in per cent.
const LIMIT: f64 = 10.0;

fn make() -> Result<Shown, String> {
    let maps =
        [("Grig", of_2006(&data::read(Cluster::Grig, Collective::Reduce)?)), ("Nano", nano::reduce()?)];
    let trees = maps
        .each_ref()
        .map(|(name, map)| (*name, by_threshold(map, (5..=100).step_by(5), &Making::default())));
    let below = |tree: &qtdec_core::DecisionTree| mean_penalty(tree) < LIMIT;
    let claim = |(name, trees): &(&str, Vec<_>)| {
        let ours = from_threshold(trees, below);
        let depth = trees.iter().find(|(value, _)| Some(*value) == ours);
        let depth = depth.map_or(0, |(_, tree)| tree.statistics().encoding.depth.max);
        [
            [
                format!("{name}: threshold from which on the penalty is below 10 %"),
                "about 45".to_owned(),
                number(ours, 0),
            ],
            [format!("{name}: greatest depth of that tree"), "3".to_owned(), depth.to_string()],
        ]
    };
    let table = claims(trees.iter().flat_map(claim));
    let groups: Vec<(&str, &[_])> = trees.iter().map(|(name, trees)| (*name, &trees[..])).collect();
    let shown = Shown::table(sizes("threshold %", &groups)).and_table(table);
    Ok(trees
        .iter()
        .fold(shown, |shown, (name, trees)| shown.and_picture(format!("Reduce on {name}"), curves(trees))))
}
