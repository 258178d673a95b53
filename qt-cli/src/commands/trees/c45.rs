//! What C4.5 prints of its trees, as columns of `qtdec sweep --over weight` and `--over confidence`: Tables 1 to 3 of the second paper.

use qtdec_core::encode::{C45, Encoder, Fit, Report};
use qtdec_core::{Borders, DecisionMap, Problems};

use qtdec_report::table::Cell;

/// The titles and keys of the columns.
pub(super) const COLUMNS: [(&str, &str); 8] = [
    ("before: size", "before_size"),
    ("errors", "before_errors"),
    ("%", "before_errors_percent"),
    ("after: size", "after_size"),
    ("leaves", "after_leaves"),
    ("errors", "after_errors"),
    ("%", "after_errors_percent"),
    ("predicted %", "predicted_percent"),
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

/// Returns the cells of a row, which are empty without a report.
pub(super) fn cells(report: Option<&Report>) -> [Cell; COLUMNS.len()] {
    let Some(Report { before, after, .. }) = report else { return COLUMNS.map(|_| Cell::Missing) };
    [
        Cell::Whole(before.size),
        Cell::Whole(before.errors),
        percent(before),
        Cell::Whole(after.size),
        Cell::Whole(after.leaves),
        Cell::Whole(after.errors),
        percent(after),
        Cell::Number(after.predicted),
    ]
}

fn percent(fit: &Fit) -> Cell {
    Cell::Number(100.0 * fit.errors as f64 / (fit.cases as f64).max(1.0))
}
