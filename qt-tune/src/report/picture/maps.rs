//! Decision maps and the regions of trees (2006 paper, Figure 2; 2007 paper, Figures 2 and 4).

use std::ops::Range;

use qtdec_core::{DecisionMap, DecisionTree};

use super::{Color, Content, Palette, Panel, Patch, Plane};

/// The map itself: the best method of each cell.
pub fn measured(map: &DecisionMap, plane: &Plane, palette: &Palette, title: &str, outlined: bool) -> Panel {
    let method = |cell: usize| map.cells()[cell];
    let boxes = colored_boxes(plane, |cell| (palette.color(method(cell)), palette.mark(method(cell))));
    panel(plane, title, Content::Boxes { boxes, outlined })
}

/// A colour and a letter for each cell.
pub(super) fn colored(plane: &Plane, title: &str, color: impl Fn(usize) -> (Color, Option<char>)) -> Panel {
    panel(plane, title, Content::Boxes { boxes: colored_boxes(plane, color), outlined: false })
}

fn colored_boxes(plane: &Plane, color: impl Fn(usize) -> (Color, Option<char>)) -> Vec<Patch> {
    let (columns, rows) = plane.size();
    let patch = |(x, y, (color, mark)): (Range<usize>, Range<usize>, (Color, Option<char>))| {
        let [x, y] = plane.corners(&x, &y);
        Patch { x, y, color, mark }
    };
    boxes(columns, rows, |x, y| color(plane.cell(x, y))).into_iter().map(patch).collect()
}

/// The regions of a tree.
pub fn regions(tree: &DecisionTree, plane: &Plane, palette: &Palette, title: &str, outlined: bool) -> Panel {
    let patches = tree.regions().into_iter().filter_map(|region| {
        let [x, y] = plane.section(&region.samples)?;
        let [x, y] = plane.corners(&x, &y);
        Some(Patch { x, y, color: palette.color(region.method), mark: palette.mark(region.method) })
    });
    panel(plane, title, Content::Boxes { boxes: patches.collect(), outlined })
}

fn panel(plane: &Plane, title: &str, content: Content) -> Panel {
    let (x, y) = plane.scales();
    Panel { title: title.to_owned(), x, y, content }
}

/// Boxes of equal values that cover the grid: runs along a row, grown upward while the rows above have the same run.
fn boxes<T: PartialEq + Copy>(
    columns: usize,
    rows: usize,
    value: impl Fn(usize, usize) -> T,
) -> Vec<(Range<usize>, Range<usize>, T)> {
    let mut done: Vec<(Range<usize>, Range<usize>, T)> = Vec::new();
    // The boxes that reach up to the row below.
    let mut open: Vec<(Range<usize>, Range<usize>, T)> = Vec::new();
    for y in 0..rows {
        let mut runs: Vec<(Range<usize>, Range<usize>, T)> = Vec::new();
        for x in 0..columns {
            match runs.last_mut() {
                Some((run, _, of)) if *of == value(x, y) => run.end = x + 1,
                _ => runs.push((x..x + 1, y..y + 1, value(x, y))),
            }
        }
        for (run, range, of) in &mut runs {
            let below = open.iter().position(|(other, _, value)| other == run && value == of);
            if let Some(below) = below {
                range.start = open.swap_remove(below).1.start;
            }
        }
        done.append(&mut open);
        open = runs;
    }
    done.append(&mut open);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_cover_the_grid_once() {
        let grid = ["aab", "aab", "abb", "ccc"];
        let value = |x: usize, y: usize| grid[y].as_bytes()[x];
        let boxes = boxes(3, 4, value);
        assert_eq!(boxes.len(), 5);
        for (y, row) in grid.iter().enumerate() {
            for x in 0..row.len() {
                let over: Vec<_> =
                    boxes.iter().filter(|(xs, ys, _)| xs.contains(&x) && ys.contains(&y)).collect();
                assert!(matches!(&over[..], [(_, _, of)] if *of == value(x, y)), "{x} {y} {over:?}");
            }
        }
    }
}
