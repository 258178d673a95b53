//! Curves of the cost of smaller trees (2006 paper, Figures 4 and 5; 2007 paper, Figures 5 and 6).

use qtdec_core::DecisionTree;

use super::figures::headline;
use super::palette::{LINES, line_colors};
use super::round;
use super::{Color, Content, Line, Panel, Picture, Scale, named_lines, over_cells};

const FIRST: Color = LINES[0];
const SECOND: Color = LINES[1];

/// Returns the mean depth and the mean penalty as functions of the swept option, given its name and a value for each tree.
pub fn curves(option: &str, trees: &[(f64, &DecisionTree)]) -> Picture {
    let by = |number: fn(&DecisionTree) -> Option<f64>| {
        let points = trees.iter().filter_map(|(value, tree)| Some((*value, number(tree)?))).collect();
        vec![Line { color: FIRST, points, label: String::new() }]
    };
    let levels = |highest: f64| round::linear("levels", (0.0, 1.05 * highest));
    Picture {
        title: title(trees.iter().map(|(_, tree)| *tree)),
        panels: vec![
            panel("mean depth", option, levels, by(|tree| Some(mean_depth(tree)))),
            panel(&mean_of(trees.iter().map(|(_, tree)| *tree)), option, penalties, by(mean_penalty)),
        ],
        legend: Vec::new(),
    }
}

/// Returns the mean penalty as a function of the mean depth, for trees limited in depth and by the accuracy threshold.
pub fn construction(by_depth: &[DecisionTree], by_threshold: &[DecisionTree]) -> Picture {
    let limits = [(FIRST, "maximum depth", by_depth), (SECOND, "accuracy threshold", by_threshold)];
    let (lines, legend) = named_lines(limits.into_iter().map(|(color, text, trees)| {
        let points = trees.iter().filter_map(|tree| Some((mean_depth(tree), mean_penalty(tree)?)));
        (color, named(text, &over_cells(trees)), sorted(points))
    }));
    Picture {
        title: title(by_depth),
        panels: vec![panel("mean penalty by mean depth", "mean depth", penalties, lines)],
        legend,
    }
}

/// Returns the mean penalty as a function of the number of regions: a named line through the trees of each encoding.
pub fn penalty_by_regions(encodings: &[(String, Vec<&DecisionTree>)]) -> Picture {
    let (lines, legend) = named_lines(LINES.iter().cycle().zip(encodings).map(|(color, (name, trees))| {
        let point = |tree: &&DecisionTree| Some((tree.statistics().regions as f64, mean_penalty(tree)?));
        let points = trees.iter().filter_map(point);
        (*color, named(name, &over_cells(trees.iter().copied())), sorted(points))
    }));
    Picture {
        title: title(encodings.iter().flat_map(|(_, trees)| trees.iter().copied())),
        panels: vec![panel("mean penalty by regions", "regions", penalties, lines)],
        legend,
    }
}

/// Draws lines through points, each with its name, on linear scales.
pub fn lines(title: &str, x: &str, y: &str, series: &[(String, Vec<(f64, f64)>)]) -> Picture {
    named_series(title, x, series, |highest| round::linear(y, (0.0, 1.05 * highest)))
}

/// Draws mean penalties in per cent, each line with its name, on the scale of penalties.
pub fn mean_penalties(title: &str, x: &str, series: &[(String, Vec<(f64, f64)>)]) -> Picture {
    let position = |(name, points): &(String, Vec<(f64, f64)>)| {
        (name.clone(), points.iter().map(|(x, y)| (*x, round::percent(*y))).collect())
    };
    named_series(title, x, &series.iter().map(position).collect::<Vec<_>>(), penalties)
}

fn named_series(
    title: &str,
    x: &str,
    series: &[(String, Vec<(f64, f64)>)],
    y: impl Fn(f64) -> Scale,
) -> Picture {
    let names: Vec<&str> = series.iter().map(|(name, _)| &**name).collect();
    let colors = line_colors(&names).into_iter().zip(series);
    let (lines, legend) =
        named_lines(colors.map(|(color, (name, points))| (color, name.clone(), points.clone())));
    Picture { title: title.to_owned(), panels: vec![panel("", x, y, lines)], legend }
}

fn sorted(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = points.collect();
    points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    points
}

/// Returns a name such as `quadtree: mean of 40 to 50 of 50 cells`.
fn named(name: &str, over_cells: &str) -> String {
    if over_cells.is_empty() { name.to_owned() } else { format!("{name}: mean{over_cells}") }
}

/// Returns the title of a picture of trees of one map.
fn title<'t>(trees: impl IntoIterator<Item = &'t DecisionTree>) -> String {
    let tree = trees.into_iter().next();
    tree.map_or_else(String::new, |tree| headline(tree.domain(), tree.source(), []))
}

fn mean_of<'t>(trees: impl Iterator<Item = &'t DecisionTree>) -> String {
    format!("mean penalty{}", over_cells(trees))
}

fn mean_depth(tree: &DecisionTree) -> f64 {
    tree.statistics().encoding.depth.mean
}

/// Returns the position of the mean penalty of a tree.
fn mean_penalty(tree: &DecisionTree) -> Option<f64> {
    tree.statistics().encoding.quality.penalty.as_ref().map(|penalty| round::percent(penalty.mean))
}

/// Returns a panel whose vertical scale is linear, or one of per cent, from 0.
fn panel(title: &str, x: &str, y: impl Fn(f64) -> Scale, lines: Vec<Line>) -> Panel {
    let (mut columns, mut highest) = ((f64::INFINITY, f64::NEG_INFINITY), 0.0_f64);
    for (x, y) in lines.iter().flat_map(|line| &line.points) {
        columns = (columns.0.min(*x), columns.1.max(*x));
        highest = highest.max(*y);
    }
    Panel {
        title: title.to_owned(),
        x: round::linear(x, columns),
        y: y(highest),
        content: Content::Lines(lines),
    }
}

/// Returns a scale of penalties up to this position.
fn penalties(highest: f64) -> Scale {
    round::of_percent("mean penalty", highest.exp_m1())
}
