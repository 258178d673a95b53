//! Decision maps and the regions of trees (2006 paper, Figure 2; 2007 paper, Figures 2 and 4).

use std::ops::Range;

use indexmap::IndexSet;
use qtdec_core::rectangles::Grid;
use qtdec_core::{DecisionMap, DecisionTree, MethodIndex};

use super::palette::NOTHING;
use super::{Color, Content, Palette, Panel, Patch, Plane};

/// Returns the map itself: the best method of each cell.
pub fn measured(map: &DecisionMap, plane: &Plane, palette: &Palette, title: &str, outlined: bool) -> Panel {
    cells(map.cells(), plane, palette, title, outlined)
}

/// Returns a panel with the method of each cell.
pub(super) fn cells(
    methods: &[Option<MethodIndex>],
    plane: &Plane,
    palette: &Palette,
    title: &str,
    outlined: bool,
) -> Panel {
    let method = |cell: usize| methods[cell];
    let boxes = colored_boxes(plane, |cell| (palette.color(method(cell)), palette.mark(method(cell))));
    panel(plane, title, Content::Boxes { boxes, outlined })
}

/// Returns a panel with a colour and a letter for each cell.
pub(super) fn colored(plane: &Plane, title: &str, color: impl Fn(usize) -> (Color, Option<char>)) -> Panel {
    panel(plane, title, Content::Boxes { boxes: colored_boxes(plane, color), outlined: false })
}

/// Returns a panel in which nothing is known of any cell.
pub(crate) fn unknown(plane: &Plane) -> Panel {
    colored(plane, "", |_| (NOTHING, None))
}

fn colored_boxes(plane: &Plane, color: impl Fn(usize) -> (Color, Option<char>)) -> Vec<Patch> {
    let (columns, _) = plane.size();
    let mut looks: IndexSet<([u8; 3], Option<char>)> = IndexSet::new();
    let numbers = plane.cells().map(|cell| {
        let (Color { 0: red, 1: green, 2: blue }, mark) = color(cell);
        1 + looks.insert_full(([red, green, blue], mark)).0
    });
    let grid = Grid::new(columns, numbers.collect());
    let patches = grid.fewest_rectangles().into_iter().map(|rectangle| {
        let [x, y] = plane.corners(&rectangle.columns, &rectangle.rows);
        let ([red, green, blue], mark) = looks[rectangle.colour - 1];
        Patch { x, y, color: Color { 0: red, 1: green, 2: blue }, mark }
    });
    patches.collect()
}

/// Returns the regions of a tree, with the borders of its function.
pub fn regions(tree: &DecisionTree, plane: &Plane, palette: &Palette, title: &str, outlined: bool) -> Panel {
    let [columns, rows] = plane.edges_of(tree);
    let side = |edges: &[f64], samples: &Range<usize>| (edges[samples.start], edges[samples.end]);
    let patches = tree.regions().into_iter().filter_map(|region| {
        let [x, y] = plane.section(&region.samples)?;
        let (x, y) = (side(&columns, &x), side(&rows, &y));
        Some(Patch { x, y, color: palette.color(region.method), mark: palette.mark(region.method) })
    });
    panel(plane, title, Content::Boxes { boxes: patches.collect(), outlined })
}

fn panel(plane: &Plane, title: &str, content: Content) -> Panel {
    let (x, y) = plane.scales();
    Panel { title: title.to_owned(), x, y, content }
}
