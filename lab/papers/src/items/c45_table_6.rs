//! C4.5, Table 6: a part of the tree of broadcast and reduce together.

use crate::c45_trees::{both, report, tree};
use crate::figures::claims;
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "c45-table-6",
    title: "a part of the tree of broadcast and reduce together",
    about: "The text says that the type of the collective is tested for the first time at the third level. This is the whole tree of the smallest setting.",
    make,
};

fn make() -> Result<Shown, String> {
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
fn first_level(tree: &qtdec_core::DecisionTree) -> Option<usize> {
    fn least(tree: qtdec_core::tree::Subtree<'_>, level: usize) -> Option<usize> {
        match tree.node() {
            qtdec_core::tree::Node::Leaf(_) => None,
            qtdec_core::tree::Node::Test { axis: 0, .. } => Some(level),
            qtdec_core::tree::Node::Test { below, at_or_above, .. } => {
                [below, at_or_above].into_iter().filter_map(|part| least(part, level + 1)).min()
            }
        }
    }
    least(tree.root(), 1)
}
