//! Multirail, Figure 7: two clusters of 16 nodes.

use qtdec_core::naming::binary_size;

use crate::broadcasts::{self, COMM_SIZES, Cards, Form, MSG_SIZES};
use crate::item::{Item, Shown};
use crate::multirail::{ONE, Place, TWO, figure};
use crate::table::{Column, Table};

pub(super) const ITEM: Item = Item {
    id: "multirail-figure-7",
    title: "broadcasts in two clusters of 16 nodes, 10 ms apart",
    about: "The paper says that the binary tree takes 3 times as long as multirail. Messages between the clusters travel at the full rate of their card; the \
            binary tree consists of one tree in each cluster, and the root also sends to the other. The second table names the algorithms that take at \
            most 1 % longer than the fastest.",
    make,
};

fn make() -> Result<Shown, String> {
    let (table, picture) = figure(TWO, Form::Aware)?;
    let rows = broadcasts::read()?;
    let place = |network, cards, comm_size| Place { rows: &rows, network, cards, comm_size };
    let sizes = COMM_SIZES.map(|size| Column::text(format!("{size} ranks")));
    let mut winners = Table::new(
        [Column::text("cards"), Column::number("bytes")]
            .into_iter()
            .chain(sizes)
            .chain([Column::text("two clusters of 16")]),
    );
    for cards in Cards::ALL {
        for size in MSG_SIZES {
            let one = COMM_SIZES.map(|comm_size| place(ONE, cards, comm_size));
            let places = one.into_iter().chain([place(TWO, cards, 32)]);
            let names = places.map(|place| place.winners(size));
            winners.row([cards.name().to_owned(), binary_size(size)].into_iter().chain(names));
        }
    }
    Ok(Shown::table(table).and_table(winners).and_picture("Two clusters of 16 nodes", picture))
}
