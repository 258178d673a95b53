//! The tables and figures of the paper about C4.5.

use qtdec_core::tree::{Node, Subtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree};
use qtdec_report::picture::{self, Plane};

use crate::c45_trees::{
    CONFIDENCES, FEW, PENALTIES, SIZE_AND_ERRORS, both, maps, penalties, report, size_and_errors, sweep, tree,
};
use crate::figures::{claims, mean_penalty, plane};
use crate::item::{Item, Shown};
use crate::nano;
use crate::table::{Column, Table, number};

pub(super) const ITEMS: &[Item] = &[
    Item {
        id: "c45-table-1",
        title: "the tree of a collective on Nano, with its cases and errors at the leaves",
        about: "The paper's numbers and the name of the collective are lost in the copy at hand; the legible classes are *ring* and *linear*. This is the \
                all-to-all on the network `nano`, with sizes of our own, by the linear exchange and by the pairwise one, whose partners go around a ring.",
        make: table_1,
    },
    Item {
        id: "c45-table-2",
        title: "size and errors of the trees of broadcast on Grig before and after pruning, by weight and confidence",
        about: "The paper's numbers are lost in the copy at hand, so that there is nothing to compare. The encoder is C4.5 Release 8's: gain ratio, weight \
                (`-m`), confidence (`-c`), pruning with raised subtrees. The map is the simulated one of `2006-table-3`. Size is the number of leaves, as in \
                the paper; errors are cells with another method.",
        make: table_2,
    },
    Item {
        id: "c45-table-3",
        title: "penalties of the trees of broadcast on Grig, by weight and confidence",
        about: "The paper's numbers are lost in the copy at hand. Its text says that the min, mean and median penalty of all trees are low, that the share of \
                misclassified cells does not translate into penalty, and that few cells pay much. The picture has the mean penalty by leaves, a line for each \
                confidence.",
        make: table_3,
    },
    Item {
        id: "c45-table-4",
        title: "size and errors of the trees of broadcast and reduce together, by weight and confidence",
        about: "The paper's numbers are lost in the copy at hand. The collective is an attribute like ranks and bytes.",
        make: table_4,
    },
    Item {
        id: "c45-table-5",
        title: "mean penalty of the trees of broadcast and reduce, separately and together",
        about: "The paper's numbers are lost in the copy at hand. Its text says that larger weights and lower confidence make smaller trees at hardly more cost.",
        make: table_5,
    },
    Item {
        id: "c45-table-6",
        title: "a part of the tree of broadcast and reduce together",
        about: "The text says that the type of the collective is tested for the first time at the third level. This is the whole tree of the smallest setting.",
        make: table_6,
    },
    Item {
        id: "c45-figure-1",
        title: "decision maps of broadcast on Grig: measured, and of trees by weight and confidence",
        about: "A prediction about the trees from the simulated map of `2006-table-3`, which was fitted. The paper's settings are lost in the copy at hand.",
        make: figure_1,
    },
    Item {
        id: "c45-figure-2",
        title: "decision maps of broadcast and reduce: measured, and of the trees of both together",
        about: "As `c45-figure-1`, for the trees of both collectives: a picture for each collective.",
        make: figure_2,
    },
];

fn table_1() -> Result<Shown, String> {
    let report = report(&nano::alltoall()?, (2, 25.0))?;
    let mut table = Table::new(SIZE_AND_ERRORS.map(Column::number));
    table.row(size_and_errors(&report));
    Ok(Shown::table(table).and_text("The all-to-all on Nano", report.tree))
}

fn table_2() -> Result<Shown, String> {
    let [bcast, _] = maps()?;
    sizes_and_errors(&bcast, sweep())
}

fn sizes_and_errors(
    map: &DecisionMap,
    settings: impl IntoIterator<Item = (u32, f64)>,
) -> Result<Shown, String> {
    let mut table = Table::new(["-m", "-c"].into_iter().chain(SIZE_AND_ERRORS).map(Column::number));
    for setting in settings {
        let cells = size_and_errors(&report(map, setting)?);
        table.row([setting.0.to_string(), setting.1.to_string()].into_iter().chain(cells));
    }
    Ok(Shown::table(table))
}

