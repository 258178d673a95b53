//! Multirail, Table 1: five formulas.

use qtdec_mpi_predict::models::PaperRow;

use crate::broadcasts::{self, COMM_SIZES, Cards, Form};
use crate::item::{Item, Shown};
use crate::multirail::{CROSSING, LARGEST, ONE, Place, TWO, algorithms, transfer};
use crate::table::{Column, NOTHING, Table, number};

pub(super) const ITEM: Item = Item {
    id: "multirail-table-1",
    title: "the formulas of five broadcasts, for 64 MiB in units of M/b",
    about: "The formulas count both cards of a node as one of rate b (250 MB/s here) and neglect what a segment costs. They are evaluated as printed and \
            without the misprint of van de Geijn's row, which has p/(p−1) for (p−1)/p. The simulation has each node's cards as **two** ports, of which a \
            schedule may use one alone, or **bonded** to one port of twice the rate; each time is the best of those with segments of 8 KiB, of 64 KiB \
            and without. The latency of 50 µs and the segments are assumed. The second table has two clusters of 16, 10 ms apart, in units of M/b + L.",
    make,
};

fn row(algorithm: &str) -> Option<PaperRow> {
    match algorithm {
        "multirail" => Some(PaperRow::Multirail),
        "scatter_allgather" => Some(PaperRow::VanDeGeijn),
        "binomial" => Some(PaperRow::Binomial),
        "binary" => Some(PaperRow::Binary),
        "pipeline" => Some(PaperRow::Chain),
        _ => None,
    }
}

fn make() -> Result<Shown, String> {
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
        match row(algorithm) {
            None => cells.extend([NOTHING, NOTHING].map(str::to_owned)),
            Some(row) => cells.extend([
                unit(of_32.printed(row, LARGEST)?, transfer()),
                unit(of_32.formula(row, LARGEST)?, transfer()),
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
