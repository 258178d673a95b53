//! Trees of limited depth, ours next to the printed ones.

use qtdec_core::encode::{self, Fill, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree};
use qtdec_study::study::assess::{LeaveOut, quality};

use crate::printed::PrintedTree;
use crate::table::{Column, Table, number, ratio};

/// The lines of a node's code in the 2006 paper, and what its functions have less: see `2006-table-3`.
const LINES_OF_A_NODE: u64 = 17;
const FEWER_LINES: u64 = 3;

/// The conditions of a node in the 2007 paper, one for each quadrant.
const CONDITIONS_OF_A_NODE: u64 = 4;

/// How trees are made and judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Making {
    /// Whether sibling leaves of the same method are merged, as in the 2007 paper.
    pub(crate) collapse: bool,
    pub(crate) fill: Fill,
    /// The sizes at which the trees are not judged.
    pub(crate) leave_out: LeaveOut,
}

impl Making {
    /// As in the 2007 paper.
    pub(crate) fn merged() -> Self {
        Self { collapse: true, ..Self::default() }
    }

    /// As in the 2006 paper, but that the last sample is repeated.
    pub(crate) fn with_last() -> Self {
        Self { fill: Fill::Last, ..Self::default() }
    }

    /// As in the 2007 paper, but that the last sample is repeated.
    pub(crate) fn merged_with_last() -> Self {
        Self { fill: Fill::Last, ..Self::merged() }
    }

    /// Returns the quadtree without a limit.
    fn exact(&self) -> Quadtree {
        Quadtree { collapse: self.collapse, fill: self.fill, ..Quadtree::default() }
    }

    /// Returns the quadtree of a depth.
    pub(crate) fn of_depth(&self, depth: u32) -> Quadtree {
        Quadtree { max_depth: Some(depth), ..self.exact() }
    }

    /// Returns the quadtree of an accuracy threshold, in per cent.
    pub(crate) fn of_threshold(&self, threshold: f64) -> Quadtree {
        Quadtree { threshold, ..self.exact() }
    }

    pub(crate) fn tree(&self, map: &DecisionMap, depth: u32) -> DecisionTree {
        encoded(map, &self.of_depth(depth))
    }
}

/// Returns the tree of a map.
///
/// # Panics
///
/// Panics if leaves take the cheapest method and the map has no costs.
pub(crate) fn encoded(map: &DecisionMap, quadtree: &Quadtree) -> DecisionTree {
    encode::encode(map, quadtree, Borders::Floor).expect("a quadtree serves every map")
}

/// What the papers' tables say about a tree; penalties are in per cent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Described {
    pub(crate) min_depth: f64,
    pub(crate) mean_depth: f64,
    pub(crate) penalty_min: f64,
    pub(crate) penalty_max: f64,
    pub(crate) penalty_mean: f64,
    pub(crate) penalty_median: f64,
    pub(crate) leaves: u64,
    pub(crate) nodes: u64,
}

impl Described {
    pub(crate) fn new(tree: &DecisionTree, map: &DecisionMap, making: &Making) -> Self {
        let encoding = &tree.statistics().encoding;
        let penalty = quality(&tree.cells(), map, &making.leave_out).penalty;
        let of = |part: fn(&qtdec_core::Penalty) -> f64| penalty.as_ref().map_or(f64::NAN, part);
        Self {
            min_depth: encoding.depth.min as f64,
            mean_depth: encoding.depth.mean,
            penalty_min: of(|penalty| penalty.min),
            penalty_max: of(|penalty| penalty.max),
            penalty_mean: of(|penalty| penalty.mean),
            penalty_median: of(|penalty| penalty.median),
            leaves: encoding.leaves,
            nodes: encoding.nodes,
        }
    }

    /// Returns the inner nodes: each has four children, so that there is one for every four nodes but the root.
    pub(crate) const fn inner(&self) -> u64 {
        self.nodes / 4
    }
}

/// Returns the lines of a function of the 2006 paper with this many inner nodes.
pub(crate) const fn lines(inner: u64) -> u64 {
    LINES_OF_A_NODE * inner - FEWER_LINES
}

/// Returns the conditions of a function of the 2007 paper with this many inner nodes.
pub(crate) const fn conditions(inner: u64) -> u64 {
    CONDITIONS_OF_A_NODE * inner
}

/// Trees of the depths of a printed table.
pub(crate) struct Trees {
    pub(crate) printed: &'static [PrintedTree],
    pub(crate) ours: Vec<Described>,
}

impl Trees {
    pub(crate) fn new(map: &DecisionMap, printed: &'static [PrintedTree], making: &Making) -> Self {
        let describe = |row: &PrintedTree| Described::new(&making.tree(map, row.depth), map, making);
        Self { printed, ours: printed.iter().map(describe).collect() }
    }

    /// Returns a quantity of the printed and of our trees.
    pub(crate) fn quantity(
        &self,
        title: &'static str,
        decimals: usize,
        printed: impl Fn(&PrintedTree) -> Option<f64>,
        ours: impl Fn(&Described) -> f64,
    ) -> Quantity {
        let paper = self.printed.iter().map(printed).collect();
        let ours = self.ours.iter().map(|own| Some(ours(own))).collect();
        Quantity { title, decimals, source: Source::Printed, paper, ours }
    }

