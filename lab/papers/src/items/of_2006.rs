//! The tables and figures of Pješivac-Grbović, Fagg and Dongarra 2006.

use qtdec_core::{DecisionMap, DecisionTree};
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;
use qtdec_report::picture::Bands;

use crate::cases::{Example, columns, compared, examples, listing};
use crate::figures::{
    by_depth, by_threshold, claims, curves, from_threshold, maps, mean_penalty, penalties, shares, sizes,
};
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::printed::{GRIG_BCAST_2006, GRIG_REDUCE_2006, LINES_2006, MEMORY_2006, NODES_2006, TIMES_2006};
use crate::simulated::Simulated;
use crate::table::{Column, NOTHING, Table, number};
use crate::trees::{Described, Making, Quantity, Trees, lines};
use crate::visits::{RANKS_2006, visited};
use crate::{data, memory, nano};

pub(super) const ITEMS: &[Item] = &[
    Item {
        id: "2006-table-1",
        title: "interpreting the selection of an algorithm as a classification",
        about: "The calls of the paper's example, with the method that wins on the simulated Grig, of all numbers of ranks. The number \
                of a method depends on the order of the list, and is not compared. Barriers were not simulated on Grig.",
        make: table_1,
    },
    Item {
        id: "2006-table-2",
        title: "an example of a decision map as a table",
        about: "The rows that the paper prints, and all decisions of the simulated map of broadcast on Grig. The paper's row for 128 \
                ranks lies outside of Grig's grid: its decision is that of the largest size, as the paper expands boundaries.",
        make: table_2,
    },
    Item {
        id: "2006-table-3",
        title: "statistics of the trees of broadcast on Grig, by depth",
        about: "**A fit**: the network `grig-fitted` has seven parameters, fitted to the leaves of depths 3 to 6 and the mean penalties \
                of depths 1 to 3. The leaves of depths 1 and 2 are forced. Not fitted: min and mean depth, max and median penalty, the \
                mean penalties of depths 4 and 5, and the lines. The lines of a function are 17 for each inner node, less 3, in four \
                printed rows, and 10 more in the other two; ours are counted by that rule. Fill `stretch`; leaves are not merged.",
        make: table_3,
    },
    Item {
        id: "2006-table-4",
        title: "memory and decision time of the trees of reduce on Grig, by depth",
        about: "A prediction: nothing was fitted to reductions, but the network was fitted to broadcasts. The leaves of depths 0 to 2 are \
                forced. All printed rows have 104 bytes for each node, and so have ours. Nanoseconds of 2006 have no counterpart here; the \
                column *nodes visited* is what a decision costs on every machine: the mean over the paper's queries (2 to 32 ranks, 1 byte \
                to 16 MB, both uniform), next to the printed time in units of that of depth 0. `cargo xtask bench --by-depth` measures. \
                Fill `stretch`; 1 ns to combine a byte; leaves are not merged.",
        make: table_4,
    },
    Item {
        id: "2006-figure-1",
        title: "the decision map of reduce on Nano",
        about: "The papers print neither sizes nor times of Nano. This is a network of our own, `nano`, with sizes of our own: 9 numbers of ranks \
                and 9 message sizes. It shows that the experiment can be repeated, not that the map is the paper's.",
        make: figure_1,
    },
    Item {
        id: "2006-figure-2",
        title: "decision maps of broadcast on Grig, by depth",
        about: "Fitted: see `2006-table-3`. The caption says that the crossover of depth 1 is not in the middle because of points that were filled \
                in, which fits the fill `last`: the second picture. All tables assume `stretch`.",
        make: figure_2,
    },
    Item {
        id: "2006-figure-3",
        title: "penalties of broadcast on Grig, by depth",
        about: "Fitted: see `2006-table-3`. In the paper's colours: white below 25 %, yellow up to 75 %.",
        make: figure_3,
    },
    Item {
        id: "2006-figure-4",
        title: "mean penalty of reduce on Grig and Nano, by accuracy threshold",
        about: "Grig is a prediction (see `2006-table-4`). Nano has sizes and a network of our own (see `2006-figure-1`). The text says that the \
                mean penalty is below 10 % from a threshold of about 45 % on, in trees of depth 3.",
        make: figure_4,
    },
];

/// The calls that the table shows, and what it says about them.
const CLASSIFIED: [(Collective, Example); 4] = [
    (Collective::Bcast, (24, 1024, "linear", None)),
    (Collective::Bcast, (27, 2048, "linear", None)),
    (Collective::Bcast, (28, 131_072, "binomial", Some(8192))),
    (Collective::Reduce, (11, 122_880, "pipeline", Some(1024))),
];

fn table_1() -> Result<Shown, String> {
    let [bcast, reduce] = [Collective::Bcast, Collective::Reduce]
        .map(|collective| data::read_other(Simulated::AllRanks(collective)).map(|map| of_2006(&map)));
    let (bcast, reduce) = (bcast?, reduce?);
    let mut table = Table::new([Column::text("collective")].into_iter().chain(columns()));
    for (collective, example) in CLASSIFIED {
        let map: &DecisionMap = if collective == Collective::Bcast { &bcast } else { &reduce };
        table.row([collective.name().to_owned()].into_iter().chain(compared(map, example, "0")));
    }
    let barrier = ["barrier", "96", "0", "bruck", NOTHING, "0", NOTHING, NOTHING];
    table.row(barrier.map(str::to_owned));
    Ok(Shown::table(table))
}

