//! Communicator sizes that are left out: borders between samples, interpolated times and fitted terms.

use std::fmt::Write as _;

use qtdec_core::{DecisionMap, Document, MethodIndex, Options};
use qtdec_study::measurements::Statistic;
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::Recipe;
use qtdec_study::study::tree_on_map;
use qtdec_study::terms::{CostModel, Terms};
use xtask::run::root;

use super::archives::{PAPERS, POLARIS, best, map, measurements, percent, thinned};

/// The collectives that were measured on Fugaku.
pub(super) const FUGAKU: [&str; 8] =
    ["allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "reduce_scatter", "scatter"];

/// The terms: 1, p, ⌈log₂ p⌉, m, m·p and m·⌈log₂ p⌉.
const TERMS: &str = "alpha-beta";

/// The position of the communicator size among the axes.
const COMM_SIZE: usize = 0;

/// Decisions at the cells left out, one for each cell of the map.
type Decisions = Vec<Option<MethodIndex>>;

/// Returns what each way of deciding costs at communicator sizes that were left out.
pub(super) fn table() -> String {
    let mut table =
        "| archive | communicator sizes | points | geometric borders | interpolated times | fitted terms |\n\
                     |---|---:|---:|---:|---:|---:|\n"
            .to_owned();
    let fugaku = FUGAKU.map(|collective| (format!("{collective} on Fugaku"), fugaku(collective)));
    let files = [POLARIS].into_iter().chain(PAPERS);
    let files = files.map(|(name, file, steps)| (name.to_owned(), thinned(&map(file), steps)));
    for (name, whole) in files.chain(fugaku) {
        let sizes = whole.domain().axes()[COMM_SIZE].len();
        let mut logs: [Vec<f64>; 3] = Default::default();
        for parity in 0..2 {
            let ways =
                [by_borders(&whole, parity), by_interpolation(&whole, parity), by_terms(&whole, parity)];
            for cell in (0..whole.cells().len()).filter(|cell| place(&whole, *cell) % 2 != parity) {
                let time =
                    |way: &Decisions| Some(whole.costs()?.get(cell, way[cell]?)?.ln() - best(&whole, cell));
                // A cell counts if each way has a decision whose time is known.
                if let [Some(one), Some(two), Some(three)] = ways.each_ref().map(time) {
                    logs.iter_mut().zip([one, two, three]).for_each(|(logs, log)| logs.push(log));
                }
            }
        }
        let [borders, interpolated, fitted] = logs.each_ref().map(|logs| percent(logs));
        let _ = writeln!(
            table,
            "| {name} | {sizes} | {} | {borders:.2} % | {interpolated:.2} % | {fitted:.2} % |",
            logs[0].len()
        );
    }
    table
}

/// Returns the map of a collective on Fugaku.
pub(super) fn fugaku(collective: &str) -> DecisionMap {
    let folder = root().join("qt-cli/data/pico-fugaku").display().to_string();
    let options = ReadOptions { collective: Some(collective.to_owned()), ..ReadOptions::default() };
    let read = readers::read(&[folder], &options, &mut |_, input| input);
    let Ok((measurements, _)) = read else { panic!("{collective} cannot be read") };
    let recipe = Recipe { baseline: vec!["default-default".to_owned()], ..Recipe::default() };
    recipe.map(&measurements, &mut Notes::default()).expect("the times make a map")
}

/// Returns the position of a cell's communicator size.
fn place(map: &DecisionMap, cell: usize) -> usize {
    cell / stride(map)
}

/// Returns the distance of neighbours on the axis of communicator sizes, which is the first one.
fn stride(map: &DecisionMap) -> usize {
    map.domain().shape()[COMM_SIZE + 1..].iter().product()
}

/// Returns the decisions of the exact tree of the other sizes, with geometric borders.
fn by_borders(whole: &DecisionMap, parity: usize) -> Decisions {
    let len = whole.domain().axes()[COMM_SIZE].len();
    let kept: Vec<usize> = (0..len).filter(|at| at % 2 == parity).collect();
    let rest = whole.at_samples(COMM_SIZE, &kept).expect("the samples increase");
    let options = Options::parse(&[("borders", "geometric")]).expect("the option is known");
    let tree = options.tree(Document::Map(rest)).expect("a map makes a tree");
    tree_on_map::decisions(&tree, whole).expect("the axes are the same")
}

/// Returns the method with the least time between the neighbouring sizes, linear between the logarithms, or at the only neighbour.
fn by_interpolation(whole: &DecisionMap, parity: usize) -> Decisions {
    let (domain, stride) = (whole.domain(), stride(whole));
    let sizes = domain.axes()[COMM_SIZE].values().unwrap_or_default();
    let log = |at: usize| (sizes[at] as f64).ln();
    let decision = |cell: usize| {
        let at = place(whole, cell);
        let time = |at_other: usize, method| {
            whole.costs()?.get(cell + at_other * stride - at * stride, method).map(f64::ln)
        };
        let predicted = |method: MethodIndex| {
            let [below, above] = [at.checked_sub(1), (at + 1 < sizes.len()).then_some(at + 1)];
            match (below, above) {
                (Some(below), Some(above)) => {
                    let share = (log(at) - log(below)) / (log(above) - log(below));
                    Some((1.0 - share) * time(below, method)? + share * time(above, method)?)
                }
                (one, other) => time(one.or(other)?, method),
            }
        };
        least(domain.method_indexes().filter_map(|method| Some((method, predicted(method)?))))
    };
    (0..whole.cells().len()).map(|cell| (place(whole, cell) % 2 != parity).then(|| decision(cell))?).collect()
}

/// Returns the method with the least time by the terms that are fitted to the other sizes. A method with too few points is not fitted.
fn by_terms(whole: &DecisionMap, parity: usize) -> Decisions {
    let terms = Terms::parse(TERMS).expect("the preset is known");
    let rest = measurements(whole, |cell| place(whole, cell) % 2 == parity);
    let models: Vec<(MethodIndex, CostModel)> = whole
        .domain()
        .method_indexes()
        .enumerate()
        .filter_map(|(number, method)| {
            Some((method, CostModel::fit(&terms, &rest, Statistic::Median, &[number]).ok()?))
        })
        .collect();
    let decision = |cell: usize| {
        let sizes = whole.domain().sizes(cell);
        least(models.iter().filter_map(|(method, model)| Some((*method, model.time(0, &sizes).ok()?))))
    };
    (0..whole.cells().len()).map(|cell| (place(whole, cell) % 2 != parity).then(|| decision(cell))?).collect()
}

fn least(times: impl Iterator<Item = (MethodIndex, f64)>) -> Option<MethodIndex> {
    times.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(method, _)| method)
}
