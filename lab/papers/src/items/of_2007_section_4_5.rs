//! 2007, section 4.5: Open MPI's own decisions on the clusters.

use qtdec_core::DecisionMap;
use qtdec_mpi::compare::Chosen;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;

use crate::data;
use crate::hand_written::{self, Judged};
use crate::item::{Item, Shown};
use crate::table::{Table, number};
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2007-section-4.5",
    title: "the penalty of Open MPI's decisions on Frodo, next to trees of depth 3",
    about: "The paper states for broadcast and reduce on Frodo together that the mean is below 20 % and the median around 5 %, and that a tree of \
            depth 3 is similar or better; it measured a release candidate of Open MPI 1.3. That was the trunk before 13 July 2007, here `open-mpi-b52dc9e427` after the last \
            commit of its reduce; `+6a9514ee08` has a binary tree where the comment of 2007 has one and the code a pipeline. The difference is ours \
            minus the paper's bound. Grig and the other rules are not in the paper. The rules were written for measured Myrinet, and meet simulated times here; where they \
            choose a segment size that was not measured, the nearest one counts, and a chain of several chains counts as a pipeline only where \
            the catalogue says so.",
    make,
};

/// The bound of the mean and the median that the paper states, in per cent.
const MEAN: f64 = 20.0;
const MEDIAN: f64 = 5.0;

/// The collectives, which the paper's sentence takes together.
const COLLECTIVES: [Collective; 2] = [Collective::Bcast, Collective::Reduce];

/// The rules: those of the paper, and their neighbours.
const RULES: [&str; 6] = [
    "open-mpi-ba3c247f2a",
    "open-mpi-1.2",
    "open-mpi-b52dc9e427",
    "open-mpi-b52dc9e427+6a9514ee08",
    "open-mpi-1.3",
    "open-mpi-1.8",
];

/// The rules of which the paper speaks, as they ran and as their comment says.
const OF_THE_PAPER: [&str; 2] = ["open-mpi-b52dc9e427", "open-mpi-b52dc9e427+6a9514ee08"];

fn make() -> Result<Shown, String> {
    let mut table = Table::of(
        &["cluster", "collective", "decisions"],
        [
            "mean penalty %: paper, below",
            "mean penalty %: ours",
            "mean penalty %: difference",
            "median penalty %: paper, about",
            "median penalty %: ours",
            "median penalty %: difference",
            "max penalty %: ours",
            "cells: right %",
            "cells: without a time",
        ],
    );
    for cluster in [Cluster::Frodo, Cluster::Grig] {
        let maps = COLLECTIVES.map(|collective| data::read(cluster, collective));
        let [bcast, reduce] = maps;
        let maps = [bcast?, reduce?];
        let mut by_rules = Vec::new();
        for (collective, map) in COLLECTIVES.into_iter().zip(&maps) {
            let place = [cluster.name(), collective.name()].map(str::to_owned);
            for name in RULES {
                let chosen = hand_written::choices(map, collective, name)?;
                table.row(place.iter().cloned().chain(row(name, None, &Judged::new(&chosen, map))));
                by_rules.push((name, chosen));
            }
            let tree = Making::merged().tree(map, 3);
            let judged = Judged::new(&Chosen::of(tree.cells()), map);
            table.row(place.into_iter().chain(row("tree of depth 3", None, &judged)));
        }
        for name in OF_THE_PAPER {
            let chosen: Vec<&Chosen> =
                by_rules.iter().filter(|(own, _)| *own == name).map(|(_, chosen)| chosen).collect();
            let both: Vec<(&Chosen, &DecisionMap)> = chosen.into_iter().zip(&maps).collect();
            let printed = (cluster == Cluster::Frodo).then_some([MEAN, MEDIAN]);
            let place = [cluster.name(), "both"].map(str::to_owned);
            table.row(place.into_iter().chain(row(name, printed, &Judged::pooled(&both))));
        }
    }
    Ok(Shown::table(table))
}

fn row(name: &str, printed: Option<[f64; 2]>, judged: &Judged) -> Vec<String> {
    let printed = [0, 1].map(|at| printed.map(|printed| printed[at]));
    let difference =
        |ours: Option<f64>, paper: Option<f64>| number(ours.zip(paper).map(|(ours, paper)| ours - paper), 2);
    vec![
        name.to_owned(),
        number(printed[0], 0),
        number(judged.mean, 2),
        difference(judged.mean, printed[0]),
        number(printed[1], 0),
        number(judged.median, 2),
        difference(judged.median, printed[1]),
        number(judged.max, 2),
        number(Some(judged.right), 0),
        judged.unpriced.to_string(),
    ]
}
