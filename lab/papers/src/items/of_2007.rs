//! The tables and figures of Pješivac-Grbović, Bosilca, Fagg, Angskun and Dongarra 2007.

use qtdec_core::DecisionMap;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;
use qtdec_report::picture::{Bands, Picture};

use crate::cases::listing;
use crate::figures::{
    by_depth, by_threshold, claims, constructions, curves, from_threshold, maps, mean_depth, penalties,
    shares, sizes,
};
use crate::item::{Item, Shown};
use crate::printed::{
    CONDITIONS_2007, FRODO_BCAST_2007, FRODO_NODES_2007, GRIG_BCAST_2007, GRIG_NODES_2007, GRIG_REDUCE_2007,
    MEMORY_2007, PrintedTree, TIMES_2007,
};
use crate::table::{Table, number};
use crate::trees::{Described, Making, Quantity, Trees, conditions};
use crate::visits::{RANKS_2007, visited};
use crate::{data, memory};

pub(super) const ITEMS: &[Item] = &[
    Item {
        id: "2007-table-1",
        title: "statistics of the trees of broadcast on Frodo, by depth",
        about: "**A prediction**: the network `frodo` has assumed values, and nothing was fitted to this table. The paper's penalties of depths 2 \
                to 4 are mostly those of one spike at 1448 bytes, which `2007-section-4.2` adds. Fill `stretch` (with `last`, depth 1 costs 56.7 \
                %); no noise (with 2 %, the exact tree has the paper's leaves): `2007-assumptions`. Leaves are merged.",
        make: table_1,
    },
    Item {
        id: "2007-table-2",
        title: "statistics of the trees of broadcast on Grig, by depth",
        about: "**Nearly the fit**: the network was fitted to `2006-table-3`, which seems to be about the same measurements; what is predicted is \
                how many leaves can be merged. The paper prints 227 leaves for depth 5, but its 369 nodes need 277, which is what the \
                column has. Fill `stretch`; segments of up to 128 KiB; leaves are merged.",
        make: table_2,
    },
    Item {
        id: "2007-table-3",
        title: "memory, code size and decision time of the trees of reduce on Grig, by depth",
        about: "A prediction: nothing was fitted to reductions, but the network was fitted to broadcasts. The paper prints no leaves; they follow \
                from its conditions, four for each inner node, and the printed bytes agree: they are 48 for each node plus 472, in all six \
                rows. These 472 bytes are 36 entries of 6 bytes, for 35 methods and an unused index 0, and 128 sizes of 2 bytes; we simulate \
                28 methods. Nanoseconds of 2007 have no \
                counterpart here; the column *nodes visited* is the mean over the paper's queries (2 to 64 ranks, 1 byte to 16 MB, both \
                uniform). Fill `stretch`; 1 ns to combine a byte; leaves are merged.",
        make: table_3,
    },
    Item {
        id: "2007-figure-1",
        title: "the decision map of reduce on Frodo, (a) drawn and (b) as a table",
        about: "A prediction: the network `frodo` has assumed values. The example rows of Figure 1b are not legible in the copy at hand; the table \
                has every decision.",
        make: figure_1,
    },
    Item {
        id: "2007-figure-2",
        title: "decision maps of broadcast on (a) Frodo and (b) Grig, by depth",
        about: "Frodo is a prediction, Grig nearly the fit. Fill `stretch`; leaves are merged. Which methods win is compared in `2007-section-4.1`.",
        make: figure_2,
    },
    Item {
        id: "2007-figure-3",
        title: "penalties of broadcast on (a) Frodo and (b) Grig, by depth",
        about: "In the paper's colours: white below 5 %, yellow from 10 to 25 %, red from 50 % on. Frodo is a prediction and lacks the spike of the \
                paper's measurements; Grig is nearly the fit.",
        make: figure_3,
    },
    Item {
        id: "2007-figure-4",
        title: "decision maps of broadcast on (a) Frodo and (b) Grig, by accuracy threshold",
        about: "The thresholds of the paper's panels are not legible in the copy at hand: these are 40, 60 and 80 %. Frodo is a prediction, Grig nearly \
                the fit.",
        make: figure_4,
    },
    Item {
        id: "2007-figure-5",
        title: "mean depth and mean penalty of broadcast and reduce on Frodo and Grig, by accuracy threshold",
        about: "The text says that the mean depth is flat from 45 % (reduce on Frodo) to almost 70 % (reduce on Grig) on. Flat is read here as within a \
                tenth of the exact tree's mean depth. Only broadcast on Grig was fitted. Shown with both fills; leaves are merged.",
        make: figure_5,
    },
    Item {
        id: "2007-figure-6",
        title: "mean penalty by mean depth of broadcast and reduce on Frodo and Grig, for trees limited by depth and by threshold",
        about: "The text says that trees limited in depth cost less than those of a threshold at the same mean depth, and that each further level lowers \
                their penalty where there are no spikes. Only broadcast on Grig was fitted.",
        make: figure_6,
    },
];

