//! 2006, section 5: FT-MPI's decisions, and the hand-written rules of other libraries.

use qtdec_mpi::compare::Chosen;
use qtdec_mpi_library::rules;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;
use qtdec_report::picture;

use crate::data;
use crate::figures::plane;
use crate::hand_written::{self, Judged};
use crate::item::{Item, Shown};
use crate::table::{Column, Table, number};
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2006-rules",
    title: "hand-written rules of FT-MPI, Open MPI and MPICH on the maps of both papers",
    about: "The paper says of FT-MPI's fixed decisions that \"we know they perform well on Grig cluster\", and prices them nowhere. The rules \
            of FT-MPI are those that their author wrote for Open MPI in 2005, since FT-MPI's own source is lost; they were made for measured \
            Gigabit Ethernet, and the maps are **simulated**. So a large penalty here does not contradict the paper. A segment size that was \
            not measured is replaced by the nearest one; an algorithm that the map does not have is simulated on its network, and may be faster than the \
            best method of the map. The picture has the broadcasts on Grig.",
    make,
};

/// The rules in the picture.
const FT_MPI: &str = "ft-mpi";

fn make() -> Result<Shown, String> {
    let text = ["cluster", "collective", "decisions"].map(Column::text);
    let numbers =
        ["mean penalty %", "median penalty %", "max penalty %", "cells: right %", "cells: without a time"];
    let mut table = Table::new(text.into_iter().chain(numbers.map(Column::number)));
    for cluster in [Cluster::Grig, Cluster::Frodo] {
        for collective in [Collective::Bcast, Collective::Reduce] {
            let map = data::read(cluster, collective)?;
            let tree = Chosen::of(Making::merged().tree(&map, 3).cells());
            let by_rules = rules::ALL.iter().filter(|rules| rules.rule(collective.name()).is_some());
            let mut rows = vec![("tree of depth 3", tree)];
            for rules in by_rules {
                rows.push((rules.name, hand_written::choices(&map, collective, rules.name)?));
            }
            for (name, chosen) in rows {
                let place = [cluster.name(), collective.name(), name].map(str::to_owned);
                table.row(place.into_iter().chain(row(&Judged::new(&chosen, &map))));
            }
        }
    }
    let map = data::read(Cluster::Grig, Collective::Bcast)?;
    let others = [(FT_MPI.to_owned(), hand_written::choices(&map, Collective::Bcast, FT_MPI)?.decisions)];
    Ok(Shown::table(table).and_picture(
        "Broadcasts on Grig, and where FT-MPI's rules differ",
        picture::differences(&map, &others, &plane(&map)),
    ))
}

fn row(judged: &Judged) -> [String; 5] {
    [
        number(judged.mean, 2),
        number(judged.median, 2),
        number(judged.max, 2),
        number(Some(judged.right), 0),
        judged.unpriced.to_string(),
    ]
}
