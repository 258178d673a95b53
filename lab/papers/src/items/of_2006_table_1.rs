//! 2006, Table 1: the choice of an algorithm as a classification.

use qtdec_core::DecisionMap;
use qtdec_mpi_schedule::Collective;

use crate::cases::{Example, columns, compared};
use crate::data;
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::simulated::Simulated;
use crate::table::{Column, NOTHING, Table};

pub(super) const ITEM: Item = Item {
    id: "2006-table-1",
    title: "interpreting the selection of an algorithm as a classification",
    about: "The calls of the paper's example, with the method that wins on the simulated Grig, of all numbers of ranks. The number \
            of a method depends on the order of the list, and is not compared. Barriers were not simulated on Grig.",
    make,
};

/// The calls that the table shows, and what it says about them.
const CASES: [(Collective, Example); 4] = [
    (Collective::Bcast, (24, 1024, "linear", None)),
    (Collective::Bcast, (27, 2048, "linear", None)),
    (Collective::Bcast, (28, 131_072, "binomial", Some(8192))),
    (Collective::Reduce, (11, 122_880, "pipeline", Some(1024))),
];

fn make() -> Result<Shown, String> {
    let [bcast, reduce] = [Collective::Bcast, Collective::Reduce]
        .map(|collective| data::read_other(Simulated::AllRanks(collective)).map(|map| of_2006(&map)));
    let (bcast, reduce) = (bcast?, reduce?);
    let mut table = Table::new([Column::text("collective")].into_iter().chain(columns()));
    for (collective, example) in CASES {
        let map: &DecisionMap = if collective == Collective::Bcast { &bcast } else { &reduce };
        table.row([collective.name().to_owned()].into_iter().chain(compared(map, example, "0")));
    }
    let barrier = ["barrier", "96", "0", "bruck", NOTHING, "0", NOTHING, NOTHING];
    table.row(barrier.map(str::to_owned));
    Ok(Shown::table(table))
}
