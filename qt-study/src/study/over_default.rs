//! The comparison of decisions with the library's own choice.

use qtdec_core::penalty::{CellPenalty, penalties};
use qtdec_core::{DecisionMap, MethodIndex};
use serde_json::{Value, json};

use super::gain::Gain;
use super::interval::Interval;
use super::left_out::Places;
use super::repeats::RepeatsOfCells;

/// The comparison of decisions with the library's own choice, the *baseline*, over the cells in which both have a cost.
#[derive(Clone, Debug, PartialEq)]
pub struct OverDefault {
    /// The baseline.
    pub baseline: MethodIndex,
    /// The gain over the cells.
    pub gain: Gain,
    /// The number of cells in which both have a cost.
    pub cells: u64,
    /// The number of cells in which the baseline itself is chosen.
    pub kept: u64,
    /// The cells in which the decision is slower than the baseline, the worst first.
    pub slower: Vec<Slower>,
    /// The logarithm of the ratio of the times in each cell.
    logs: Vec<(usize, f64)>,
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
        let (mut logs, mut kept, mut slower) = (Vec::new(), 0, Vec::new());
        for penalty in cells {
            let cell = penalty.cell;
            let Some(chosen) = decisions[cell] else { continue };
            let Some((time, default)) = penalty.chosen.zip(costs.get(cell, baseline)) else { continue };
            logs.push((cell, (default / time).ln()));
            kept += u64::from(chosen == baseline);
            if time > default {
                let percent = 100.0 * (time / default - 1.0);
                slower.push(Slower { cell, chosen, times: [time, default], percent });
            }
        }
        slower.sort_by(|a, b| b.percent.total_cmp(&a.percent).then(a.cell.cmp(&b.cell)));
        Some(Self {
            baseline,
            gain: Gain::of_logs(&logs.iter().map(|(_, log)| *log).collect::<Vec<_>>())?,
            cells: logs.len() as u64,
            kept,
            slower,
            logs,
        })
    }

    /// Returns the cells in which the repeats [show](RepeatsOfCells::show_slower) that the decision is slower than the baseline, the worst
    /// first. A decision for another method that is marked as the baseline is as good as this one.
    pub fn shown_slower(&self, repeats: &RepeatsOfCells<'_>) -> Vec<Slower> {
        let is_shown = |slower: &&Slower| {
            !repeats.map().domain().method(slower.chosen).baseline
                && repeats.show_slower(slower.cell, [slower.chosen, self.baseline], self.cells)
        };
        self.slower.iter().filter(is_shown).copied().collect()
    }

    /// Returns the gain as a ratio minus 1 with its 95 % interval over the sizes of a map: each size of each axis is resampled with all of
    /// its cells, because they are not independent.
    pub fn interval(&self, map: &DecisionMap) -> Option<Interval> {
        let mut sizes = Vec::new();
        for (number, axis) in map.domain().axes().iter().enumerate() {
            let places = Places::new(map, number);
            let mut of_axis = vec![(0.0, 0.0); axis.len()];
            for (cell, log) in &self.logs {
                let (sum, cells) = &mut of_axis[places.of(*cell)];
                *sum += log;
                *cells += 1.0;
            }
            sizes.extend(of_axis.into_iter().filter(|(_, cells)| *cells > 0.0));
        }
        Interval::of_ratio(&sizes).map(|interval| interval.in_unit(f64::exp_m1))
    }

    /// Returns the comparison as JSON: `baseline`; the `gain` over it with the ends `low` and `high` of the interval, if it is given, in per
    /// cent; `cells`, `kept` and `slower`.
    pub fn to_json(&self, map: &DecisionMap, interval: Option<Interval>) -> Value {
        json!({
            "baseline": map.domain().method(self.baseline).label(),
            "gain": self.gain.percent(),
            "low": interval.map(|interval| Gain(interval.low).percent()),
            "high": interval.map(|interval| Gain(interval.high).percent()),
            "cells": self.cells,
            "kept": self.kept,
            "slower": self.slower.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Axis, Method};
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::measurements::measured;
    use crate::notes::Notes;
    use crate::selection::Recipe;

    /// Returns in how many of 200 benchmarks any cell is said to be slower than the baseline, and in how many the first one is: a fifth of
    /// the repeats is disturbed, and the only method takes this many times as long as the baseline at the first of 40 sizes, and as long
    /// at the others.
    fn shown(launches: u16, repeats: u16, first: f64) -> [usize; 2] {
        let mut random = Pcg64::seed_from_u64(7);
        let mut share = || random.next_u64() as f64 / u64::MAX as f64;
        let mut found = [0, 0];
        for _ in 0..200 {
            let times = (0..40_u64).flat_map(|size| (0..launches).map(move |launch| (size, launch)));
            let times =
                times.flat_map(|(size, launch)| (0..2 * repeats).map(move |repeat| (size, launch, repeat)));
            let times = times.map(|(size, launch, repeat)| {
                let slow = if share() < 0.2 { 1.0 + share() } else { 1.0 };
                let time = slow * (1.0 + 0.05 * share());
                match (repeat % 2, size) {
                    (0, _) => (size + 1, "today", launch, time),
                    (_, 0) => (size + 1, "sort", launch, first * time),
                    _ => (size + 1, "sort", launch, time),
                }
            });
            let measurements = measured(times);
            let recipe = Recipe { baseline: vec!["today".to_owned()], no_default: true, ..Recipe::default() };
            let map = recipe.map(&measurements, &mut Notes::default()).unwrap();
            let compared = OverDefault::everywhere(map.cells(), &map).unwrap();
            assert!(compared.slower.len() > 5, "the noise looks like a difference in many cells");
            let shown = compared.shown_slower(&RepeatsOfCells::new(&measurements, &map));
            found[0] += usize::from(shown.iter().any(|slower| slower.cell > 0));
            found[1] += usize::from(shown.iter().any(|slower| slower.cell == 0));
        }
        found
    }

    #[test]
    fn repeats_tell_what_is_slower_from_noise() {
        for (launches, repeats) in [(1, 30), (8, 9)] {
            let [noise, slower] = shown(launches, repeats, 1.5);
            assert!(noise <= 10 && slower >= 190, "{launches} launches: {noise} {slower}");
        }
    }

    /// The gain depends on `m` alone, so twice as many sizes of `n` say no more.
    #[test]
    fn the_interval_resamples_whole_sizes() {
        let interval = |of_n: &[u64]| {
            let axes = vec![Axis::new("m", [1, 2, 4, 8]), Axis::new("n", of_n)];
            let methods = vec![Method { baseline: true, ..Method::new("default") }, Method::new("b")];
            let costs = |point: &[u64], method: MethodIndex| [1.0 + point[0] as f64, 1.0][method.get()];
            let map = DecisionMap::from_costs(axes, methods, costs).unwrap();
            let compared = OverDefault::everywhere(map.cells(), &map).unwrap();
            let interval = compared.interval(&map).unwrap();
            assert!((interval.mean - compared.gain.0).abs() < 1e-9, "{interval:?}");
            interval
        };
        let (few, many) = (interval(&[1]), interval(&[1, 2, 4, 8, 16, 32, 64, 128]));
        assert!(few.low < few.mean && few.mean < few.high, "{few:?}");
        // Cells that counted each on their own would give a third of this width.
        assert!(many.high - many.low > 0.5 * (few.high - few.low), "{few:?} {many:?}");
    }
}
