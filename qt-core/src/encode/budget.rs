//! Budgets for the cost of decisions.

use crate::domain::MethodIndex;
use crate::fixed_point::{NEAR, OF_PERCENT};
use crate::map::{DecisionMap, Ties, percent};
use crate::message::Message;
use crate::problem::{Path, Place, Problem};
use crate::statistics::Quality;

/// Limits on how much worse a decision may be than the best method, `max 10%` and `mean 5%`, and than the baseline, `baseline 1%`.
/// Any combination of them is allowed.
///
/// Under a budget, a tree is as small as its encoder can make it, and never exceeds the budget. A method without a cost in a measured
/// cell cannot be checked, and is not chosen there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budget {
    /// The maximum penalty of any cell, in per cent.
    pub max: Option<f64>,
    /// The maximum mean penalty over all measured cells, in per cent.
    pub mean: Option<f64>,
    /// The maximum slowdown of a decision relative to the baseline in any cell, in per cent. It does not limit cells in which the
    /// baseline has no cost.
    pub baseline: Option<f64>,
}

impl Budget {
    /// Parses a budget.
    ///
    /// ```
    /// use qtdec_core::encode::Budget;
    /// assert_eq!(Budget::parse("max 10%"), Ok(Budget { max: Some(10.0), ..Budget::default() }));
    /// let both = Budget { mean: Some(2.5), baseline: Some(1.0), ..Budget::default() };
    /// assert_eq!(Budget::parse("mean 2.5 %, baseline 1 %"), Ok(both));
    /// assert!(Budget::parse("10%").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a description of the expected text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut budget = Self::default();
        for part in text.split(',') {
            let part = part.trim();
            let bound = part.split_once(' ').and_then(|(kind, percent)| {
                let number = percent.trim().strip_suffix('%')?.trim_end();
                let percent =
                    number.parse().ok().filter(|percent: &f64| *percent >= 0.0 && percent.is_finite())?;
                Some((kind, percent))
            });
            let place = match bound {
                Some(("max", _)) => &mut budget.max,
                Some(("mean", _)) => &mut budget.mean,
                Some(("baseline", _)) => &mut budget.baseline,
                _ => return Err(FORM.to_owned()),
            };
            if place.replace(bound.map_or(0.0, |(_, percent)| percent)).is_some() {
                return Err(FORM.to_owned());
            }
        }
        Ok(budget)
    }

    /// Returns whether there are no limits.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that decisions are within the budget, for encoders that allow errors.
    pub(super) fn check(
        &self,
        quality: &Quality,
        decisions: &[Option<MethodIndex>],
        map: &DecisionMap,
    ) -> Result<(), Problem> {
        let Some(penalty) = quality.penalty.as_ref().filter(|_| !self.is_empty()) else { return Ok(()) };
        let above =
            |found: f64, most: Option<f64>| most.filter(|most| found > *most).map(|most| (found, most));
        let over_baseline = over_baseline(decisions, map);
        // The mean is a rounded sum: one that is equal to the budget may be printed as a little more.
        let mean = self.mean.map(|mean| mean + OF_PERCENT + NEAR * mean);
        let message = match (above(penalty.max, self.max), above(penalty.mean, mean)) {
            _ if penalty.unpriced > 0 => {
                "the tree chooses a method in a cell where it has no cost".to_owned()
            }
            (Some((found, most)), _) => {
                format!("the tree has a penalty of {found:.1} % in a cell, and the budget is {most} %")
            }
            (_, Some((found, _))) => {
                let most = self.mean.unwrap_or_default();
                format!("the tree has a mean penalty of {found:.1} %, and the budget is {most} %")
            }
            (None, None) => match above(over_baseline, self.baseline) {
                Some((found, most)) => format!(
                    "the tree is {found:.1} % slower than the baseline in a cell, and the budget is {most} %"
                ),
                None => return Ok(()),
            },
        };
        let help = Message::from("a limit on the depth, a threshold, ").option("lambda");
        let help = help.text(" or `c45` may exceed the budget: remove them, or the budget");
        Err(Problem::new(Place::File, message).help(help))
    }

    /// Returns the candidates that the budget allows in every cell where they may run; `None` if there is no budget.
    pub(super) fn allowed(
        &self,
        map: &DecisionMap,
        candidates: &[MethodIndex],
        may_run: impl Fn(MethodIndex, usize) -> bool,
    ) -> Result<Option<Ties>, Problem> {
        if self.is_empty() {
            return Ok(None);
        }
        let Some(costs) = map.costs() else {
            return Err(Problem::new(Place::File, "a budget needs the costs of the methods")
                .help("add `costs` to the map, or remove the budget"));
        };
        if self.baseline.is_some() && map.domain().baseline().is_none() {
            let message = "the budget is relative to the baseline, and no method of the map is one";
            return Err(Problem::new(Path::root().key("methods"), message).help(
                "mark the library's own choice with `\"baseline\": true`, or remove `baseline` from \
                     the budget",
            ));
        }
        let mut cells = Vec::with_capacity(map.cells().len());
        for (cell, method) in map.cells().iter().enumerate() {
            if method.is_none() {
                cells.push(Vec::new());
                continue;
            }
            let (best, baseline) = (costs.best(cell, candidates), baseline_cost(map, cell));
            let bounds = [self.max.zip(best), self.baseline.zip(baseline)];
            let within = |cost| bounds.iter().flatten().all(|(most, of)| percent(cost, *of) <= *most);
            let running = candidates.iter().copied().filter(|&method| may_run(method, cell));
            let allowed: Vec<_> =
                running.filter(|&method| costs.get(cell, method).is_some_and(within)).collect();
            if allowed.is_empty() {
                let place = Path::root().key("costs").key("values").indices(&map.shape().samples(cell));
                let message = format!("no method that may run here has a cost within the budget, {self}");
                let help = "measure more methods here, make the cell `null`, or allow a larger budget";
                return Err(Problem::new(place, message).help(help));
            }
            cells.push(allowed);
        }
        Ok(Some(Ties::new(cells)))
    }
}

/// Returns the slowdown of decisions relative to the baseline in the worst cell, in per cent.
fn over_baseline(decisions: &[Option<MethodIndex>], map: &DecisionMap) -> f64 {
    let over = |(cell, decision): (usize, &Option<MethodIndex>)| {
        map.cells()[cell]?;
        Some(percent(map.costs()?.get(cell, (*decision)?)?, baseline_cost(map, cell)?))
    };
    decisions.iter().enumerate().filter_map(over).fold(f64::NEG_INFINITY, f64::max)
}

fn baseline_cost(map: &DecisionMap, cell: usize) -> Option<f64> {
    map.costs()?.get(cell, map.domain().baseline()?)
}

const FORM: &str = "\"max 10%\", \"mean 5%\", \"baseline 1%\" or several, with commas between them";

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bounds = [("max", self.max), ("mean", self.mean), ("baseline", self.baseline)];
        let bounds = bounds.into_iter().filter_map(|(kind, percent)| Some(format!("{kind} {}%", percent?)));
        f.write_str(&bounds.collect::<Vec<_>>().join(", "))
    }
}
