//! The comparison of decisions with the library's own choice.

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::{DecisionMap, MethodIndex};
use serde_json::{Value, json};

use super::gain::Gain;
use crate::measurements::Statistic;

/// The comparison of decisions with the library's own choice, the *baseline*, over the cells in which both have a cost.
#[derive(Clone, Debug, PartialEq)]
pub struct OverDefault {
    /// The baseline.
    pub baseline: MethodIndex,
    /// The gain over the cells.
    pub gain: Gain,
    /// The arithmetic mean of the slowdown of the baseline relative to the decisions, in per cent.
    mean: f64,
    /// The median of this slowdown, in per cent.
    median: f64,
    /// The number of cells in which both have a cost.
    pub cells: u64,
    /// The number of cells in which the baseline itself is chosen.
    pub kept: u64,
    /// The cells in which the decision is slower than the baseline, the worst first.
    pub slower: Vec<Slower>,
}

/// A cell in which a decision is slower than the library's own choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slower {
    /// The cell, row-major.
    pub cell: usize,
    /// The chosen method.
    pub chosen: MethodIndex,
    /// The costs of the method and the baseline.
    pub times: [f64; 2],
    /// The slowdown relative to the baseline, in per cent.
    pub percent: f64,
}

impl OverDefault {
    /// Returns the comparison over every measured cell.
    pub fn everywhere(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> Option<Self> {
        Self::from_decisions(decisions, map, &penalties(decisions, map)?)
    }

    /// Returns the comparison of `decisions`, one for each cell of the map, over the given cells. Returns `None` if the map has no
    /// baseline, or if there is no cell in which both have a cost.
    pub fn from_decisions(
        decisions: &[Option<MethodIndex>],
        map: &DecisionMap,
        cells: &[CellPenalty],
    ) -> Option<Self> {
        let costs = map.costs()?;
        let baseline = map.domain().baseline()?;
        let (mut logs, mut slowdowns, mut kept, mut slower) = (Vec::new(), Vec::new(), 0, Vec::new());
        for penalty in cells {
            let cell = penalty.cell;
            let Some(chosen) = decisions[cell] else { continue };
            let Some((time, default)) = penalty.chosen.zip(costs.get(cell, baseline)) else { continue };
            logs.push((default / time).ln());
            slowdowns.push(100.0 * (default / time - 1.0));
            kept += u64::from(chosen == baseline);
            if time > default {
                let percent = 100.0 * (time / default - 1.0);
                slower.push(Slower { cell, chosen, times: [time, default], percent });
            }
        }
        slowdowns.sort_unstable_by(f64::total_cmp);
        slower.sort_by(|a, b| b.percent.total_cmp(&a.percent).then(a.cell.cmp(&b.cell)));
        Some(Self {
            baseline,
            gain: Gain::of_logs(&logs)?,
            mean: Statistic::Mean.of_sorted(&slowdowns)?,
            median: Statistic::Median.of_sorted(&slowdowns)?,
            cells: logs.len() as u64,
            kept,
            slower,
        })
    }

    /// Returns the comparison as JSON: `baseline`; `mean` and `median` of the slowdown of the baseline in per cent, which are not the
    /// gain; `cells`, `kept` and `slower`.
    pub fn to_json(&self, map: &DecisionMap) -> Value {
        json!({
            "baseline": map.domain().method(self.baseline).label(),
            "mean": self.mean,
            "median": self.median,
            "cells": self.cells,
            "kept": self.kept,
            "slower": self.slower.len(),
        })
    }
}
