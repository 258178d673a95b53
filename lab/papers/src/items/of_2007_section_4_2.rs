//! 2007, section 4.2: the spike at 1448 bytes.

use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;
use qtdec_study::study::assess::LeaveOut;

use crate::data;
use crate::item::{Item, Shown};
use crate::part::with_spike;
use crate::printed::{FRODO_BCAST_2007, FRODO_NODES_2007};
use crate::table::{Column, NOTHING, Table, number};
use crate::trees::{Described, Making, Quantity, Trees};

pub(super) const ITEM: Item = Item {
    id: "2007-section-4.2",
    title: "the spike of broadcast on Frodo at 1448 bytes, and the penalties without it",
    about: "The paper explains its penalties of depths 2 to 4 by 1448 bytes, where split-binary with segments of 1 KiB took 300 µs instead of 64. \
            Nothing in a simulation causes such a spike: it was added to the methods that our tree of depth 3 chooses there on more than three \
            ranks. The first table is `2007-table-1` with that spike, the second leaves its column out of the means.",
    make,
};

/// The message size of the spike, in bytes.
const SPIKE: u64 = 1448;

fn make() -> Result<Shown, String> {
    let frodo = data::read(Cluster::Frodo, Collective::Bcast)?;
    let spiked = with_spike(&frodo, SPIKE, &Making::merged().tree(&frodo, 3).cells());
    let trees = Trees::new(&spiked, &FRODO_BCAST_2007, &Making::merged());
    let mut quantities = trees.depths_and_penalties();
    quantities.push(Quantity::whole("nodes", &FRODO_NODES_2007, trees.ours.iter().map(|own| own.nodes)));

    let leave_out = LeaveOut { sizes: vec![(1, SPIKE)], ..LeaveOut::default() };
    let without = Making { leave_out, ..Making::merged() };
    let mut table = Table::new(
        [
            "max depth",
            "mean penalty %: paper",
            "mean penalty %: ours, as simulated",
            "mean penalty %: ours, with the spike",
        ]
        .map(Column::number),
    );
    for depth in 1..=5 {
        let printed = if depth == 3 { "1.7" } else { NOTHING };
        let ours = [&frodo, &spiked].map(|map| {
            number(Some(Described::new(&without.tree(map, depth), map, &without).penalty_mean), 2)
        });
        table.row([depth.to_string(), printed.to_owned()].into_iter().chain(ours));
    }
    Ok(Shown::table(trees.table(&quantities)).and_table(table))
}
