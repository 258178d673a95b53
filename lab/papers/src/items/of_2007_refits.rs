//! The fit of Grig's network with either fill of the grid, judged by numbers that were not fitted.

use qtdec_core::DecisionMap;
use qtdec_core::encode::Fill;
use qtdec_papers::experiment::Cluster;

use crate::data;
use crate::fit::{SEEDS, with_noise};
use crate::item::{Item, Shown};
use crate::printed_tables::{PrintedTable, tables};
use crate::simulated::{REFIT_NOISE, Simulated};
use crate::table::{NOTHING, Table, number};
use crate::trees::{Described, Making};

pub(super) const ITEM: Item = Item {
    id: "2007-refits",
    title: "the tables about Grig with a network fitted for each fill of the grid, and how far each is off where nothing was fitted",
    about: "Two networks: `grig-fitted`, found with the fill `stretch`, and one found with `last` by the same search (`qtdec-papers fit --fill-last`: 25 µs of \
            latency, handshakes above 16 KiB, factors to the power of 1.25, 0.5 % of noise). Each was fitted to seven numbers: the leaves of depths 3 to \
            6 and the mean penalties of depths 1 to 3 of 2006, Table 3. All other rows are predictions; forced leaves (depths 0 to 2 without merging, and 0 and 1 \
            with it) and penalties of 0 are left out of the second table, which has the geometric mean of the factor by which a number is off.",
    make,
};

/// The fills of the two fits.
const FITS: [Fill; 2] = [Fill::Stretch, Fill::Last];

/// Returns the maps of the network that was fitted with a fill: one, or several with noise.
fn maps(fill: Fill, table: &PrintedTable) -> Result<Vec<DecisionMap>, String> {
    if fill == Fill::Stretch {
        return Ok(vec![table.map()?]);
    }
    let map = data::read_other(Simulated::Refit(table.collective))?;
    Ok(SEEDS.map(|seed| table.of_paper(with_noise(&map, REFIT_NOISE, seed))).collect())
}

/// Returns the mean leaves and the mean penalty of the trees of a depth.
fn outcome(fill: Fill, maps: &[DecisionMap], table: &PrintedTable, depth: u32) -> [f64; 2] {
    let making = Making { fill, ..table.making() };
    let described = maps.iter().map(|map| Described::new(&making.tree(map, depth), map, &making));
    let all: Vec<Described> = described.collect();
    let mean = |of: fn(&Described) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
    [mean(|own| own.leaves as f64), mean(|own| own.penalty_mean)]
}

/// The table that both networks were fitted to.
const FITTED: &str = "2006, Table 3";

fn make() -> Result<Shown, String> {
    let mut all = Table::of(
        &["table", "fitted"],
        [
            "max depth",
            "leaves: paper",
            "leaves: fit with `stretch`",
            "leaves: fit with `last`",
            "mean penalty %: paper",
            "mean penalty %: fit with `stretch`",
            "mean penalty %: fit with `last`",
        ],
    );
    let mut summary = Table::of(
        &["table", "numbers"],
        ["how many", "off by a factor of: fit with `stretch`", "off by a factor of: fit with `last`"],
    );
    for table in tables().into_iter().filter(|table| table.cluster == Cluster::Grig) {
        let merged = table.making().collapse;
        let maps = [maps(Fill::Stretch, &table)?, maps(Fill::Last, &table)?];
        // By whether a number was fitted: the logarithms of the factors, one for each network.
        let mut off: [[Vec<[f64; 2]>; 2]; 2] = Default::default();
        for row in table.rows {
            let outcomes: Vec<[f64; 2]> =
                FITS.iter().zip(&maps).map(|(fill, maps)| outcome(*fill, maps, &table, row.depth)).collect();
            let is_fitted = [
                table.name == FITTED && (3..=6).contains(&row.depth),
                table.name == FITTED && (1..=3).contains(&row.depth),
            ];
            let is_free = [row.depth > if merged { 1 } else { 2 }, row.penalty_mean > 0.0];
            for (at, printed) in [row.leaves as f64, row.penalty_mean].into_iter().enumerate() {
                if is_free[at] {
                    let of = |fit: usize| (outcomes[fit][at] / printed).ln().abs();
                    off[usize::from(is_fitted[at])][at].push([of(0), of(1)]);
                }
            }
            let fitted = match is_fitted {
                [true, true] => "both",
                [true, false] => "leaves",
                [false, true] => "penalty",
                [false, false] => NOTHING,
            };
            let mut cells =
                vec![table.name.to_owned(), fitted.to_owned(), row.depth.to_string(), row.leaves.to_string()];
            cells.extend(outcomes.iter().map(|[leaves, _]| number(Some(*leaves), 0)));
            cells.push(number(Some(row.penalty_mean), 2));
            cells.extend(outcomes.iter().map(|[_, penalty]| number(Some(*penalty), 2)));
            all.row(cells);
        }
        for (is_fitted, off) in off.iter().enumerate() {
            for (what, off) in
                ["leaves", "mean penalty"].into_iter().zip(off).filter(|(_, off)| !off.is_empty())
            {
                let name =
                    if is_fitted == 1 { format!("{what}, fitted") } else { format!("{what}, not fitted") };
                let mean = |fit: usize| off.iter().map(|off| off[fit]).sum::<f64>() / off.len() as f64;
                let factors = [0, 1].map(|fit| number(Some(mean(fit).exp()), 2));
                summary.row([table.name.to_owned(), name, off.len().to_string()].into_iter().chain(factors));
            }
        }
    }
    Ok(Shown::table(all).and_table(summary))
}
