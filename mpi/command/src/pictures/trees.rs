//! Pictures of the trees of a broadcast: which rank passes the bytes on to which.

#![expect(clippy::cast_possible_wrap, reason = "pixels of a screen")]

mod layout;

use plotters::style::{BLACK, RGBColor};
use qtdec_core::naming::binary_size;
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{DeliveryTree, Verified};

use self::layout::Layout;
use super::sheet::{self, Point, Shape, Sheet};
use qtdec_report::picture::{Color, Entry};
use qtdec_report::picture::{LINES, NOTHING, ink};

/// The maximum number of ranks in a picture.
const MAX_RANKS: u32 = 128;

/// The maximum number of trees in one picture; a broadcast that scatters the message has one for each rank.
const MAX_TREES: usize = 8;

const ROOT: Color = RGBColor(0x40, 0x40, 0x40);

const RADIUS: i32 = 11;
const MARGIN: i32 = 24;
const TITLE: i32 = 40;
const PANEL_TITLE: i32 = 28;
const BETWEEN: i32 = 40;
const LEGEND_ROW: i32 = 22;

/// The maximum width of a row of panels, which titles also need.
const WIDTH: i32 = 960;
const MIN_PANEL: i32 = 190;

/// The trees of one broadcast, side by side.
#[derive(Clone, Debug)]
pub struct Trees {
    title: String,
    /// The trees in the order of their first bytes; only the first eight are drawn.
    pub panels: Vec<TreePanel>,
    /// The meaning of the ranks' colours.
    pub legend: Vec<Entry>,
}

/// One tree.
#[derive(Clone, Debug)]
pub struct TreePanel {
    /// The title, which says which bytes take the tree.
    pub title: String,
    /// The ranks in order.
    pub nodes: Vec<TreeNode>,
    /// Edges from parents to children, by rank, each in the colour of its rail.
    pub edges: Vec<(u32, u32, Color)>,
    width: i32,
    height: i32,
}

/// A rank in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The centre, in pixels from the left and from the top of the panel's trees.
    pub at: (i32, i32),
    /// The colour of the tree in which the rank passes bytes on.
    pub color: Color,
}

impl Trees {
    /// Checks what is known before a schedule is built.
    ///
    /// # Errors
    ///
    /// Fails if the collective is no broadcast, or has more than 128 ranks.
    pub fn check(collective: Collective, ranks: u32) -> Result<(), String> {
        if collective != Collective::Bcast {
            return Err(format!(
                "only a bcast can be drawn as trees, not {collective}: use `--figure space-time`"
            ));
        }
        if ranks > MAX_RANKS {
            return Err(format!("a tree of {ranks} ranks would be unreadable: use at most {MAX_RANKS}"));
        }
        Ok(())
    }

    /// Returns the picture of a broadcast.
    ///
    /// # Errors
    ///
    /// Fails if the schedule is of another collective, has an empty message, or more than 128 ranks.
    pub fn from_schedule(verified: &Verified<'_>) -> Result<Self, String> {
        let schedule = verified.schedule();
        let ranks = schedule.request.comm_size();
        Self::check(schedule.collective, ranks)?;
        let trees = verified.trees();
        if schedule.request.bytes() == 0 || trees.is_empty() {
            return Err("an empty message has no tree: use a larger --msg-size".to_owned());
        }
        let shown = &trees[..trees.len().min(MAX_TREES)];
        let colors = Colors::new(shown);
        let panels = (0..shown.len()).map(|tree| panel(shown, tree, &colors)).collect();
        let count = match trees.len() {
            1 => String::new(),
            more if more > MAX_TREES => format!(", {MAX_TREES} of {more} trees"),
            some => format!(", {some} trees"),
        };
        Ok(Self {
            title: format!("{} {} among {ranks} ranks{count}", schedule.collective, schedule.algorithm),
            panels,
            legend: colors.legend(shown),
        })
    }

    /// Returns the picture as SVG.
    pub fn svg(&self) -> String {
        let mut shapes = vec![Shape::title((MARGIN, 20), &self.title)];
        let (mut left, mut top, mut row, mut right) =
            (MARGIN, TITLE, 0, 9 * self.title.chars().count() as i32);
        for panel in &self.panels {
            if left > MARGIN && left + panel.width > WIDTH {
                (left, top, row) = (MARGIN, top + row + BETWEEN, 0);
            }
            panel.draw((left, top), &mut shapes);
            row = row.max(panel.height);
            left += panel.width + BETWEEN;
            right = right.max(left - BETWEEN);
        }
        top += row + MARGIN;
        for entry in &self.legend {
            let text = Shape::text((MARGIN + 20, top), &entry.text, 12, BLACK, sheet::LEFT);
            shapes.extend([Shape::Dot { center: (MARGIN + 6, top), radius: 6, color: entry.color }, text]);
            top += LEGEND_ROW;
        }
        Sheet { width: (right + MARGIN) as u32, height: top as u32, shapes }.svg()
    }
}

