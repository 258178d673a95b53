//! 2007, section 4.1: which methods win.

use qtdec_core::DecisionMap;
use qtdec_mpi_schedule::Collective;
use qtdec_papers::experiment::Cluster;

use crate::data;
use crate::item::{Item, Shown};
use crate::part::of_2006;
use crate::table::{Column, Table};

pub(super) const ITEM: Item = Item {
    id: "2007-section-4.1",
    title: "which methods are best for broadcast on Frodo and Grig",
    about: "The text says that binomial trees and larger segments are best on Frodo, and linear and methods with segments of 1 KiB on Grig. Segments of \
            1 KiB win only 9 % of Grig's cells here: with the fitted factors on the bandwidth, those of 8 KiB win instead.",
    make,
};

/// How many methods of each map are shown.
const SHOWN: usize = 6;

fn make() -> Result<Shown, String> {
    let grig = data::read(Cluster::Grig, Collective::Bcast)?;
    let frodo = data::read(Cluster::Frodo, Collective::Bcast)?;
    let mut table = Table::new(["map", "the methods that win most cells"].map(Column::text));
    for (name, map) in [("Grig, 2006", &of_2006(&grig)), ("Grig, 2007", &grig), ("Frodo", &frodo)] {
        table.row([name.to_owned(), winners(map)]);
    }
    Ok(Shown::table(table))
}

/// Returns the first methods of a map with the share of cells that each wins.
fn winners(map: &DecisionMap) -> String {
    let domain = map.domain();
    let count = |index| {
        let won = map.cells().iter().filter(|cell| **cell == Some(index)).count();
        let method = domain.method(index);
        let segment = method.segment_size.map(|bytes| format!(" {} KiB", bytes >> 10));
        (won, format!("{}{}", method.name, segment.unwrap_or_default()))
    };
    let mut counts: Vec<(usize, String)> = domain.method_indexes().map(count).collect();
    counts.sort_by_key(|(won, _)| std::cmp::Reverse(*won));
    let share = |won: usize| 100.0 * won as f64 / map.cells().len() as f64;
    let first = counts.iter().take(SHOWN).map(|(won, method)| format!("{method} {:.0} %", share(*won)));
    first.collect::<Vec<_>>().join(", ")
}