const PRINTED_DECISIONS: [Example; 4] = [
    (3, 1, "linear", None),
    (3, 2, "linear", None),
    (16, 128, "linear", None),
    (128, 64 << 10, "binary", Some(8 << 10)),
];

fn table_2() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    Ok(Shown::table(examples(&map, &PRINTED_DECISIONS)).and_table(listing(&map)))
}

fn table_3() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    let trees = Trees::new(&map, &GRIG_BCAST_2006, &Making::default());
    let mut quantities = trees.depths_and_penalties();
    quantities.push(trees.nodes());
    quantities.push(Quantity::whole(
        "lines",
        &LINES_2006,
        trees.ours.iter().map(Described::inner).map(lines),
    ));
    Ok(Shown::table(trees.table(&quantities)))
}

fn table_4() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Reduce)?);
    let making = Making::default();
    let trees = Trees::new(&map, &GRIG_REDUCE_2006, &making);
    let memory = trees.ours.iter().map(|own| memory::of_2006(own.nodes));
    let optimised = trees.ours.iter().map(|own| Some(memory::optimised_2006(own.nodes) as f64)).collect();
    let unit = TIMES_2006[0][0];
    let visited =
        GRIG_REDUCE_2006.iter().map(|row| Some(visited(&map, row.depth, &making, RANKS_2006))).collect();
    Ok(Shown::table(trees.table(&[
        trees.mean_depth(),
        trees.mean_penalty(),
        trees.leaves(),
        Quantity::whole("nodes", &NODES_2006, trees.ours.iter().map(|own| own.nodes)),
        Quantity::whole("memory, bytes", &MEMORY_2006, memory),
        Quantity::only_ours("bytes in nodes of 44", 0, optimised),
        Quantity::only_printed("time, ns", 2, &TIMES_2006.map(|[time, _]| time)),
        Quantity::only_printed("time of a level, ns", 2, &TIMES_2006.map(|[_, level]| level)),
        Quantity::only_printed("time, in those of depth 0", 2, &TIMES_2006.map(|[time, _]| time / unit)),
        Quantity::only_ours("nodes visited", 2, visited),
    ])))
}

fn figure_1() -> Result<Shown, String> {
    let map = nano::reduce()?;
    let trees = by_depth(&map, 1..=4, &Making::default());
    let table = sizes("max depth", &[("reduce on Nano", &trees)]);
    Ok(Shown::table(table).and_picture("Reduce on Nano, and its trees", maps(&map, &trees, "max depth")))
}

fn figure_2() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    let stretched = by_depth(&map, 1..=6, &Making::default());
    let last = by_depth(&map, 1..=6, &Making::with_last());
    let table = sizes("max depth", &[("fill `stretch`", &stretched), ("fill `last`", &last)]);
    Ok(Shown::table(table)
        .and_picture("Fill `stretch`", maps(&map, &stretched, "max depth"))
        .and_picture("Fill `last`", maps(&map, &last, "max depth")))
}

fn figure_3() -> Result<Shown, String> {
    let map = of_2006(&data::read(Cluster::Grig, Collective::Bcast)?);
    let trees = by_depth(&map, 1..=5, &Making::default());
    let picture = penalties(&map, &trees, Bands::Paper2006);
    Ok(Shown::table(shares(&[("broadcast on Grig", &map, &trees)])).and_picture("Broadcast on Grig", picture))
}

/// The limit of which the text speaks, in per cent.
const LIMIT: f64 = 10.0;

fn figure_4() -> Result<Shown, String> {
    let maps =
        [("Grig", of_2006(&data::read(Cluster::Grig, Collective::Reduce)?)), ("Nano", nano::reduce()?)];
    let trees = maps
        .each_ref()
        .map(|(name, map)| (*name, by_threshold(map, (5..=100).step_by(5), &Making::default())));
    let below = |tree: &DecisionTree| mean_penalty(tree) < LIMIT;
    let claim = |(name, trees): &(&str, Vec<_>)| {
        let ours = from_threshold(trees, below);
        let depth = trees.iter().find(|(value, _)| Some(*value) == ours);
        let depth = depth.map_or(0, |(_, tree)| tree.statistics().encoding.depth.max);
        [
            [
                format!("{name}: threshold from which on the penalty is below 10 %"),
                "about 45".to_owned(),
                number(ours, 0),
            ],
            [format!("{name}: greatest depth of that tree"), "3".to_owned(), depth.to_string()],
        ]
    };
    let table = claims(trees.iter().flat_map(claim));
    let groups: Vec<(&str, &[_])> = trees.iter().map(|(name, trees)| (*name, &trees[..])).collect();
    let shown = Shown::table(sizes("threshold %", &groups)).and_table(table);
    Ok(trees
        .iter()
        .fold(shown, |shown, (name, trees)| shown.and_picture(format!("Reduce on {name}"), curves(trees))))
}
