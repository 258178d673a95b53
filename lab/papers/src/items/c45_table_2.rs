//! C4.5, Table 2: size and errors of the trees of broadcast.

use crate::c45_trees::{SIZE_AND_ERRORS, maps, report, size_and_errors, sweep};
use crate::item::{Item, Shown};
use crate::table::{Column, Table};

pub(super) const ITEM: Item = Item {
    id: "c45-table-2",
    title: "size and errors of the trees of broadcast on Grig before and after pruning, by weight and confidence",
    about: "The paper's numbers are lost in the copy at hand, so that there is nothing to compare. The encoder is C4.5 Release 8's: gain ratio, weight \
            (`-m`), confidence (`-c`), pruning with raised subtrees. The map is the simulated one of `2006-table-3`. Size is the number of leaves, as in \
            the paper; errors are cells with another method.",
    make,
};

fn make() -> Result<Shown, String> {
    let [bcast, _] = maps()?;
    let mut table = Table::new(["-m", "-c"].into_iter().chain(SIZE_AND_ERRORS).map(Column::number));
    for setting in sweep() {
        let cells = size_and_errors(&report(&bcast, setting)?);
        table.row([setting.0.to_string(), setting.1.to_string()].into_iter().chain(cells));
    }
    Ok(Shown::table(table))
}
