//! 2006, Table 4: trees of reduce on Grig in memory.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::data;
use crate::item::{Item, Shown};
use crate::memory;
use crate::part::of_2006;
use crate::printed::{GRIG_REDUCE_2006, MEMORY_2006, NODES_2006, TIMES_2006};
use crate::trees::{Making, Quantity, Trees};
use crate::visits::visited_2006;

pub(super) const ITEM: Item = Item {
    id: "2006-table-4",
    title: "memory and decision time of the trees of reduce on Grig, by depth",
    about: "A prediction: nothing was fitted to reductions, but the network was fitted to broadcasts. The leaves of depths 0 to 2 are \
            forced. All printed rows have 104 bytes for each node, and so have ours. Nanoseconds of 2006 have no counterpart here; the \
            column *nodes visited* is what a decision costs on every machine: the mean over the paper's queries (2 to 32 ranks, 1 byte \
            to 16 MB, both uniform), next to the printed time in units of that of depth 0. `cargo xtask bench --by-depth` measures. \
            Fill `stretch`; 1 ns to combine a byte; leaves are not merged.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Reduce)?);
    let making = Making::default();
    let trees = Trees::new(&map, &GRIG_REDUCE_2006, &making);
    let memory = trees.ours.iter().map(|own| memory::of_2006(own.nodes));
    let unit = TIMES_2006[0][0];
    let visited = GRIG_REDUCE_2006.iter().map(|row| Some(visited_2006(&map, row.depth, &making))).collect();
    Ok(Shown::table(trees.table(&[
        trees.mean_depth(),
        trees.mean_penalty(),
        trees.leaves(),
        Quantity::whole("nodes", &NODES_2006, trees.ours.iter().map(|own| own.nodes)),
        Quantity::whole("memory, bytes", &MEMORY_2006, memory),
        Quantity::only_printed("time, ns", 2, &TIMES_2006.map(|[time, _]| time)),
        Quantity::only_printed("time of a level, ns", 2, &TIMES_2006.map(|[_, level]| level)),
        Quantity::only_printed("time, in those of depth 0", 2, &TIMES_2006.map(|[time, _]| time / unit)),
        Quantity::only_ours("nodes visited", 2, visited),
    ])))
}
