//! 2004, Figure 11: two all-to-alls.

use qtdec_mpi_schedule::Collective;

use crate::intra_cluster::{Along, lines};
use crate::item::{Item, Shown};

pub(super) const ITEM: Item = Item {
    id: "2004-figure-11",
    title: "the direct all-to-all in the same and in a rotated order, by ranks",
    about: "Messages of 64 KiB; a run is a simulation on the network `icluster-2`. In the paper both orders take about the same time; here all ranks that \
            serve the others in the same order take twice as long. On a real switch queues mix the messages; our ports have none.",
    make,
};

fn make() -> Result<Shown, String> {
    let ranks = [4, 8, 12, 16, 20, 24, 32, 40, 48];
    let shown =
        lines(Collective::Alltoall, &[("linear", None), ("rotated", None)], Along::Ranks(&ranks, 64 << 10))?;
    Ok(Shown::table(shown.table).and_picture("All-to-alls of 64 KiB", shown.picture))
}
