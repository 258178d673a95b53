//! What choices cost over the best ones.

use qtdec_core::penalty::penalties;
use qtdec_core::{DecisionMap, MethodIndex};

use super::cases::Case;
use super::folds::Fold;
use super::learned::Choices;
use super::{Kind, WAYS, trees};

/// The excess from which a choice is counted as wrong.
const WRONG: f64 = 1.1;

/// What the choices of one way cost in a case: sums over the points at which every way has a choice with a known time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Price {
    /// The mean of the logarithms of the time of the choice over that of the best method.
    pub(super) excess: f64,
    /// The number of points at which the choice takes more than a tenth longer than the best method.
    pub(super) wrong: usize,
}

/// The prices of all ways in a case.
pub(super) struct Prices {
    pub(super) points: usize,
    /// In the order of [`WAYS`]; `None` for the baseline of a map that has none.
    pub(super) of: Vec<Option<Price>>,
    /// The price of the rule that gains are relative to: the baseline, or else the best single method of what decides.
    pub(super) default: Price,
}

/// The labels of choices at the points of a fold, one for each way.
type Chosen = Vec<Option<Vec<Option<String>>>>;

impl Prices {
    /// Returns the prices of a case, given the choices of learned models for each fold.
    pub(super) fn of(case: &Case, folds: &[Fold], learned: &[Choices]) -> Result<Self, String> {
        let mut sums = vec![Price::default(); WAYS.len() + 1];
        let mut points = 0;
        let has_baseline = case.map.domain().baseline().is_some();
        for (fold, learned) in folds.iter().zip(learned) {
            let mut chosen = chosen(fold, case, learned)?;
            let default = if has_baseline { baseline(&case.map) } else { single(&fold.from) };
            chosen.push(Some(vec![default; fold.cells.len()]));
            let map = fold.priced(case);
            let best = penalties(map.cells(), map).ok_or("a map has no costs")?;
            for (at, &cell) in fold.cells.iter().enumerate() {
                let Some(point) = best.iter().find(|point| point.cell == cell) else { continue };
                let ratio = |labels: &Option<Vec<Option<String>>>| match labels {
                    // A way that says nothing of the case stops no other.
                    None => Some(1.0),
                    Some(labels) => {
                        let method = map.domain().find_method(labels[at].as_deref()?)?;
                        Some(map.costs()?.get(cell, method)? / point.best)
                    }
                };
                let ratios: Option<Vec<f64>> = chosen.iter().map(ratio).collect();
                let Some(ratios) = ratios else { continue };
                points += 1;
                for (sum, ratio) in sums.iter_mut().zip(ratios) {
                    sum.excess += ratio.ln();
                    sum.wrong += usize::from(ratio > WRONG);
                }
            }
        }
        for sum in &mut sums {
            sum.excess /= points as f64;
        }
        let default = sums.pop().unwrap_or_default();
        let of = WAYS
            .iter()
            .zip(sums)
            .map(|(way, price)| (has_baseline || way.kind != Kind::Baseline).then_some(price));
        Ok(Self { points, of: of.collect(), default })
    }
}

fn chosen(fold: &Fold, case: &Case, learned: &Choices) -> Result<Chosen, String> {
    let sizes = || fold.cells.iter().map(|&cell| fold.priced(case).domain().sizes(cell));
    let label = |method: MethodIndex| fold.from.domain().method(method).label();
    WAYS.iter()
        .map(|way| match way.kind {
            Kind::Tree(options) => {
                let tree = trees::tree(&fold.from, options)?;
                let label = |method: MethodIndex| tree.domain().method(method).label();
                Ok(Some(sizes().map(|sizes| tree.decide(&sizes).map(label)).collect()))
            }
            Kind::Learned(name) => {
                let choices = learned.get(name).ok_or_else(|| format!("models.py has no `{name}`"))?;
                Ok(Some(
                    choices
                        .iter()
                        .map(|&choice| Some(label(fold.from.domain().method_indexes().nth(choice)?)))
                        .collect(),
                ))
            }
            Kind::Baseline => Ok(baseline(&case.map).map(|baseline| vec![Some(baseline); fold.cells.len()])),
        })
        .collect()
}

fn baseline(map: &DecisionMap) -> Option<String> {
    map.domain().baseline().map(|method| map.domain().method(method).label())
}

/// Returns the method that costs least over the best ones of those that are measured everywhere.
fn single(map: &DecisionMap) -> Option<String> {
    let (points, costs) = (penalties(map.cells(), map)?, map.costs()?);
    let excess = |method: MethodIndex| {
        points
            .iter()
            .map(|point| Some((costs.get(point.cell, method)? / point.best).ln()))
            .sum::<Option<f64>>()
    };
    let all = map.domain().method_indexes().filter_map(|method| Some((method, excess(method)?)));
    let (method, _) = all.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    Some(map.domain().method(method).label())
}
