//! Archives of which points are withheld: what half of the grid costs if its points are proposed one after the other, compared with two
//! thirds of the grid at random.

use std::fmt::Write as _;

use qtdec_core::{Costs, DecisionMap, median};
use qtdec_study::study::next_points::{interpolated_decisions, next_points};
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

use super::archives::{Archive, PAPERS, POLARIS, best, map, percent, thinned};

/// The archives of other programs.
const GENERAL: [Archive; 4] = [
    ("matrix products", "examples/general/maps/matmul.json", [1, 1]),
    ("matrix products, measured again", "examples/general/maps/matmul-again.json", [1, 1]),
    ("threads", "examples/general/maps/threads.json", [1, 1]),
    ("threads, measured again", "examples/general/maps/threads-again.json", [1, 1]),
];

/// The number of random draws.
const DRAWS: usize = 200;

/// The random seed of the draws.
const SEED: u64 = 31;

/// The measurements begin with every so many sizes of each axis, and the last one.
const FIRST: usize = 3;

/// The table, and the archives in which the proposals lose more than the median of the draws.
pub(super) struct Proposals {
    pub(super) table: String,
    pub(super) lost: Vec<&'static str>,
}

/// Returns the costs of all archives.
pub(super) fn table() -> Proposals {
    let mut table =
        "| archive | cells | first | half, proposed | half, at random | two thirds, at random |\n\
                     |---|---:|---:|---:|---:|---:|\n"
            .to_owned();
    let mut lost = Vec::new();
    for (name, file, steps) in [POLARIS].into_iter().chain(GENERAL).chain(PAPERS) {
        let whole = thinned(&map(file), steps);
        let cells = whole.cells().len();
        let first = first(&whole);
        let started = first.iter().filter(|measured| **measured).count();
        let proposed = cost(&whole, &proposed(&whole, first, cells / 2));
        let [half, most] = [cells / 2, 2 * cells / 3].map(|count| {
            let mut chance = Pcg64::seed_from_u64(SEED);
            let draws: Vec<f64> =
                (0..DRAWS).map(|_| cost(&whole, &drawn(cells, count, &mut chance))).collect();
            median(draws).expect("there are draws")
        });
        let _ =
            writeln!(table, "| {name} | {cells} | {started} | {proposed:.2} % | {half:.2} % | {most:.2} % |");
        if proposed > most {
            lost.push(name);
        }
    }
    Proposals { table, lost }
}

fn drawn(cells: usize, count: usize, chance: &mut Pcg64) -> Vec<bool> {
    let mut drawn: Vec<bool> = (0..cells).map(|cell| cell < count).collect();
    drawn.shuffle(chance);
    drawn
}

/// Returns the cells that are measured first.
fn first(whole: &DecisionMap) -> Vec<bool> {
    let axes = whole.domain().axes();
    let is_first = |cell: usize| {
        axes.iter().zip(whole.domain().sizes(cell)).all(|(axis, size)| {
            let sizes = axis.values().unwrap_or_default();
            let at = sizes.iter().position(|known| *known == size).unwrap_or_default();
            at % FIRST == 0 || at + 1 == sizes.len()
        })
    };
    (0..whole.cells().len()).map(is_first).collect()
}

/// Returns the cells after measuring what is proposed, one after the other, until there are so many.
fn proposed(whole: &DecisionMap, mut measured: Vec<bool>, count: usize) -> Vec<bool> {
    while measured.iter().filter(|measured| **measured).count() < count {
        let next = next_points(&part(whole, &measured), 1);
        let sizes = &next.first().expect("some cells are not measured").sizes;
        let cell = (0..measured.len()).find(|cell| whole.domain().sizes(*cell) == *sizes);
        measured[cell.expect("a cell of the grid")] = true;
    }
    measured
}

/// Returns the map with the times of some cells.
fn part(whole: &DecisionMap, measured: &[bool]) -> DecisionMap {
    let (domain, costs) = (whole.domain(), whole.costs().expect("the map has costs"));
    let cells = whole.cells().iter().zip(measured).map(|(cell, measured)| cell.filter(|_| *measured));
    let values = measured.iter().enumerate().flat_map(|(cell, measured)| {
        domain.method_indexes().map(move |method| costs.get(cell, method).filter(|_| *measured))
    });
    let costs = Costs::new(domain.methods().len(), values);
    DecisionMap::new(domain.clone(), cells.collect())
        .and_then(|map| map.with_costs(costs))
        .expect("a part of a map")
}

/// Returns what decisions from some cells cost over all of them, in per cent over the best. Times that are missing are interpolated.
fn cost(whole: &DecisionMap, measured: &[bool]) -> f64 {
    let decisions = interpolated_decisions(&part(whole, measured));
    let costs = whole.costs().expect("the map has costs");
    let logs = decisions.iter().enumerate().map(|(cell, method)| {
        let time = method.and_then(|method| costs.get(cell, method)).expect("all times are known");
        time.ln() - best(whole, cell)
    });
    percent(&logs.collect::<Vec<_>>())
}
