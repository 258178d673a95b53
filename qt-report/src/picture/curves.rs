//! Curves of the cost of smaller trees (2006 paper, Figures 4 and 5; 2007 paper, Figures 5 and 6).

use qtdec_core::DecisionTree;

use super::palette::{LINES, line_colors};
use super::{Color, Content, Line, Panel, Picture, Scale, named_lines, over_cells};

const FIRST: Color = LINES[0];
const SECOND: Color = LINES[1];

/// Returns the mean depth and the mean penalty as functions of the swept option, given its name and a value for each tree.
pub fn curves(option: &str, trees: &[(f64, &DecisionTree)]) -> Picture {
    let by = |number: fn(&DecisionTree) -> Option<f64>| {
        let points = trees.iter().filter_map(|(value, tree)| Some((*value, number(tree)?))).collect();
        vec![Line { color: FIRST, points }]
    };
    let panel = |title: &str, y: &str, lines: Vec<Line>| panel(title, option, y, lines);
    Picture {
        title: collective(trees.iter().map(|(_, tree)| *tree)),
        panels: vec![
            panel("mean depth", "levels", by(|tree| Some(mean_depth(tree)))),
            panel(&mean_of(trees.iter().map(|(_, tree)| *tree)), "per cent", by(mean_penalty)),
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
        title: collective(by_depth),
        panels: vec![panel("mean penalty by mean depth", "mean depth", "per cent", lines)],
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
        title: collective(encodings.iter().flat_map(|(_, trees)| trees.iter().copied())),
        panels: vec![panel("mean penalty by regions", "regions", "per cent", lines)],
        legend,
    }
}

/// Draws lines through points, each with its name, on linear scales.
pub fn lines(title: &str, x: &str, y: &str, series: &[(String, Vec<(f64, f64)>)]) -> Picture {
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

/// Returns the collective of trees of one map.
fn collective<'t>(trees: impl IntoIterator<Item = &'t DecisionTree>) -> String {
    let tree = trees.into_iter().next();
    tree.and_then(|tree| tree.domain().collective()).unwrap_or_default().to_owned()
}

fn mean_of<'t>(trees: impl Iterator<Item = &'t DecisionTree>) -> String {
    format!("mean penalty{}", over_cells(trees))
}

fn mean_depth(tree: &DecisionTree) -> f64 {
    tree.statistics().encoding.depth.mean
}

fn mean_penalty(tree: &DecisionTree) -> Option<f64> {
    tree.statistics().encoding.quality.penalty.as_ref().map(|penalty| penalty.mean)
}

fn panel(title: &str, x: &str, y: &str, lines: Vec<Line>) -> Panel {
    let (mut columns, mut highest) = ((f64::INFINITY, f64::NEG_INFINITY), 0.0_f64);
    for (x, y) in lines.iter().flat_map(|line| &line.points) {
        columns = (columns.0.min(*x), columns.1.max(*x));
        highest = highest.max(*y);
    }
    let y = scale(y, (0.0, 1.05 * highest));
    Panel { title: title.to_owned(), x: scale(x, columns), y, content: Content::Lines(lines) }
}

fn scale(title: &str, (from, to): (f64, f64)) -> Scale {
    // A curve of one point, or one that is 0 everywhere, also needs some room.
    let (from, to) = if from < to {
        (from, to)
    } else if from.is_finite() {
        (from, from + 1.0)
    } else {
        (0.0, 1.0)
    };
    Scale { title: title.to_owned(), from, to, ticks: Vec::new() }
}