fn table_3() -> Result<Shown, String> {
    let [bcast, _] = maps()?;
    let mut table =
        Table::new(["-m", "-c"].into_iter().chain(SIZE_AND_ERRORS).chain(PENALTIES).map(Column::number));
    let mut series = CONFIDENCES.map(|confidence| (format!("-c {confidence}"), Vec::new()));
    for setting in sweep() {
        let tree = tree(&bcast, setting)?;
        let leaves = tree.statistics().encoding.leaves as f64;
        let of_confidence = CONFIDENCES.iter().position(|confidence| *confidence == setting.1);
        series[of_confidence.unwrap_or(0)].1.push((leaves, mean_penalty(&tree)));
        let name = [setting.0.to_string(), setting.1.to_string()];
        let sizes = size_and_errors(&report(&bcast, setting)?);
        table.row(name.into_iter().chain(sizes).chain(penalties(&tree)));
    }
    for (_, points) in &mut series {
        points.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    }
    let picture = picture::mean_penalties("broadcast on Grig, simulated", "leaves", &series);
    Ok(Shown::table(table).and_picture("Mean penalty by leaves", picture))
}

fn table_4() -> Result<Shown, String> {
    sizes_and_errors(&both()?, FEW)
}

fn table_5() -> Result<Shown, String> {
    let [bcast, reduce] = maps()?;
    let both = both()?;
    let mut table = Table::new(
        [
            "-m",
            "-c",
            "broadcast: leaves",
            "broadcast: mean penalty %",
            "reduce: leaves",
            "reduce: mean penalty %",
            "both: leaves",
            "both: mean penalty %",
        ]
        .map(Column::number),
    );
    for setting in FEW {
        let mut cells = vec![setting.0.to_string(), setting.1.to_string()];
        for map in [&bcast, &reduce, &both] {
            let tree = tree(map, setting)?;
            cells.push(tree.statistics().encoding.leaves.to_string());
            cells.push(number(Some(mean_penalty(&tree)), 2));
        }
        table.row(cells);
    }
    Ok(Shown::table(table))
}

fn table_6() -> Result<Shown, String> {
    let both = both()?;
    let levels = [(2, 25.0), (40, 5.0)].map(|setting| {
        let level = tree(&both, setting).map(|tree| first_level(&tree));
        level.map(|level| {
            let level = level.map_or("not tested".to_owned(), |level| level.to_string());
            [
                format!("level at which the collective is first tested, -m {} -c {}", setting.0, setting.1),
                "3".to_owned(),
                level,
            ]
        })
    });
    let [default, smallest] = levels;
    let text = report(&both, (40, 5.0))?.tree;
    Ok(Shown::table(claims([default?, smallest?])).and_text("The tree of -m 40 -c 5", text))
}

/// Returns the least level, from 1 on, at which a tree tests the first axis.
fn first_level(tree: &DecisionTree) -> Option<usize> {
    fn least(tree: Subtree<'_>, level: usize) -> Option<usize> {
        match tree.node() {
            Node::Leaf(_) => None,
            Node::Test { axis: 0, .. } => Some(level),
            Node::Test { below, at_or_above, .. } => {
                [below, at_or_above].into_iter().filter_map(|part| least(part, level + 1)).min()
            }
        }
    }
    least(tree.root(), 1)
}

fn figure_1() -> Result<Shown, String> {
    let [bcast, _] = maps()?;
    let trees = trees(&bcast, &FEW)?;
    Ok(Shown::picture("Broadcast on Grig", picture::map_and_trees(&bcast, &trees, &plane(&bcast), false)))
}

/// Returns the trees of settings, each under its options.
fn trees(map: &DecisionMap, settings: &[(u32, f64)]) -> Result<Vec<(String, DecisionTree)>, String> {
    let named =
        |setting: &(u32, f64)| Ok((format!("-m {} -c {}", setting.0, setting.1), tree(map, *setting)?));
    settings.iter().map(named).collect()
}

fn figure_2() -> Result<Shown, String> {
    let both = both()?;
    let trees = trees(&both, &[FEW[0], FEW[4]])?;
    let mut shown = Shown::default();
    for (index, collective) in [(0, "broadcast"), (1, "reduce")] {
        let plane = Plane::new(both.domain(), Borders::Floor, &[("collective".to_owned(), index)]);
        let plane = plane.map_err(|fault| format!("{fault:?}"))?;
        shown = shown.and_picture(collective, picture::map_and_trees(&both, &trees, &plane, false));
    }
    Ok(shown)
}
