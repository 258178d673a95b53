//! The quality of decisions, beyond a tree's own statistics.

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::statistics::Quality;
use qtdec_core::{DecisionMap, MethodIndex, Penalty};

use super::over_default::OverDefault;
use super::simple_rules::SimpleRules;

/// The penalties in per cent above which cells are counted, which include the bands of the papers' Figure 3.
pub const BANDS: [f64; 4] = [5.0, 10.0, 25.0, 50.0];

/// The cost of a decision whose cost in a cell is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unpriced {
    /// Unknown: the cell has no penalty and is counted separately.
    #[default]
    Apart,
    /// The cost of the slowest method that was measured there.
    Worst,
}

impl Unpriced {
    /// Every choice and its name in options.
    pub const ALL: [(&'static str, Self); 2] = [("apart", Self::Apart), ("worst", Self::Worst)];
}

/// The cells that do not count, and the treatment of unknown costs.
#[derive(Clone, Debug, Default)]
pub struct LeaveOut {
    /// Sizes to exclude, with the position of their axis; the 2007 paper's spike study excludes 1448 bytes.
    pub sizes: Vec<(usize, u64)>,
    /// The cost of decisions whose cost is unknown.
    pub unpriced: Unpriced,
}

impl LeaveOut {
    /// Returns whether a cell counts, judging by its sizes.
    fn counts(&self, cell: usize, map: &DecisionMap) -> bool {
        let sizes = map.domain().sizes(cell);
        !self.sizes.iter().any(|&(axis, size)| sizes[axis] == size)
    }
}

/// The cells that a mean penalty covers. Means of several trees are comparable only if all cells have costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The number of cells in which the decision has a cost.
    pub priced: u64,
    /// The number of all cells that count.
    pub cells: u64,
}

impl Coverage {
    /// Returns the coverage of decisions of this quality on a map, or `None` if the map has no costs.
    pub fn new(quality: &Quality, map: &DecisionMap) -> Option<Self> {
        map.costs()?;
        Some(match &quality.penalty {
            Some(penalty) => Self { priced: penalty.cells, cells: penalty.cells + penalty.unpriced },
            None => Self { priced: 0, cells: quality.cells },
        })
    }

    /// Returns the number of cells in which the decision has no cost.
    pub fn unpriced(self) -> u64 {
        self.cells - self.priced
    }
}

/// The cost of decisions, over all cells that count.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The papers' penalty.
    pub penalty: Penalty,
    /// 100 · mean ln(t\[chosen\] / t\[best\]): the papers' penalty on a scale on which one cell cannot outweigh all others.
    pub points: f64,
    /// Σ t\[chosen\] / Σ t\[best\] − 1 in per cent: the cost for a program that calls every cell once.
    pub time_weighted: f64,
    /// The share of cells with a penalty above each of [`BANDS`], in per cent.
    pub above: [f64; 4],
    /// The comparison with the library's own choice, or `None` if the map has no baseline.
    pub over_default: Option<OverDefault>,
    /// The gains over simple rules, if the map has no baseline.
    pub rules: Option<SimpleRules>,
}

/// Returns the penalties of the cells that count, the worst first.
pub fn cells(
    decisions: &[Option<MethodIndex>],
    map: &DecisionMap,
    leave_out: &LeaveOut,
) -> Option<Vec<CellPenalty>> {
    let mut cells = penalties(decisions, map)?;
    cells.retain(|cell| leave_out.counts(cell.cell, map));
    if leave_out.unpriced == Unpriced::Worst {
        for cell in cells.iter_mut().filter(|cell| cell.chosen.is_none()) {
            cell.chosen = slowest(map, cell.cell);
        }
    }
    let percent = |cell: &CellPenalty| cell.percent().unwrap_or(f64::NEG_INFINITY);
    cells.sort_by(|a, b| percent(b).total_cmp(&percent(a)).then(a.cell.cmp(&b.cell)));
    Some(cells)
}

/// Returns the greatest cost of any method in a cell.
fn slowest(map: &DecisionMap, cell: usize) -> Option<f64> {
    let costs = map.costs()?;
    map.domain().method_indexes().filter_map(|method| costs.get(cell, method)).max_by(f64::total_cmp)
}

