//! The output of commands about the cost at sizes that were not measured.

use qtdec_core::{Axis, DecisionMap, DecisionTree, Problems};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::left_out::LeftOut;
use qtdec_study::study::unmeasured::{MIN_SIZES, Unmeasured};

use crate::counted;
use crate::gain::{interval, name_of_baseline};

/// What decisions cost at sizes that were not measured, or the reason why that is unknown.
pub type Figure = Result<Unmeasured, String>;

/// Returns the figure of the trees that `encode` makes, or `None` for a map without costs.
pub fn figure(
    map: &DecisionMap,
    encode: impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
) -> Option<Figure> {
    map.costs().map(|_| LeftOut::new(map)?.figure(encode))
}

/// The number of boxes of sizes in all searches of a command up to which they take about as long as its start.
const SMALL: f64 = 15_000.0;

/// Returns how many times as long as the searches for these trees of a map the searches for trees of half of the sizes take, if that is
/// more than once and long enough to be noticed. Only a budget of the mean makes a search, through all boxes of sizes.
pub fn search(trees: &[DecisionTree], map: &DecisionMap) -> Option<f64> {
    let is_search = |(name, value): &(String, String)| name == "budget" && value.contains("mean");
    let searches = trees.iter().filter(|tree| tree.statistics().encoding.options.iter().any(is_search));
    let boxes = |len: usize| (len * (len + 1) / 2) as f64;
    let axes = map.domain().axes();
    let is_left_out = |axis: &&Axis| axis.values().is_some() && axis.len() >= MIN_SIZES;
    let ratios = axes.iter().filter(is_left_out).map(|axis| {
        let half = axis.len() / 2;
        (boxes(half) + boxes(axis.len() - half)) / boxes(axis.len())
    });
    let ratio: f64 = ratios.sum();
    let whole: f64 = axes.iter().map(|axis| boxes(axis.len())).product();
    (ratio > 1.0 && whole * searches.count() as f64 > SMALL).then_some(ratio)
}

/// Says that the figure is computed on request.
pub fn on_request(search: f64, request: &str) -> String {
    format!(
        "on request: the searches for trees of half of the sizes take {search:.1} times as long as this one; {request}"
    )
}

pub fn described(figure: &Figure, map: &DecisionMap) -> String {
    let found = match figure {
        Ok(found) => found,
        Err(reason) => return format!("unknown: {reason}"),
    };
    let Unmeasured { excess, worst, unpriced, .. } = found;
    let unpriced = match *unpriced {
        0 => String::new(),
        unpriced => format!("; {} without a time there", counted(unpriced, "decision", "decisions")),
    };
    format!(
        "{:.2} % slower than the best at sizes left out by turns (95 %: {:.2} to {:.2} %), worst {:.2} % ({}); {}{unpriced}",
        excess.mean,
        excess.low,
        excess.high,
        worst.percent,
        map.domain().place(worst.cell),
        others(found, map),
    )
}

/// Describes the gain over the baseline at the sizes left out, which is held out, in one line.
pub fn gain(figure: &Figure, map: &DecisionMap) -> Option<String> {
    let gain = figure.as_ref().ok()?.gain?;
    let baseline = map.domain().method(map.domain().baseline()?).label();
    Some(format!("{} over `{baseline}` at the sizes left out; {}", Gain(gain.mean), interval(gain, map)))
}

/// Describes what the best single method, the best single threshold and the baseline cost at the same sizes.
pub fn others(found: &Unmeasured, map: &DecisionMap) -> String {
    let one = |name: &str, excess: Option<f64>| match excess {
        Some(excess) => format!("{name} {excess:.2} %"),
        None => format!("{name} unknown"),
    };
    let default = found.default.map(|default| format!(", {}", one(name_of_baseline(map), Some(default))));
    format!(
        "{}, {}{}",
        one("the best single method", found.one_method),
        one("single threshold", found.one_threshold),
        default.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use qtdec_core::{Document, Method};

    use super::*;

    fn searched(lens: &[u64], budget: &str, rows: usize) -> Option<f64> {
        let axes = lens
            .iter()
            .enumerate()
            .map(|(axis, &len)| Axis::new(format!("axis{axis}"), (1..=len).collect::<Vec<_>>()));
        let methods = ["a", "b"].map(Method::new).to_vec();
        let map = DecisionMap::from_costs(axes.collect(), methods, |point, method| {
            (1 + (point[0] as usize + method.get()) % 2) as f64
        });
        let map = map.unwrap();
        let options = qtdec_core::Options::parse(&[("encoding", "optimal"), ("budget", budget)]).unwrap();
        let tree = options.tree(Document::Map(map.clone())).unwrap();
        search(&vec![tree; rows], &map)
    }

    /// Ten sizes have 55 boxes, and five of them 15.
    #[test]
    fn searches_of_halves_are_counted() {
        assert_eq!(searched(&[10, 10], "mean 60%", 5), Some(4.0 * 15.0 / 55.0));
        assert_eq!(searched(&[10, 10], "mean 60%", 4), None, "it is short");
        assert_eq!(searched(&[10, 10], "max 60%", 5), None, "there is no search");
        assert_eq!(searched(&[200], "mean 60%", 1), None, "the halves take half as long");
        // The axis with three sizes is not left out.
        assert_eq!(searched(&[10, 3], "mean 60%", 100), None);
    }
}
