//! 2007, Table 3: trees of reduce on Grig, in memory and as functions.

use qtdec_mpi_predict::experiment::Cluster;
use qtdec_mpi_schedule::Collective;

use crate::data;
use crate::item::{Item, Shown};
use crate::memory;
use crate::printed::{CONDITIONS_2007, GRIG_REDUCE_2007, MEMORY_2007, TIMES_2007};
use crate::trees::{Described, Making, Quantity, Trees, conditions};
use crate::visits::visited_2007;

pub(super) const ITEM: Item = Item {
    id: "2007-table-3",
    title: "memory, code size and decision time of the trees of reduce on Grig, by depth",
    about: "A prediction: nothing was fitted to reductions, but the network was fitted to broadcasts. The paper prints no leaves; they follow \
            from its conditions, four for each inner node, and the printed bytes agree: they are 48 for each node plus 472, in all six \
            rows. These 472 bytes are 36 methods of 6 bytes and 128 sizes of 2 bytes; we simulate 28 methods. Nanoseconds of 2007 have no \
            counterpart here; the column *nodes visited* is the mean over the paper's queries (2 to 64 ranks, 1 byte to 16 MB, both \
            uniform). Fill `stretch`; 1 ns to combine a byte; leaves are merged.",
    make,
};

fn make() -> Result<Shown, String> {
    let map = data::read(Cluster::Grig, Collective::Reduce)?;
    let making = Making::merged();
    let trees = Trees::new(&map, &GRIG_REDUCE_2007, &making);
    let methods = map.domain().methods().len() as u64;
    let implied: Vec<f64> = GRIG_REDUCE_2007
        .iter()
        .zip(MEMORY_2007)
        .map(|(row, memory)| memory::implied_methods(memory, row.nodes()) as f64)
        .collect();
    let of_methods = Quantity {
        ours: vec![Some(methods as f64); implied.len()],
        ..Quantity::only_printed("methods", 0, &implied).implied()
    };
    let memory = trees.ours.iter().map(|own| memory::of_2007(own.nodes, methods));
    let visited = GRIG_REDUCE_2007.iter().map(|row| Some(visited_2007(&map, row.depth, &making))).collect();
    let (unit, of_function) = (TIMES_2007[0][0], TIMES_2007[0][2]);
    Ok(Shown::table(trees.table(&[
        trees.mean_depth(),
        trees.mean_penalty(),
        trees.leaves().implied(),
        trees.nodes(),
        of_methods,
        Quantity::whole("memory, bytes", &MEMORY_2007, memory),
        Quantity::whole(
            "conditions",
            &CONDITIONS_2007,
            trees.ours.iter().map(Described::inner).map(conditions),
        ),
        Quantity::only_printed("time in memory, ns", 2, &TIMES_2007.map(|[time, _, _]| time)),
        Quantity::only_printed("time of a level, ns", 2, &TIMES_2007.map(|[_, level, _]| level)),
        Quantity::only_printed("time of the function, ns", 2, &TIMES_2007.map(|[_, _, time]| time)),
        Quantity::only_printed(
            "time in memory, in those of depth 1",
            2,
            &TIMES_2007.map(|[time, _, _]| time / unit),
        ),
        Quantity::only_printed(
            "time of the function, in those of depth 1",
            2,
            &TIMES_2007.map(|[_, _, time]| time / of_function),
        ),
        Quantity::only_ours("nodes visited", 2, visited),
    ])))
}