/// Returns the quality of decisions, one for each cell of the map, over the cells that count.
pub fn quality(decisions: &[Option<MethodIndex>], map: &DecisionMap, leave_out: &LeaveOut) -> Quality {
    let priced = cells(decisions, map, leave_out);
    let counted: Vec<usize> = match &priced {
        Some(priced) => priced.iter().map(|cell| cell.cell).collect(),
        None => (0..decisions.len())
            .filter(|&cell| map.cells()[cell].is_some() && leave_out.counts(cell, map))
            .collect(),
    };
    let right = |cell: &&usize| {
        decisions[**cell].is_some_and(|method| map.acceptable_methods(**cell).contains(&method))
    };
    Quality {
        cells: counted.len() as u64,
        mismatches: (counted.len() - counted.iter().filter(right).count()) as u64,
        penalty: priced.and_then(|priced| Penalty::over(&priced)),
    }
}

/// A cell in which a decision costs more than the best method.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// The cell, row-major.
    pub cell: usize,
    /// The chosen method.
    pub chosen: MethodIndex,
    /// The best method.
    pub best: MethodIndex,
    /// The cost of each of them.
    pub times: [f64; 2],
    /// The penalty in per cent.
    pub percent: f64,
}

/// Returns the cells with the greatest penalties, the worst first: at most a given number of those that count, and none without
/// a penalty.
pub fn worst(
    decisions: &[Option<MethodIndex>],
    map: &DecisionMap,
    leave_out: &LeaveOut,
    most: usize,
) -> Vec<Miss> {
    let (Some(costs), Some(cells)) = (map.costs(), cells(decisions, map, leave_out)) else {
        return Vec::new();
    };
    let candidates = map.candidates();
    let misses = cells.iter().filter_map(|cell| {
        let best = costs.cheapest(cell.cell, candidates.iter().copied())?;
        let (percent, chosen) = (cell.percent()?, decisions[cell.cell]?);
        Some(Miss { cell: cell.cell, chosen, best, times: [cell.chosen?, cell.best], percent })
    });
    misses.take_while(|miss| miss.percent > 0.0).take(most).collect()
}

/// Assesses decisions, one for each cell of the map. Returns `None` if none of them has a cost.
pub fn assess(
    decisions: &[Option<MethodIndex>],
    map: &DecisionMap,
    leave_out: &LeaveOut,
) -> Option<Assessment> {
    let cells = cells(decisions, map, leave_out)?;
    let penalty = Penalty::over(&cells)?;
    let priced: Vec<&CellPenalty> = cells.iter().filter(|cell| cell.chosen.is_some()).collect();
    let sum = |time: fn(&CellPenalty) -> f64| priced.iter().map(|cell| time(cell)).sum::<f64>();
    let (chosen, best) = (sum(|cell| cell.chosen.unwrap_or(0.0)), sum(|cell| cell.best));
    let share = |limit: f64| {
        let above = priced.iter().filter_map(|cell| cell.percent()).filter(|percent| *percent > limit);
        100.0 * above.count() as f64 / priced.len() as f64
    };
    Some(Assessment {
        penalty,
        points: points(&priced),
        time_weighted: 100.0 * (chosen / best - 1.0),
        above: BANDS.map(share),
        over_default: OverDefault::from_decisions(decisions, map, &cells),
        rules: Some(&cells)
            .filter(|_| map.domain().baseline().is_none())
            .and_then(|cells| SimpleRules::from_decisions(decisions, map, cells)),
    })
}

/// Returns the mean in points, weighted by calls if the map has a call profile.
fn points(priced: &[&CellPenalty]) -> f64 {
    let called: f64 = priced.iter().map(|cell| cell.weight).sum();
    let weight = |cell: &CellPenalty| if called > 0.0 { cell.weight } else { 1.0 };
    let all: f64 = priced.iter().map(|cell| weight(cell)).sum();
    let log = |cell: &CellPenalty| (cell.chosen.unwrap_or(cell.best) / cell.best).ln();
    100.0 * priced.iter().map(|cell| weight(cell) * log(cell)).sum::<f64>() / all
}
