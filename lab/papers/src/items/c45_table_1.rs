//! C4.5, Table 1: the tree of a collective on Nano.

use crate::c45_trees::{SIZE_AND_ERRORS, report, size_and_errors};
use crate::item::{Item, Shown};
use crate::nano;
use crate::table::{Column, Table};

pub(super) const ITEM: Item = Item {
    id: "c45-table-1",
    title: "the tree of a collective on Nano, with its cases and errors at the leaves",
    about: "The paper's numbers and the name of the collective are lost in the copy at hand; the legible classes are *ring* and *linear*. This is the \
            all-to-all on the network `nano`, with sizes of our own, by the linear exchange and by the pairwise one, whose partners go around a ring.",
    make,
};

fn make() -> Result<Shown, String> {
    let report = report(&nano::alltoall()?, (2, 25.0))?;
    let mut table = Table::new(SIZE_AND_ERRORS.map(Column::number));
    table.row(size_and_errors(&report));
    Ok(Shown::table(table).and_text("The all-to-all on Nano", report.tree))
}