impl TreePanel {
    fn draw(&self, (left, top): Point, shapes: &mut Vec<Shape>) {
        shapes.push(Shape::text((left, top + 8), &self.title, 12, BLACK, sheet::LEFT));
        let at = |node: TreeNode| (left + node.at.0, top + PANEL_TITLE + node.at.1);
        for &(from, to, color) in &self.edges {
            let ends = [from, to].map(|rank| at(self.nodes[rank as usize]));
            shapes.push(Shape::Line { ends, width: 2, color });
        }
        for (rank, &node) in self.nodes.iter().enumerate() {
            shapes.push(Shape::Dot { center: at(node), radius: RADIUS, color: node.color });
            shapes.push(Shape::text(at(node), &rank.to_string(), 11, *ink(node.color), sheet::CENTER));
        }
    }
}

fn panel(trees: &[DeliveryTree], index: usize, colors: &Colors) -> TreePanel {
    let tree = &trees[index];
    let layout = Layout::new(tree);
    let node = |(rank, &(x, y)): (usize, &Point)| TreeNode {
        at: (x + RADIUS, y + RADIUS),
        color: colors.node(tree, index, rank),
    };
    let edges = (0..).zip(&tree.arrivals).filter_map(|(rank, arrival)| {
        arrival.map(|arrival| (arrival.from, rank, colors.edge(index, arrival.rail)))
    });
    TreePanel {
        title: colors.title(tree),
        edges: edges.collect(),
        nodes: layout.places.iter().enumerate().map(node).collect(),
        width: (layout.width + 2 * RADIUS).max(MIN_PANEL),
        height: PANEL_TITLE + layout.height + 2 * RADIUS,
    }
}

/// The colours of ranks and edges.
struct Colors {
    /// Whether each rank passes bytes on, for each tree.
    inner: Vec<Vec<bool>>,
    rails: u32,
}

impl Colors {
    fn new(trees: &[DeliveryTree]) -> Self {
        let inner = trees.iter().map(|tree| tree.children().iter().map(|list| !list.is_empty()).collect());
        let arrivals = trees.iter().flat_map(|tree| tree.arrivals.iter().flatten());
        let rails = arrivals.map(|arrival| arrival.rail + 1).max().unwrap_or(1);
        Self { inner: inner.collect(), rails }
    }

    /// Returns the colour of an edge. Rails have the colours after those of two trees; a single rail needs no colour of its own.
    fn edge(&self, tree: usize, rail: u32) -> Color {
        if self.rails > 1 { LINES[(2 + rail as usize) % LINES.len()] } else { Self::tree(tree) }
    }

    /// Returns the colour of a tree, without the last one, which is too close to that of the root.
    fn tree(tree: usize) -> Color {
        LINES[tree % (LINES.len() - 1)]
    }

    /// Returns the colour of a rank. With two trees, a leaf has the colour of the other tree if it passes bytes on there.
    fn node(&self, tree: &DeliveryTree, index: usize, rank: usize) -> Color {
        if tree.arrivals[rank].is_none() {
            ROOT
        } else if self.inner[index][rank] {
            Self::tree(index)
        } else if self.inner.len() == 2 && self.inner[1 - index][rank] {
            Self::tree(1 - index)
        } else {
            NOTHING
        }
    }

    fn title(&self, tree: &DeliveryTree) -> String {
        if self.inner.len() == 1 {
            return format!("all {}", binary_size(tree.bytes()));
        }
        let start = tree.pieces.first().map_or(0, |piece| piece.offset);
        let pieces = match tree.pieces.len() {
            1 => String::new(),
            some => format!(" in {some} pieces"),
        };
        format!("{}{pieces} from byte {start}", binary_size(tree.bytes()))
    }

    fn legend(&self, trees: &[DeliveryTree]) -> Vec<Entry> {
        let mut legend = vec![Entry::new(ROOT, "root")];
        match trees.len() {
            1 => legend.push(Entry::new(Self::tree(0), "inner rank")),
            2 => legend.extend([
                Entry::new(Self::tree(0), "inner rank of the first tree"),
                Entry::new(Self::tree(1), "inner rank of the second tree"),
            ]),
            _ => {}
        }
        let ranks = self.inner.first().map_or(0, Vec::len);
        let has_leaf = |(at, tree)| (0..ranks).any(|rank| self.node(tree, at, rank) == NOTHING);
        if trees.iter().enumerate().any(has_leaf) {
            legend.push(Entry::new(NOTHING, if trees.len() == 2 { "leaf of both" } else { "leaf" }));
        }
        if self.rails > 1 {
            legend.extend(
                (0..self.rails).map(|rail| Entry::new(self.edge(0, rail), format!("link on rail {rail}"))),
            );
        }
        legend
    }
}
