//! The output of commands about the gain over the library's own choice.

use std::fmt::Display;

use qtdec_core::{DecisionMap, DecisionTree};

use crate::counted;
use qtdec_report::table::{Cell, Table};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::interval::Interval;
use qtdec_study::study::one_line::{OneLine, WITHIN};
use qtdec_study::study::over_default::{OverDefault, Slower};
use qtdec_study::study::repeats::RepeatsOfCells;
use qtdec_study::study::simple_rules::SimpleRules;

/// The maximum number of cells that are warned about individually.
const LISTED: usize = 5;

/// Describes a held-out gain over the baseline in one line, with its interval, if there is one.
pub fn held_out(compared: &OverDefault, found: Option<Interval>, map: &DecisionMap) -> String {
    format!(
        "{} over `{}` in {}; the tree keeps it in {}, and is slower than it in {}{}",
        compared.gain,
        map.domain().method(compared.baseline).label(),
        counted(compared.cells, "cell", "cells"),
        compared.kept,
        compared.slower.len(),
        found.map(|found| format!("; {}", interval(found, map))).unwrap_or_default(),
    )
}

/// Returns what the baseline of a map is called in sentences: an MPI library has its default.
pub fn name_of_baseline(map: &DecisionMap) -> &'static str {
    if map.domain().collective().is_some() { "the default" } else { "the baseline" }
}

/// Describes the interval of a held-out gain over the baseline, and says plainly if nothing is gained.
pub fn interval(gain: Interval, map: &DecisionMap) -> String {
    let [low, high] = [Gain(gain.low), Gain(gain.high)];
    let baseline = name_of_baseline(map);
    let answer = match (low.percent(), high.percent()) {
        (_, high) if high < 0.0 => format!("; {baseline} is faster: keep it"),
        (low, _) if low > 0.0 => String::new(),
        (_, high) if high < WITHIN => format!("; nothing is gained: keep {baseline}"),
        _ => format!("; no gain over {baseline} is shown"),
    };
    format!("95 %: {low} to {high}{answer}")
}

/// Returns the sentence that a page opens with: what a tree gains at sizes that were left out, if that is known, and its size.
pub fn summary(gain: Option<Interval>, tree: &DecisionTree, map: &DecisionMap) -> String {
    let statistics = tree.statistics();
    let regions = counted(statistics.regions, "region", "regions");
    let baseline = map.domain().baseline().map(|baseline| map.domain().method(baseline).label());
    match (gain, baseline, &statistics.encoding.quality.penalty) {
        (Some(Interval { mean, low, high }), Some(label), _) => {
            let answer = match mean {
                _ if low > 0.0 => format!("{} % faster than", short(100.0 * mean)),
                _ if high < 0.0 => format!("{} % slower than", short(-100.0 * mean)),
                _ => "Not shown to be faster than".to_owned(),
            };
            let [low, high] = [low, high].map(|end| short(100.0 * end));
            format!("{answer} {} {label} ({low} to {high}), {regions}", name_of_baseline(map))
        }
        (_, _, Some(penalty)) => {
            format!("{} % slower than the best methods on average, {regions}", short(penalty.mean))
        }
        _ => regions,
    }
}

/// Returns a number with two digits, or all before the point.
fn short(percent: f64) -> String {
    if percent.abs() < 9.95 { format!("{percent:.1}") } else { format!("{percent:.0}") }
}

/// Describes the gain over the best single method and the best rule with one threshold in one line.
pub fn over_rules(rules: &SimpleRules, map: &DecisionMap) -> String {
    let SimpleRules { method, over_method, threshold, over_threshold, cells } = rules;
    let rule = threshold.as_ref().map_or_else(
        || "which no rule with one threshold beats".to_owned(),
        |threshold| format!("{over_threshold} over the best single threshold, `{}`", threshold.text(map)),
    );
    format!(
        "{over_method} over the best single method, `{}`, {rule}; geometric means over {}",
        map.domain().method(*method).label(),
        counted(*cells, "cell", "cells"),
    )
}

/// Says how much longer than a tree a rule of one line takes, as a sentence of which the rule is the subject.
pub fn one_line(line: &OneLine) -> String {
    let longer = match line.longer {
        longer if longer.abs() < 0.005 => "the same time as".to_owned(),
        longer if longer > 0.0 => format!("{longer:.2} % longer than"),
        longer => format!("{:.2} % less time than", -longer),
    };
    let place =
        if line.is_held_out { "at the sizes left out" } else { "over the cells in which it was chosen" };
    format!("takes {longer} this tree {place}, and can be written instead")
}

