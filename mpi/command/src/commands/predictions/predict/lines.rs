//! The lines of a prediction: methods, the best first, and below them bounds, which no method has to reach.

use qtdec_mpi_predict::models::Claim;
use qtdec_mpi_predict::predict::{Bound, Method, Prediction, Predictor, Size, TimeSource};
use serde_json::{Value, json};

use qtdec_report::table::{Cell, Column, Form, Table};

/// What a bound is to the times of algorithms.
const LOWER: &str = "lower";
const UPPER: &str = "upper";

/// A line: a method with its time, or a bound.
struct Line {
    /// The method, or `None` for a bound on methods in general.
    method: Option<Method>,
    /// If the time is a bound: on which side, and what gives it.
    bound: Option<(&'static str, &'static str)>,
    seconds: f64,
}

/// Everything that is predicted for a call.
pub(super) struct Lines {
    all: Vec<Line>,
    form: &'static str,
}

impl Lines {
    pub(super) fn new(
        predictor: &Predictor<'_>,
        size: Size,
        time_source: TimeSource,
        found: &[Prediction],
        of_any: Option<Bound>,
    ) -> Self {
        let mut all = Vec::new();
        for Prediction { method, seconds } in found {
            let is_bound = predictor.claim(method, size) == Some(Claim::AtMost);
            let bound = is_bound.then_some((UPPER, "formula"));
            all.push(Line { method: Some(method.clone()), bound, seconds: *seconds });
        }
        let bound = |side, of, seconds| Line { method: None, bound: Some((side, of)), seconds };
        all.extend(of_any.map(|of_any| bound(LOWER, of_any.term.name(), of_any.seconds)));
        let printed = predictor.printed_bounds(size).into_iter();
        all.extend(
            printed
                .flat_map(|(lower, upper)| [bound(LOWER, "Table 3", lower), bound(UPPER, "Table 3", upper)]),
        );
        Self { all, form: time_source.name() }
    }

    /// Returns an array of objects. The algorithm of a bound on methods in general is null.
    pub(super) fn json(&self) -> String {
        let mut values = Vec::new();
        for Line { method, bound, seconds } in &self.all {
            let mut value = json!({
                "algorithm": method.as_ref().map(Method::algorithm),
                "segment_size": method.as_ref().and_then(|method| method.segment_size),
                "radix": method.as_ref().and_then(|method| method.radix),
                "chains": method.as_ref().and_then(|method| method.chains),
                "form": self.form,
                "bound": bound.map(|(side, _)| side),
                "seconds": seconds,
            });
            if let Some((_, of)) = bound {
                value["bound_by"] = (*of).into();
            }
            values.push(value);
        }
        format!("{:#}\n", Value::from(values))
    }

    pub(super) fn text(&self) -> String {
        let best = self.all.first().filter(|line| line.method.is_some()).map(|line| line.seconds);
        let columns: [Column<'_, (&Line, Option<f64>)>; 7] = [
            ("algorithm", "algorithm", |(line, _)| {
                Cell::text(line.method.as_ref().map(|method| method.algorithm().to_owned()))
            }),
            ("radix", "radix", |(line, _)| {
                Cell::whole(line.method.as_ref().and_then(|method| method.radix).map(u64::from))
            }),
            ("chains", "chains", |(line, _)| {
                Cell::whole(line.method.as_ref().and_then(|method| method.chains).map(u64::from))
            }),
            ("segment size", "segment_size", |(line, _)| {
                Cell::whole(line.method.as_ref().and_then(|method| method.segment_size))
            }),
            ("bound", "bound", |(line, _)| Cell::text(line.bound.map(|(side, by)| format!("{side}: {by}")))),
            ("microseconds", "us", |(line, _)| Cell::Number(line.seconds * 1e6)),
            ("over the best, %", "over", |(line, best)| {
                let over = |best: f64| if best > 0.0 { 100.0 * (line.seconds / best - 1.0) } else { 0.0 };
                Cell::number(best.filter(|_| line.method.is_some()).map(over))
            }),
        ];
        let rows = self.all.iter().map(|line| (line, best));
        Table::of(&columns, rows).without_empty_columns().write(Form::Text)
    }
}
