//! Curves of the cost of smaller trees (2006 paper, Figures 4 and 5; 2007 paper, Figures 5 and 6).

use qtdec_core::DecisionTree;

use super::palette::{LINES, line_colors};
use super::{Color, Content, Entry, Line, Panel, Picture, Scale, over_cells};

const FIRST: Color = LINES[0];
const SECOND: Color = LINES[1];

/// Returns the mean depth and the mean penalty as functions of the swept option, given its name and a value for each tree.
pub fn curves(option: &str, trees: &[(f64, &DecisionTree)]) -> Picture {
    let by = |number: fn(&DecisionTree) -> Option<f64>| {
        let points = trees.iter().filter_map(|(value, tree)| Some((*value, number(tree)?))).collect();
        Content::Lines(vec![Line { color: FIRST, points }])
    };
    let panel = |title: &str, y: &str, content: Content| panel(title, option, y, content);
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
    let line = |trees: &[DecisionTree], color: Color| {
        let points = trees.iter().filter_map(|tree| Some((mean_depth(tree), mean_penalty(tree)?)));
        let mut points: Vec<(f64, f64)> = points.collect();
        points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Line { color, points }
    };
    let lines = vec![line(by_depth, FIRST), line(by_threshold, SECOND)];
    let entry = |color, text: &str, trees| Entry { color, mark: None, text: named(text, &over_cells(trees)) };
    Picture {
        title: collective(by_depth),
        panels: vec![panel("mean penalty by mean depth", "mean depth", "per cent", Content::Lines(lines))],
        legend: vec![
            entry(FIRST, "maximum depth", by_depth),
            entry(SECOND, "accuracy threshold", by_threshold),
        ],
    }
}

/// Returns the mean penalty as a function of the number of regions: a named line through the trees of each encoding.
pub fn penalty_by_regions(encodings: &[(String, Vec<&DecisionTree>)]) -> Picture {
    let colored = |number: usize| LINES[number % LINES.len()];
    let lines = encodings.iter().enumerate().map(|(number, (_, trees))| {
        let point = |tree: &&DecisionTree| Some((tree.statistics().regions as f64, mean_penalty(tree)?));
        let mut points: Vec<(f64, f64)> = trees.iter().filter_map(point).collect();
        points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Line { color: colored(number), points }
    });
    let content = Content::Lines(lines.collect());
    let entry = |(number, (name, trees)): (usize, &(String, Vec<&DecisionTree>))| Entry {
        color: colored(number),
        mark: None,
        text: named(name, &over_cells(trees.iter().copied())),
    };
    Picture {
        title: collective(encodings.iter().flat_map(|(_, trees)| trees.iter().copied())),
        panels: vec![panel("mean penalty by regions", "regions", "per cent", content)],
        legend: encodings.iter().enumerate().map(entry).collect(),
    }
}

/// Draws lines through points, each with its name, on linear scales.
pub fn lines(title: &str, x: &str, y: &str, series: &[(String, Vec<(f64, f64)>)]) -> Picture {
    let names: Vec<&str> = series.iter().map(|(name, _)| &**name).collect();
    let colors = line_colors(&names);
    let points = series.iter().map(|(_, points)| points.clone());
    let lines = colors.iter().zip(points).map(|(&color, points)| Line { color, points }).collect();
    let entry = |(&color, &name): (&Color, &&str)| Entry { color, mark: None, text: name.to_owned() };
    Picture {
        title: title.to_owned(),
        panels: vec![panel("", x, y, Content::Lines(lines))],
        legend: colors.iter().zip(&names).map(entry).collect(),
    }
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

fn panel(title: &str, x: &str, y: &str, content: Content) -> Panel {
    let (mut columns, mut rows) = ((f64::INFINITY, f64::NEG_INFINITY), (0.0, 0.0_f64));
    if let Content::Lines(lines) = &content {
        for (x, y) in lines.iter().flat_map(|line| &line.points) {
            columns = (columns.0.min(*x), columns.1.max(*x));
            rows.1 = rows.1.max(*y);
        }
    }
    let scale = |title: &str, (from, to): (f64, f64)| {
        // A curve of one point, or one that is 0 everywhere, also needs some room.
        let (from, to) = if from < to {
            (from, to)
        } else if from.is_finite() {
            (from, from + 1.0)
        } else {
            (0.0, 1.0)
        };
        Scale { title: title.to_owned(), from, to, ticks: Vec::new() }
    };
    Panel { title: title.to_owned(), x: scale(x, columns), y: scale(y, (rows.0, 1.05 * rows.1)), content }
}
