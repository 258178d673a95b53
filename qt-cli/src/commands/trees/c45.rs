//! What C4.5 prints of its trees, as columns of `qtdec sweep --over weight` and `--over confidence`: Tables 1 to 3 of the second paper.

use qtdec_core::encode::{C45, Encoder, Fit, Report};
use qtdec_core::{Borders, DecisionMap, Problems};

use qtdec_report::table::{Cell, Column};

pub(super) const COLUMNS: [Column<'_, Report>; 8] = [
    ("before: size", "before_size", |report| Cell::Whole(report.before.size)),
    ("errors", "before_errors", |report| Cell::Whole(report.before.errors)),
    ("%", "before_errors_percent", |report| percent(&report.before)),
    ("after: size", "after_size", |report| Cell::Whole(report.after.size)),
    ("leaves", "after_leaves", |report| Cell::Whole(report.after.leaves)),
    ("errors", "after_errors", |report| Cell::Whole(report.after.errors)),
    ("%", "after_errors_percent", |report| percent(&report.after)),
    ("predicted %", "predicted_percent", |report| Cell::Number(report.after.predicted)),
];

/// Returns what C4.5 prints of the tree that these options make of a map; options of other encoders have no effect.
pub(super) fn report(map: &DecisionMap, options: &[(String, String)]) -> Result<Report, Problems> {
    let mut c45 = C45::default();
    let mut borders = Borders::default();
    for (name, value) in options {
        match &**name {
            "borders" => borders = Borders::parse(value).unwrap_or_default(),
            // The tree of the same row was made with these options, which are valid.
            name => drop(c45.set(name, value)),
        }
    }
    c45.report(map, borders).map_err(Into::into)
}

fn percent(fit: &Fit) -> Cell {
    Cell::Number(100.0 * fit.errors as f64 / (fit.cases as f64).max(1.0))
}
