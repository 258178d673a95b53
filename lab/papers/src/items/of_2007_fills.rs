//! The tables about trees with both fills of the grid.

use crate::item::{Item, Shown};
use crate::printed_tables::tables;
use crate::table::{Table, number};
use crate::trees::{Described, Making};
use qtdec_core::encode::Fill;

pub(super) const ITEM: Item = Item {
    id: "2007-fills",
    title: "the tables about trees of both papers, with both ways to fill a grid up to a power of two",
    about: "The papers say that entries are replicated, and not which. `stretch` repeats samples about equally often, `last` the last one alone. The \
            network of Grig was fitted to 2006, Table 3, with `stretch`.",
    make,
};

fn make() -> Result<Shown, String> {
    let mut shown = Table::of(
        &["table"],
        [
            "max depth",
            "leaves: paper",
            "leaves: `stretch`",
            "leaves: `last`",
            "mean penalty %: paper",
            "mean penalty %: `stretch`",
            "mean penalty %: `last`",
        ],
    );
    for table in tables() {
        let map = table.map()?;
        for row in table.rows {
            let [stretched, last] = [Fill::Stretch, Fill::Last].map(|fill| {
                let making = Making { fill, ..table.making() };
                Described::new(&making.tree(&map, row.depth), &map, &making)
            });
            shown.row([
                table.name.to_owned(),
                row.depth.to_string(),
                row.leaves.to_string(),
                stretched.leaves.to_string(),
                last.leaves.to_string(),
                number(Some(row.penalty_mean), 2),
                number(Some(stretched.penalty_mean), 2),
                number(Some(last.penalty_mean), 2),
            ]);
        }
    }
    Ok(Shown::table(shown))
}
