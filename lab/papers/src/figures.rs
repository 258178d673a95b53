//! What the figures about quadtrees have in common: trees by depth and by threshold, their pictures and their numbers.

use qtdec_core::{Borders, DecisionMap, DecisionTree};
use qtdec_report::picture::{self, Bands, Picture, Plane};
use qtdec_study::study::assess::{BANDS, LeaveOut, assess};

use crate::item::Shown;
use crate::table::{Column, Table, number};
use crate::trees::{Making, encoded};

/// A tree and the limit that made it.
pub(crate) type Limited = (f64, DecisionTree);

/// Returns the trees of these depths.
pub(crate) fn by_depth(
    map: &DecisionMap,
    depths: impl IntoIterator<Item = u32>,
    making: &Making,
) -> Vec<Limited> {
    depths.into_iter().map(|depth| (f64::from(depth), making.tree(map, depth))).collect()
}

/// Returns the trees of these accuracy thresholds, in per cent.
pub(crate) fn by_threshold(
    map: &DecisionMap,
    thresholds: impl IntoIterator<Item = u32>,
    making: &Making,
) -> Vec<Limited> {
    let tree = |threshold: u32| {
        let threshold = f64::from(threshold);
        (threshold, encoded(map, &making.of_threshold(threshold)))
    };
    thresholds.into_iter().map(tree).collect()
}

fn named(trees: &[Limited], limit: &str) -> Vec<(String, DecisionTree)> {
    trees.iter().map(|(value, tree)| (format!("{limit} {value}"), tree.clone())).collect()
}

/// Returns the plane of a map's picture: message sizes to the right, ranks upward.
///
/// # Panics
///
/// Panics if the map has more than two axes, which the papers' maps do not have.
pub(crate) fn plane(map: &DecisionMap) -> Plane {
    Plane::new(map.domain(), Borders::Floor, &[]).expect("a map of the papers has two axes")
}

/// Returns the measured map next to its trees.
pub(crate) fn maps(map: &DecisionMap, trees: &[Limited], limit: &str) -> Picture {
    picture::map_and_trees(map, &named(trees, limit), &plane(map), false)
}

/// Returns the penalties of the trees in the colours of a paper.
pub(crate) fn penalties(map: &DecisionMap, trees: &[Limited], bands: Bands) -> Picture {
    let picture = picture::penalties_of_trees(map, &named(trees, "max depth"), &plane(map), bands);
    picture.expect("simulated maps have times")
}

/// Returns mean depth and mean penalty by threshold.
pub(crate) fn curves(trees: &[Limited]) -> Picture {
    let trees: Vec<(f64, &DecisionTree)> = trees.iter().map(|(value, tree)| (*value, tree)).collect();
    picture::curves("threshold", &trees)
}

/// Returns the mean penalty by mean depth for both ways to limit trees.
pub(crate) fn construction(by_depth: &[Limited], by_threshold: &[Limited]) -> Picture {
    let trees = |limited: &[Limited]| limited.iter().map(|(_, tree)| tree.clone()).collect::<Vec<_>>();
    picture::construction(&trees(by_depth), &trees(by_threshold))
}

/// Returns the size and the mean penalty of trees, each group with its name.
pub(crate) fn sizes(limit: &str, groups: &[(&str, &[Limited])]) -> Table {
    let mut table = Table::of(&["map"], [limit, "depth: max", "depth: mean", "mean penalty %", "leaves"]);
    for (name, trees) in groups {
        for (value, tree) in *trees {
            let encoding = &tree.statistics().encoding;
            let mean = encoding.quality.penalty.as_ref().map(|penalty| penalty.mean);
            table.row([
                (*name).to_owned(),
                value.to_string(),
                encoding.depth.max.to_string(),
                number(Some(encoding.depth.mean), 2),
                number(mean, 2),
                encoding.leaves.to_string(),
            ]);
        }
    }
    table
}

/// Returns the share of cells in each of the papers' bands of penalties, by depth.
pub(crate) fn shares(groups: &[(&str, &DecisionMap, &[Limited])]) -> Table {
    let bands = BANDS.map(|percent| Column::number(format!("cells with a penalty, %: above {percent} %")));
    let mut table = Table::new([Column::text("map"), Column::number("max depth")].into_iter().chain(bands));
    for (name, map, trees) in groups {
        for (value, tree) in *trees {
            let above = assess(&tree.cells(), map, &LeaveOut::default()).map(|assessment| assessment.above);
            let above = above.unwrap_or([f64::NAN; 4]).map(|share| number(Some(share), 2));
            table.row([(*name).to_owned(), value.to_string()].into_iter().chain(above));
        }
    }
    table
}

/// Returns the least threshold from which on a quantity of the trees stays within a limit.
pub(crate) fn from_threshold(trees: &[Limited], is_within: impl Fn(&DecisionTree) -> bool) -> Option<f64> {
    trees.iter().rev().take_while(|(_, tree)| is_within(tree)).last().map(|(value, _)| *value)
}

/// Returns the mean penalty of a tree.
pub(crate) fn mean_penalty(tree: &DecisionTree) -> f64 {
    tree.statistics().encoding.quality.penalty.as_ref().map_or(f64::NAN, |penalty| penalty.mean)
}

/// Returns the mean depth of the leaves of a tree.
pub(crate) fn mean_depth(tree: &DecisionTree) -> f64 {
    tree.statistics().encoding.depth.mean
}

/// Returns a table of what a paper says about a figure in words, and what holds here.
pub(crate) fn claims(rows: impl IntoIterator<Item = [String; 3]>) -> Table {
    let mut table = Table::new(["statement", "paper", "ours"].map(Column::text));
    for row in rows {
        table.row(row);
    }
    table
}

/// Returns the mean penalties by mean depth of both ways to limit trees, for each map.
pub(crate) fn constructions(maps: &[(&str, DecisionMap)], making: &Making) -> Shown {
    let deepest = 6;
    let mut shown = Shown::default();
    for (name, map) in maps {
        let of_depth = by_depth(map, 1..=deepest, making);
        let of_threshold = by_threshold(map, (5..=100).step_by(5), making);
        let [by_depth, by_threshold] =
            ["limited in depth", "limited by threshold"].map(|how| format!("{name}, {how}"));
        shown = shown
            .and_table(sizes("limit", &[(&by_depth, &of_depth), (&by_threshold, &of_threshold)]))
            .and_picture(*name, construction(&of_depth, &of_threshold));
    }
    shown
}
