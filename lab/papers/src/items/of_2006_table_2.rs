//! 2006, Table 2: a decision map as a table.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::cases::{Example, examples, listing};
use crate::data;
use crate::item::{Item, Shown};
use crate::part::of_2006;

pub(super) const ITEM: Item = Item {
    id: "2006-table-2",
    title: "an example of a decision map as a table",
    about: "The rows that the paper prints, and all decisions of the simulated map of broadcast on Grig. The paper's row for 128 \
            ranks lies outside of Grig's grid: its decision is that of the largest size, as the paper expands boundaries.",
    make,
};

const PRINTED: [Example; 4] = [
    (3, 1, "linear", None),
    (3, 2, "linear", None),
    (16, 128, "linear", None),
    (128, 64 << 10, "binary", Some(8 << 10)),
];

fn make() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    Ok(Shown::table(examples(&map, &PRINTED)).and_table(listing(&map)))
}