    pub(crate) fn mean_depth(&self) -> Quantity {
        self.quantity("mean depth", 4, |row| Some(row.mean_depth), |own| own.mean_depth)
    }

    pub(crate) fn mean_penalty(&self) -> Quantity {
        self.quantity("mean penalty %", 2, |row| Some(row.penalty_mean), |own| own.penalty_mean)
    }

    pub(crate) fn leaves(&self) -> Quantity {
        self.quantity("leaves", 0, |row| Some(row.leaves as f64), |own| own.leaves as f64)
    }

    /// Returns the nodes of a table that does not print them: they follow from the leaves of a quadtree.
    pub(crate) fn nodes(&self) -> Quantity {
        self.quantity("nodes", 0, |row| Some(row.nodes() as f64), |own| own.nodes as f64).implied()
    }

    /// Returns the columns that three of the tables have in common.
    pub(crate) fn depths_and_penalties(&self) -> Vec<Quantity> {
        vec![
            self.quantity("min depth", 0, |row| row.min_depth, |own| own.min_depth),
            self.mean_depth(),
            self.quantity("min penalty %", 2, |row| row.penalty_min, |own| own.penalty_min),
            self.quantity("max penalty %", 2, |row| row.penalty_max, |own| own.penalty_max),
            self.mean_penalty(),
            self.quantity("median penalty %", 2, |row| row.penalty_median, |own| own.penalty_median),
            self.leaves(),
        ]
    }

    /// Returns the table of these quantities.
    pub(crate) fn table(&self, quantities: &[Quantity]) -> Table {
        let depths = self.printed.iter().map(|row| row.depth.to_string());
        wide(Column::number("max depth"), depths, quantities)
    }
}

/// Where the paper's numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// They are printed.
    Printed,
    /// They follow from other printed numbers.
    Implied,
    /// They are those of our trees alone.
    Ours,
}

/// A column of a paper's table, and its counterpart.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    pub(crate) title: &'static str,
    pub(crate) decimals: usize,
    pub(crate) source: Source,
    pub(crate) paper: Vec<Option<f64>>,
    pub(crate) ours: Vec<Option<f64>>,
}

impl Quantity {
    /// Returns the quantity with the note that the print implies the numbers.
    pub(crate) fn implied(self) -> Self {
        Self { source: Source::Implied, ..self }
    }

    /// Returns a column of the paper for which there is nothing to compute.
    pub(crate) fn only_printed(title: &'static str, decimals: usize, paper: &[f64]) -> Self {
        let paper: Vec<_> = paper.iter().copied().map(Some).collect();
        let ours = vec![None; paper.len()];
        Self { title, decimals, source: Source::Printed, paper, ours }
    }

    /// Returns printed whole numbers with ours.
    pub(crate) fn whole(title: &'static str, paper: &[u64], ours: impl IntoIterator<Item = u64>) -> Self {
        let paper = paper.iter().map(|number| Some(*number as f64)).collect();
        let ours = ours.into_iter().map(|number| Some(number as f64)).collect();
        Self { title, decimals: 0, source: Source::Printed, paper, ours }
    }

    /// Returns a quantity that only our trees have.
    pub(crate) fn only_ours(title: &'static str, decimals: usize, ours: Vec<Option<f64>>) -> Self {
        Self { title, decimals, source: Source::Ours, paper: vec![None; ours.len()], ours }
    }

    fn has_ratio(&self) -> bool {
        self.ours
            .iter()
            .zip(&self.paper)
            .any(|(ours, paper)| ours.is_some() && paper.is_some_and(|paper| paper != 0.0))
    }

    fn columns(&self) -> Vec<Column> {
        let of = |part: &str| Column::number(format!("{}: {part}", self.title));
        let mut columns = match self.source {
            Source::Printed => vec![of("paper")],
            Source::Implied => vec![of("paper, implied")],
            Source::Ours => Vec::new(),
        };
        if self.ours.iter().any(Option::is_some) {
            columns.push(of("ours"));
        }
        if self.has_ratio() {
            columns.push(of("ratio"));
        }
        columns
    }

    fn cells(&self, row: usize) -> Vec<String> {
        let (paper, ours) = (self.paper[row], self.ours[row]);
        let mut cells = Vec::new();
        if self.source != Source::Ours {
            cells.push(number(paper, self.decimals));
        }
        if self.ours.iter().any(Option::is_some) {
            cells.push(number(ours, self.decimals));
        }
        if self.has_ratio() {
            cells.push(ratio(ours, paper));
        }
        cells
    }
}

/// Returns a table with three columns for each quantity: the paper's, ours, and their ratio.
pub(crate) fn wide(first: Column, names: impl IntoIterator<Item = String>, quantities: &[Quantity]) -> Table {
    let mut table = Table::new([first].into_iter().chain(quantities.iter().flat_map(Quantity::columns)));
    for (row, name) in names.into_iter().enumerate() {
        let cells = quantities.iter().flat_map(|quantity| quantity.cells(row));
        table.row([name].into_iter().chain(cells));
    }
    table
}
