//! The table and the figures of Chiba, Endo and Matsuoka 2006.

use qtdec_core::naming::binary_size;
use qtdec_mpi_predict::models::PaperRow;

use crate::broadcasts::{self, COMM_SIZES, Cards, Form, MSG_SIZES};
use crate::item::{Item, Shown};
use crate::multirail::{CROSSING, LARGEST, ONE, Place, TWO, algorithms, figure, transfer};
use crate::table::{Column, NOTHING, Table, number};

pub(super) const ITEMS: &[Item] = &[
    Item {
        id: "multirail-table-1",
        title: "the formulas of five broadcasts, for 64 MiB in units of M/b",
        about: "The formulas count both cards of a node as one of rate b (250 MB/s here) and neglect what a segment costs. They are evaluated as printed and \
                without the misprint of van de Geijn's row, which has p/(p−1) for (p−1)/p. The simulation has each node's cards as **two** ports, of which a \
                schedule may use one alone, or **bonded** to one port of twice the rate; each time is the best of those with segments of 8 KiB, of 64 KiB \
                and without. The latency of 50 µs and the segments are assumed. The second table has two clusters of 16, 10 ms apart, in units of M/b + L.",
        make: table_1,
    },
    Item {
        id: "multirail-figure-6",
        title: "broadcasts among 32 nodes with two cards each",
        about: "The paper's numbers are in the figure alone. Of its text, 40 % (about the chain) and 60 % (about the binary tree) are legible without their \
                sentences: no agreement is claimed. Latency and segments are assumed; see `multirail-table-1`.",
        make: figure_6,
    },
    Item {
        id: "multirail-figure-7",
        title: "broadcasts in two clusters of 16 nodes, 10 ms apart",
        about: "The paper says that the binary tree takes 3 times as long as multirail. Messages between the clusters travel at the full rate of their card; the \
                binary tree consists of one tree in each cluster, and the root also sends to the other. The second table names the algorithms that take at \
                most 1 % longer than the fastest.",
        make: figure_7,
    },
];

fn row_of(algorithm: &str) -> Option<PaperRow> {
    match algorithm {
        "multirail" => Some(PaperRow::Multirail),
        "scatter_allgather" => Some(PaperRow::VanDeGeijn),
        "binomial" => Some(PaperRow::Binomial),
        "binary" => Some(PaperRow::Binary),
        "pipeline" => Some(PaperRow::Chain),
        _ => None,
    }
}

fn table_1() -> Result<Shown, String> {
    let rows = broadcasts::read()?;
    let place = |network, cards, comm_size| Place { rows: &rows, network, cards, comm_size };
    let sizes = Cards::ALL
        .map(|cards| COMM_SIZES.map(|size| Column::number(format!("{}: {size} ranks", cards.name()))));
    let formulas = ["Table 1, 32 ranks: printed", "Table 1, 32 ranks: corrected"].map(Column::number);
    let mut largest = Table::new(
        [Column::text("algorithm")].into_iter().chain(sizes.into_iter().flatten()).chain(formulas),
    );
    let unit = |time: f64, unit: f64| number(Some(time / unit), 3);
    for algorithm in algorithms() {
        let mut cells = vec![algorithm.to_owned()];
        for cards in Cards::ALL {
            for comm_size in COMM_SIZES {
                cells.push(unit(
                    place(ONE, cards, comm_size).time(Form::Plain, algorithm, LARGEST)?,
                    transfer(),
                ));
            }
        }
        let of_32 = place(ONE, Cards::Two, 32);
        match row_of(algorithm) {
            None => cells.extend([NOTHING, NOTHING].map(str::to_owned)),
            Some(row_of) => cells.extend([
                unit(of_32.printed(row_of, LARGEST)?, transfer()),
                unit(of_32.formula(row_of, LARGEST)?, transfer()),
            ]),
        }
        largest.row(cells);
    }
    let columns = ["two cards: plain", "two cards: in clusters", "bonded: plain", "bonded: in clusters"];
    let mut two_clusters =
        Table::new([Column::text("algorithm")].into_iter().chain(columns.map(Column::number)));
    for algorithm in algorithms() {
        let mut cells = vec![algorithm.to_owned()];
        for cards in Cards::ALL {
            for form in Form::ALL {
                let time = place(TWO, cards, 32).time(form, algorithm, LARGEST)?;
                cells.push(unit(time, transfer() + CROSSING));
            }
        }
        two_clusters.row(cells);
    }
    Ok(Shown::table(largest).and_table(two_clusters))
}

fn figure_6() -> Result<Shown, String> {
    let (table, picture) = figure(ONE, Form::Plain)?;
    Ok(Shown::table(table).and_picture("One cluster of 32 nodes", picture))
}

fn figure_7() -> Result<Shown, String> {
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
