//! 2006, Table 1: the choice of an algorithm as a classification.

use qtdec_core::{Borders, DecisionMap};
use qtdec_mpi::Collective;

use crate::cases::{Case, chosen};
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
const CASES: [(Collective, u64, u64, &str, u64); 4] = [
    (Collective::Bcast, 24, 1024, "linear", 0),
    (Collective::Bcast, 27, 2048, "linear", 0),
    (Collective::Bcast, 28, 131_072, "binomial", 8192),
    (Collective::Reduce, 11, 122_880, "pipeline", 1024),
];

fn make() -> Result<Shown, String> {
    let [bcast, reduce] = [Collective::Bcast, Collective::Reduce]
        .map(|collective| data::read_other(Simulated::AllRanks(collective)).map(|map| of_2006(&map)));
    let (bcast, reduce) = (bcast?, reduce?);
    let mut table = Table::new([
        Column::text("collective"),
        Column::number("ranks"),
        Column::number("bytes"),
        Column::text("algorithm: paper"),
        Column::text("algorithm: ours"),
        Column::number("segment size: paper"),
        Column::number("segment size: ours"),
        Column::number("method: ours"),
    ]);
    for (collective, comm_size, msg_size, algorithm, segment) in CASES {
        let map: &DecisionMap = if collective == Collective::Bcast { &bcast } else { &reduce };
        let Case { method, index } = chosen(map, [comm_size, msg_size], Borders::Floor);
        table.row([
            collective.name().to_owned(),
            comm_size.to_string(),
            msg_size.to_string(),
            algorithm.to_owned(),
            method.name.clone(),
            segment.to_string(),
            method.segment_size.unwrap_or(0).to_string(),
            index.to_string(),
        ]);
    }
    let barrier = ["barrier", "96", "0", "bruck", NOTHING, "0", NOTHING, NOTHING];
    table.row(barrier.map(str::to_owned));
    Ok(Shown::table(table))
}
