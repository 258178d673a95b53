//! 2006, Figure 5: accuracy threshold against maximum depth on Grig.

use qtdec_core::encode::Fill;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;

use crate::data;
use crate::figures::{Limited, by_depth, by_threshold, constructions, mean_depth, mean_penalty};
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::table::{Column, Table, number};
use crate::trees::Making;

pub(super) const ITEM: Item = Item {
    id: "2006-figure-5",
    title: "mean penalty by mean depth on Grig, for trees limited by depth and by threshold",
    about: "Broadcast was fitted, reduce was not. The text says that trees limited in depth cost less than those of a threshold at the same mean \
            depth, except for broadcasts whose trees are nearly exact. The last table has both fills: the thresholds from 30 to 99 % whose tree \
            costs less than trees limited in depth, interpolated to the same mean depth, and the one that saves most.",
    make,
};

const FILLS: [(&str, Fill); 2] = [("stretch", Fill::Stretch), ("last", Fill::Last)];

fn make() -> Result<Shown, String> {
    let [bcast, reduce] =
        [Collective::Bcast, Collective::Reduce].map(|collective| data::read(Cluster::Grig, collective));
    let maps = [("broadcast on Grig", of_2006(&bcast?)), ("reduce on Grig", of_2006(&reduce?))];
    let numbers =
        ["thresholds that cost less", "of", "threshold", "mean depth", "mean penalty %", "by depth %"];
    let mut table =
        Table::new(["map", "fill"].map(Column::text).into_iter().chain(numbers.map(Column::number)));
    for (name, map) in &maps {
        for (fill_name, fill) in FILLS {
            let making = Making { fill, ..Making::default() };
            let (by_depth, by_threshold) =
                (by_depth(map, 1..=6, &making), by_threshold(map, 30..=99, &making));
            table.row(
                [(*name).to_owned(), fill_name.to_owned()].into_iter().chain(row(&by_depth, &by_threshold)),
            );
        }
    }
    Ok(constructions(&maps, &Making::default()).and_table(table))
}

/// Returns how many thresholds cost less than a limit on the depth, and which saves most.
fn row(by_depth: &[Limited], by_threshold: &[Limited]) -> [String; 6] {
    let compared: Vec<(&Limited, f64)> = by_threshold
        .iter()
        .filter_map(|limited| Some((limited, at_depth(by_depth, mean_depth(&limited.1))?)))
        .collect();
    let saved = |(limited, of_depth): &(&Limited, f64)| of_depth - mean_penalty(&limited.1);
    let cheaper = compared.iter().filter(|one| saved(one) > 0.0);
    let most = cheaper.clone().max_by(|one, other| saved(one).total_cmp(&saved(other)));
    let of_most = |part: fn(&(&Limited, f64)) -> f64, decimals| number(most.map(part), decimals);
    [
        cheaper.count().to_string(),
        compared.len().to_string(),
        of_most(|(limited, _)| limited.0, 0),
        of_most(|(limited, _)| mean_depth(&limited.1), 2),
        of_most(|(limited, _)| mean_penalty(&limited.1), 2),
        of_most(|(_, of_depth)| *of_depth, 2),
    ]
}

/// Returns the penalty of trees limited in depth at a mean depth, on the line between the two next to it.
fn at_depth(by_depth: &[Limited], depth: f64) -> Option<f64> {
    by_depth.windows(2).find_map(|pair| {
        let [low, high] =
            [&pair[0], &pair[1]].map(|limited| (mean_depth(&limited.1), mean_penalty(&limited.1)));
        let share = (depth - low.0) / (high.0 - low.0);
        (0.0..=1.0).contains(&share).then_some(low.1 + share * (high.1 - low.1))
    })
}
