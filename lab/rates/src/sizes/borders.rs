//! Borders between samples, judged at sizes that were left out.

use std::fmt::Write as _;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Borders, DecisionMap, MethodIndex};
use qtdec_study::study::tree_on_map;

use super::archives::{PAPERS, POLARIS, best, map, percent, thinned};
use super::communicators::{FUGAKU, fugaku};
use super::per_node;

/// Measured times of programs of one node.
const PROGRAMS: [(&str, &str); 6] = [
    ("matrix products", "examples/general/maps/matmul.json"),
    ("matrix products, measured again", "examples/general/maps/matmul-again.json"),
    ("sorting", "examples/general/maps/sort.json"),
    ("sorting, measured again", "examples/general/maps/sort-again.json"),
    ("threads", "examples/general/maps/threads.json"),
    ("threads, measured again", "examples/general/maps/threads-again.json"),
];

/// The rules that are compared.
const RULES: [Borders; 3] = [Borders::Floor, Borders::Geometric, Borders::Crossing];

/// The ways to decide: the rules, and a crossing of its own at each node.
const WAYS: usize = RULES.len() + 1;

/// What decisions in each way cost over the best method, and at how many points.
pub(super) struct Row {
    name: String,
    points: usize,
    pub(super) percents: [f64; WAYS],
}

/// Returns a row for every archive that has sizes to leave out.
pub(super) fn rows() -> Vec<Row> {
    let files = [POLARIS].into_iter().chain(PAPERS);
    let files = files.map(|(name, file, steps)| (name.to_owned(), thinned(&map(file), steps)));
    let programs = PROGRAMS.map(|(name, file)| (name.to_owned(), map(file)));
    let fugaku = FUGAKU.map(|collective| (format!("{collective} on Fugaku"), fugaku(collective)));
    files.chain(programs).chain(fugaku).filter_map(|(name, whole)| row(name, &whole)).collect()
}

fn row(name: String, whole: &DecisionMap) -> Option<Row> {
    let mut logs: [Vec<f64>; WAYS] = Default::default();
    for axis in 0..whole.domain().axes().len() {
        for step in 2..=3 {
            (0..step).for_each(|phase| judge(whole, axis, (step, phase), &mut logs));
        }
    }
    let points = logs[0].len();
    (points > 0).then(|| Row { name, points, percents: logs.each_ref().map(|logs| percent(logs)) })
}

/// Keeps every so many sizes of an axis, and adds what decisions cost at the others between them.
fn judge(whole: &DecisionMap, axis: usize, (step, phase): (usize, usize), logs: &mut [Vec<f64>; WAYS]) {
    let sizes = &whole.domain().axes()[axis];
    let kept: Vec<usize> = (phase..sizes.len()).step_by(step).collect();
    let (Some(first), Some(last)) = (kept.first(), kept.last()) else { return };
    if sizes.values().is_none() || kept.len() < 2 {
        return;
    }
    let rest = whole.at_samples(axis, &kept).expect("the samples increase");
    let [floor, geometric, crossing] = RULES.map(|borders| decisions(&rest, borders, whole));
    let ways = [floor, geometric, crossing, per_node::decisions(&rest, whole)];
    let stride: usize = whole.domain().shape()[axis + 1..].iter().product();
    for cell in 0..whole.cells().len() {
        let place = cell / stride % sizes.len();
        if place < *first || place > *last || kept.contains(&place) {
            continue;
        }
        let time = |way: &Vec<Option<MethodIndex>>| Some(whole.costs()?.get(cell, way[cell]?)?.ln());
        let times = ways.each_ref().map(time);
        // A point counts if each way has a decision whose time is known.
        if !times.contains(&None) {
            let times = logs.iter_mut().zip(times.into_iter().flatten());
            times.for_each(|(logs, time)| logs.push(time - best(whole, cell)));
        }
    }
}

/// Returns the decisions of the quadtree of the kept sizes at all cells.
fn decisions(rest: &DecisionMap, borders: Borders, whole: &DecisionMap) -> Vec<Option<MethodIndex>> {
    let tree = encode::encode(rest, &Quadtree::default(), borders).expect("a quadtree serves every map");
    tree_on_map::decisions(&tree, whole).expect("the axes are the same")
}

/// Returns the mean over archives of what each way costs.
pub(super) fn means(rows: &[Row]) -> [f64; WAYS] {
    std::array::from_fn(|way| rows.iter().map(|row| row.percents[way]).sum::<f64>() / rows.len() as f64)
}

/// Returns the rows as a table, with their mean last.
pub(super) fn table(rows: &[Row]) -> String {
    let titles = RULES.map(|borders| format!("`{}`", borders.name())).join(" | ");
    let mut table =
        format!("| archive | points | {titles} | `crossing`, each node |\n|---|---:|---:|---:|---:|---:|\n");
    for Row { name, points, percents } in rows {
        let _ = writeln!(table, "| {name} | {points} | {} |", cells(percents));
    }
    let _ = writeln!(table, "| mean of the archives | | {} |", cells(&means(rows)));
    table
}

fn cells(percents: &[f64; WAYS]) -> String {
    percents.map(|percent| format!("{percent:.2} %")).join(" | ")
}