/// Returns the warnings about decisions of which the repeats show that they are slower than the library's own choice, the worst first.
pub fn warnings_of_slower(
    compared: &OverDefault,
    map: &DecisionMap,
    repeats: &RepeatsOfCells<'_>,
) -> Vec<String> {
    let shown = compared.shown_slower(repeats);
    let mut warnings: Vec<String> =
        shown.iter().take(LISTED).map(|slower| sentence(slower, compared, map)).collect();
    if shown.len() > LISTED {
        let others = counted((shown.len() - LISTED) as u64, "more cell is", "more cells are");
        let baseline = name_of_baseline(map);
        warnings.push(format!("{others} slower than {baseline}: qtdec stats --slower lists them all"));
    }
    warnings
}

fn sentence(slower: &Slower, compared: &OverDefault, map: &DecisionMap) -> String {
    let label = |method| map.domain().method(method).label();
    format!(
        "slower than {} by {:.1} % at {}: `{}` where `{}` is faster",
        name_of_baseline(map),
        slower.percent,
        map.domain().place(slower.cell),
        label(slower.chosen),
        label(compared.baseline),
    )
}

pub fn place_of(axes: &[impl Display], sizes: &[u64]) -> String {
    let sizes: Vec<String> = axes.iter().zip(sizes).map(|(axis, size)| format!("{axis}={size}")).collect();
    sizes.join(" ")
}

/// Returns the sizes of a cell as cells of a table, one for each axis: labels by their text.
pub fn sizes(map: &DecisionMap, cell: usize) -> Vec<Cell> {
    let (axes, sizes) = (map.domain().axes(), map.domain().sizes(cell));
    let cells = axes.iter().zip(sizes).map(|(axis, size)| match axis.values() {
        Some(_) => Cell::Whole(size),
        None => Cell::Text(axis.sample(size as usize)),
    });
    cells.collect()
}

pub fn time_title(map: &DecisionMap) -> String {
    let unit = map.costs().and_then(|costs| costs.unit.as_deref());
    unit.map_or_else(|| "time".to_owned(), |unit| format!("time ({unit})"))
}

pub fn table(compared: &OverDefault, map: &DecisionMap) -> Table {
    let time = time_title(map);
    let columns =
        [("chosen", "chosen"), (&time, "chosen_time"), ("default", "default_time"), ("slower %", "slower")];
    let mut table = Table::by_size(map.domain().axes(), &columns);
    for slower in &compared.slower {
        let mut cells = sizes(map, slower.cell);
        let [chosen, default] = slower.times.map(Cell::Time);
        let label = Cell::Text(map.domain().method(slower.chosen).label());
        cells.extend([label, chosen, default, Cell::Number(slower.percent)]);
        table.row(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use qtdec_core::encode::{self, Quadtree};
    use qtdec_core::{Axis, Borders, Method};

    use super::*;

    #[test]
    fn a_page_opens_with_one_sentence() {
        let methods = vec![Method::new("mine"), Method::new("yours")];
        let axes = vec![Axis::new("n", [1, 2])];
        let map = DecisionMap::from_costs(axes, methods, |sizes, method| {
            [1.0, sizes[0] as f64 - 0.5][method.get()]
        });
        let map = map.unwrap();
        let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
        assert_eq!(summary(None, &tree, &map), "0.0 % slower than the best methods on average, 2 regions");
        let mut with_baseline = vec![Method::new("mine"), Method::new("yours")];
        with_baseline[0].baseline = true;
        let axes = vec![Axis::new("n", [1, 2])];
        let map =
            DecisionMap::from_costs(axes, with_baseline, |_, method| 1.0 + method.get() as f64).unwrap();
        for ([mean, low, high], expected) in [
            ([0.06, 0.031, 0.12], "6.0 % faster than the baseline mine (3.1 to 12), 2 regions"),
            ([0.06, -0.01, 0.12], "Not shown to be faster than the baseline mine (-1.0 to 12), 2 regions"),
            ([-0.06, -0.1, -0.02], "6.0 % slower than the baseline mine (-10 to -2.0), 2 regions"),
        ] {
            assert_eq!(summary(Some(Interval { mean, low, high }), &tree, &map), expected);
        }
    }
}