fn table_1() -> Result<Shown, String> {
    statistics(Cluster::Frodo, &FRODO_BCAST_2007, &FRODO_NODES_2007)
}

fn statistics(cluster: Cluster, printed: &'static [PrintedTree], nodes: &[u64]) -> Result<Shown, String> {
    let map = data::read(cluster, Collective::Bcast)?;
    let trees = Trees::new(&map, printed, &Making::merged());
    let mut quantities = trees.depths_and_penalties();
    quantities.push(Quantity::whole("nodes", nodes, trees.ours.iter().map(|own| own.nodes)));
    Ok(Shown::table(trees.table(&quantities)))
}

fn table_2() -> Result<Shown, String> {
    statistics(Cluster::Grig, &GRIG_BCAST_2007, &GRIG_NODES_2007)
}

fn table_3() -> Result<Shown, String> {
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
    let optimised = trees.ours.iter().map(|own| Some(memory::optimised_2007(own.nodes) as f64)).collect();
    let visited =
        GRIG_REDUCE_2007.iter().map(|row| Some(visited(&map, row.depth, &making, RANKS_2007))).collect();
    let (unit, of_function) = (TIMES_2007[0][0], TIMES_2007[0][2]);
    Ok(Shown::table(trees.table(&[
        trees.mean_depth(),
        trees.mean_penalty(),
        trees.leaves().implied(),
        trees.nodes(),
        of_methods,
        Quantity::whole("memory, bytes", &MEMORY_2007, memory),
        Quantity::only_ours("bytes in nodes of 36", 0, optimised),
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

fn figure_1() -> Result<Shown, String> {
    let map = data::read(Cluster::Frodo, Collective::Reduce)?;
    Ok(Shown::table(listing(&map)).and_picture("Reduce on Frodo", maps(&map, &[], "max depth")))
}

fn figure_2() -> Result<Shown, String> {
    of_broadcasts(|name, map| {
        let trees = by_depth(map, 1..=6, &Making::merged());
        (sizes("max depth", &[(name, &trees)]), maps(map, &trees, "max depth"))
    })
}

fn of_broadcasts(show: fn(&str, &DecisionMap) -> (Table, Picture)) -> Result<Shown, String> {
    let mut shown = Shown::default();
    for (name, map) in data::broadcasts()? {
        let (table, picture) = show(name, &map);
        shown = shown.and_table(table).and_picture(name, picture);
    }
    Ok(shown)
}

fn figure_3() -> Result<Shown, String> {
    of_broadcasts(|name, map| {
        let trees = by_depth(map, 1..=5, &Making::merged());
        (shares(&[(name, map, &trees)]), penalties(map, &trees, Bands::Paper2007))
    })
}

fn figure_4() -> Result<Shown, String> {
    of_broadcasts(|name, map| {
        let trees = by_threshold(map, [40, 60, 80], &Making::merged());
        (sizes("threshold %", &[(name, &trees)]), maps(map, &trees, "threshold"))
    })
}

/// The difference from the exact tree's mean depth that counts as flat, as a share of it.
const FLAT: f64 = 0.1;

fn figure_5() -> Result<Shown, String> {
    let mut rows = Vec::new();
    let mut shown = Shown::default();
    for (name, map) in data::all()? {
        let stretched = by_threshold(&map, (5..=100).step_by(5), &Making::merged());
        let last = by_threshold(&map, (5..=100).step_by(5), &Making::merged_with_last());
        let printed = match name {
            "reduce on Frodo" => "45",
            "reduce on Grig" => "almost 70",
            _ => "45 to almost 70",
        };
        let flat = [&stretched, &last].map(|trees| {
            let exact = trees.last().map_or(f64::NAN, |(_, tree)| mean_depth(tree));
            number(from_threshold(trees, |tree| (mean_depth(tree) - exact).abs() <= FLAT * exact), 0)
        });
        let ours = format!("{} with `stretch`, {} with `last`", flat[0], flat[1]);
        rows.push([
            format!("{name}: threshold from which on the mean depth is flat"),
            printed.to_owned(),
            ours,
        ]);
        let [with_stretch, with_last] = ["stretch", "last"].map(|fill| format!("{name}, fill `{fill}`"));
        shown = shown
            .and_table(sizes("threshold %", &[(&with_stretch, &stretched), (&with_last, &last)]))
            .and_picture(name, curves(&stretched));
    }
    shown.tables.insert(0, claims(rows));
    Ok(shown)
}

fn figure_6() -> Result<Shown, String> {
    Ok(constructions(&data::all()?, &Making::merged()))
}
