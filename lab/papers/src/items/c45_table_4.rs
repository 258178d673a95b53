//! C4.5, Table 4: trees of broadcast and reduce together.

use crate::c45_trees::{FEW, SIZE_AND_ERRORS, both, report, size_and_errors};
use crate::item::{Item, Shown};
use crate::table::{Column, Table};

pub(super) const ITEM: Item = Item {
    id: "c45-table-4",
    title: "size and errors of the trees of broadcast and reduce together, by weight and confidence",
    about: "The paper's numbers are lost in the copy at hand. The collective is an attribute like ranks and bytes.",
    make,
};

fn make() -> Result<Shown, String> {
    let both = both()?;
    let mut table = Table::new(["-m", "-c"].into_iter().chain(SIZE_AND_ERRORS).map(Column::number));
    for setting in FEW {
        let cells = size_and_errors(&report(&both, setting)?);
        table.row([setting.0.to_string(), setting.1.to_string()].into_iter().chain(cells));
    }
    Ok(Shown::table(table))
}
