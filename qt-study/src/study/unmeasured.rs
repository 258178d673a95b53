//! What decisions cost at sizes that were not measured.

use qtdec_core::{DecisionMap, MethodIndex, Problems};
use serde_json::{Value, json};

use super::gain::Gain;
use super::interval::Interval;

/// The minimum number of sizes of an axis of which every other one is left out: each half has a border then.
pub const MIN_SIZES: usize = 4;

/// The cost of decisions at sizes that were left out.
///
/// An excess is `exp(mean ln(t / t_best)) − 1` in per cent over the points left out, which are weighted by their calls if the map has
/// calls. Each measured point counts once for every axis whose sizes are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmeasured {
    /// The excess of the decisions over the best methods, with its 95 % interval: the sizes left out are resampled with all of their
    /// points, because the points of a size are not independent.
    pub excess: Interval,
    /// The excess at the left-out sizes of each axis, given by its position.
    pub axes: Vec<(usize, f64)>,
    /// The point with the greatest excess.
    pub worst: WorstPoint,
    /// The excess of the best single method of the rest.
    pub one_method: Option<f64>,
    /// The excess of the best rule of the rest with one threshold, or of its best single method if no rule is better.
    pub one_threshold: Option<f64>,
    /// The excess of the library's own choice.
    pub default: Option<f64>,
    /// The gain of the decisions over the library's own choice, as a ratio minus 1, with its 95 % interval from the same samples of sizes.
    pub gain: Option<Interval>,
    /// The number of decisions that were evaluated.
    pub points: u64,
    /// The number of decisions whose time is unknown, which are not evaluated.
    pub unpriced: u64,
}

/// The point at which a decision from the other sizes costs most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstPoint {
    /// The cell, row-major.
    pub cell: usize,
    /// The chosen method.
    pub chosen: MethodIndex,
    /// The excess over the best method, in per cent.
    pub percent: f64,
}

/// Returns the reason of an unknown cost that too many of the chosen methods have no time where they are chosen.
pub(super) fn unpriced(unpriced: u64, points: u64) -> String {
    format!("{unpriced} of {points} decisions at sizes left out are methods that were not measured there")
}

/// Returns the reason of an unknown cost that no tree can be made of the other sizes.
pub(super) fn no_tree(problems: &Problems) -> String {
    let first = problems.iter().next().map(|problem| problem.message.to_string());
    format!("no tree can be made of half of the sizes: {}", first.unwrap_or_default())
}

impl Unmeasured {
    /// Returns the figure as JSON: `excess`, `low`, `high`, `worst` with its sizes, `one_method`, `one_threshold`, `default`, `gain` over
    /// it with its interval, `points`, `unpriced`, and `axes` with the name and the excess of each. All are in per cent.
    pub fn to_json(&self, map: &DecisionMap) -> Value {
        let axes = map.domain().axes();
        let sizes = axes.iter().zip(map.domain().sizes(self.worst.cell)).map(|(axis, size)| {
            let shown = axis.values().map_or_else(|| json!(axis.sample(size as usize)), |_| json!(size));
            (axis.name.clone(), shown)
        });
        json!({
            "excess": self.excess.mean,
            "low": self.excess.low,
            "high": self.excess.high,
            "worst": {
                "excess": self.worst.percent,
                "method": map.domain().method(self.worst.chosen).label(),
                "sizes": sizes.collect::<serde_json::Map<_, _>>(),
            },
            "one_method": self.one_method,
            "one_threshold": self.one_threshold,
            "default": self.default,
            "gain": self.gain.map(|gain| {
                let [mean, low, high] = [gain.mean, gain.low, gain.high].map(|ratio| Gain(ratio).percent());
                json!({ "mean": mean, "low": low, "high": high })
            }),
            "points": self.points,
            "unpriced": self.unpriced,
            "axes": self.axes.iter().map(|(axis, excess)| json!({ "axis": axes[*axis].name, "excess": excess })).collect::<Value>(),
        })
    }
}
