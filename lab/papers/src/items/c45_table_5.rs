//! C4.5, Table 5: penalties of the trees of broadcast and reduce together.

use crate::c45_trees::{FEW, both, maps, tree};
use crate::figures::mean_penalty;
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};

pub(super) const ITEM: Item = Item {
    id: "c45-table-5",
    title: "mean penalty of the trees of broadcast and reduce, separately and together",
    about: "The paper's numbers are lost in the copy at hand. Its text says that larger weights and lower confidence make smaller trees at hardly more cost.",
    make,
};

fn make() -> Result<Shown, String> {
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
