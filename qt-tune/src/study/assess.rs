//! How good decisions are: more than a tree's own statistics tell.

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::statistics::Quality;
use qtdec_core::{DecisionMap, MethodIndex, Penalty};

/// Shares are counted of cells whose penalty is above so many per cent; the bands of the papers' Figure 3 among them.
pub const BANDS: [f64; 4] = [5.0, 10.0, 25.0, 50.0];

/// Which cells do not count.
#[derive(Clone, Debug, Default)]
pub struct LeaveOut {
    /// Cells with one of these sizes on the axis of this position; the 2007 paper's spike study leaves out 1448 bytes.
    pub sizes: Vec<(usize, u64)>,
    /// So many cells of the greatest penalties.
    pub dearest: usize,
}

impl LeaveOut {
    /// Whether a cell counts by its sizes.
    fn counts(&self, cell: usize, map: &DecisionMap) -> bool {
        let sizes = map.domain().sizes(cell);
        !self.sizes.iter().any(|&(axis, size)| sizes[axis] == size)
    }
}

/// How many of the cells that count a mean penalty is over. Those of several trees compare only where all cells are priced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The cells in which the decision has a cost.
    pub priced: u64,
    /// All cells that count.
    pub cells: u64,
}

impl Priced {
    /// Of decisions of this quality on a map; `None` where the map holds no costs.
    pub fn of(quality: &Quality, map: &DecisionMap) -> Option<Self> {
        map.costs()?;
        Some(match &quality.penalty {
            Some(penalty) => Self { priced: penalty.cells, cells: penalty.cells + penalty.unpriced },
            None => Self { priced: 0, cells: quality.cells },
        })
    }

    /// The cells in which the decision has no cost.
    pub fn unpriced(self) -> u64 {
        self.cells - self.priced
    }
}

/// What decisions cost, over all cells that count.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The papers' penalty.
    pub penalty: Penalty,
    /// Σ t\[chosen\] / Σ t\[best\] − 1 in per cent: what it costs a program that calls every cell once.
    pub time_weighted: f64,
    /// The share of cells with a penalty above each of [`BANDS`], in per cent.
    pub above: [f64; 4],
    /// How much slower the baseline is than the decisions, in per cent: the mean over the cells and the median.
    pub gain: Option<(f64, f64)>,
}

/// The penalties of the cells that count, the dearest first.
pub fn cells(
    decisions: &[Option<MethodIndex>],
    map: &DecisionMap,
    leave_out: &LeaveOut,
) -> Option<Vec<CellPenalty>> {
    let mut cells = penalties(decisions, map)?;
    cells.retain(|cell| leave_out.counts(cell.cell, map));
    let percent = |cell: &CellPenalty| cell.percent().unwrap_or(f64::NEG_INFINITY);
    cells.sort_by(|a, b| percent(b).total_cmp(&percent(a)).then(a.cell.cmp(&b.cell)));
    cells.drain(..leave_out.dearest.min(cells.len()));
    Some(cells)
}

/// The quality of decisions over the cells that count, one for each cell of the map; those of the greatest penalties can
/// only be left out where the map holds costs.
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
    /// The method that was chosen.
    pub chosen: MethodIndex,
    /// The best one.
    pub best: MethodIndex,
    /// What each of them costs.
    pub times: [f64; 2],
    /// The penalty in per cent.
    pub percent: f64,
}

/// The cells of the greatest penalties, the dearest first: at most so many of those that count, and none without a
/// penalty.
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
    let miss = |cell: &CellPenalty| {
        let cost = |method: &MethodIndex| costs.get(cell.cell, *method).unwrap_or(f64::INFINITY);
        let best = *candidates.iter().min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
        let (percent, chosen) = (cell.percent()?, decisions[cell.cell]?);
        Some(Miss { cell: cell.cell, chosen, best, times: [cell.chosen?, cell.best], percent })
    };
    cells.iter().filter_map(miss).take_while(|miss| miss.percent > 0.0).take(most).collect()
}

/// Assesses decisions, one for each cell of the map; `None` where none of them has a cost.
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
        let above =
            priced.iter().filter(|cell| cell.percent().is_some_and(|percent| percent > limit)).count();
        100.0 * above as f64 / priced.len() as f64
    };
    Some(Assessment {
        penalty,
        time_weighted: 100.0 * (chosen / best - 1.0),
        above: BANDS.map(share),
        gain: gain(&priced, map),
    })
}

/// How much slower the first baseline is, where both are priced.
fn gain(cells: &[&CellPenalty], map: &DecisionMap) -> Option<(f64, f64)> {
    let costs = map.costs()?;
    let baseline = map.domain().method_indexes().find(|&method| map.domain().method(method).baseline)?;
    let gain = |cell: &&CellPenalty| Some(100.0 * (costs.get(cell.cell, baseline)? / cell.chosen? - 1.0));
    let mut gains: Vec<f64> = cells.iter().filter_map(gain).collect();
    gains.sort_by(f64::total_cmp);
    let (count, half) = (gains.len(), gains.len() / 2);
    let upper = *gains.get(half)?;
    let median = if count % 2 == 1 { upper } else { f64::midpoint(gains[half - 1], upper) };
    Some((gains.iter().sum::<f64>() / count as f64, median))
}
