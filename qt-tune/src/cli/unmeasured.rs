//! The output of commands about the cost at sizes that were not measured.

use qtdec_core::{DecisionMap, DecisionTree, Problems};
use qtdec_measure::study::left_out::LeftOut;
use qtdec_measure::study::unmeasured::{Unknown, Unmeasured};

use super::gain::place;
use super::output::counted;
use crate::report::table::Cell;

/// What decisions cost at sizes that were not measured, or the reason why that is unknown.
pub(super) type Figure = Result<Unmeasured, Unknown>;

/// Returns the figure of the trees that `encode` makes, or `None` for a map without costs.
pub(super) fn figure(
    map: &DecisionMap,
    encode: impl Fn(&DecisionMap) -> Result<DecisionTree, Problems>,
) -> Option<Figure> {
    map.costs().map(|_| LeftOut::new(map)?.figure(encode))
}

/// Describes the figure in one line.
pub(super) fn described(figure: &Figure, map: &DecisionMap) -> String {
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
        place(map, worst.cell),
        others(found),
    )
}

/// Describes what the best single method, the best single threshold and the default cost at the same sizes.
pub(super) fn others(found: &Unmeasured) -> String {
    let one = |name: &str, excess: Option<f64>| match excess {
        Some(excess) => format!("{name} {excess:.2} %"),
        None => format!("{name} unknown"),
    };
    let default = found.default.map(|default| format!(", {}", one("the default", Some(default))));
    format!(
        "{}, {}{}",
        one("the best single method", found.one_method),
        one("single threshold", found.one_threshold),
        default.unwrap_or_default()
    )
}

/// Returns the cell of a number of the figure in a table.
pub(super) fn cell(figure: Option<&Figure>, of: impl Fn(&Unmeasured) -> Option<f64>) -> Cell {
    Cell::number(figure.and_then(|figure| of(figure.as_ref().ok()?)))
}
