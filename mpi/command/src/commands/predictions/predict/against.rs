//! `qtdec-mpi predict --against`: predictions compared with measured times.

use qtdec_core::{DecisionMap, MethodIndex};
use qtdec_mpi_predict::predict::{self, Paired};
use qtdec_mpi_predict::trust::{self, Draws, Errors, Interval, Times, draws};
use serde_json::json;

use super::{Arguments, DRAWS};
use crate::commands::predictions::predicting::{Share, largest, open, pair, warn_far};
use qtdec_report::table::{Cell, Form, Table};
use qtdec_terminal::{Failure, Input, Progress, output};

pub(super) fn compare(arguments: &Arguments, name: &str) -> Result<(), Failure> {
    let map = Input::open_map(name)?.map()?;
    let network = open(&arguments.predicting.network)?;
    let predictor = arguments.predicting.predictor(&network)?;
    warn_far(&network, &predictor, largest(&map));
    let progress = Progress::late("the predictions");
    let Paired { predicted, measured, unknown } = pair(&predictor, &map, name, &arguments.names)?;
    let domain = map.domain();
    drop(progress);
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.iter().map(|&method| domain.methods()[method].label()).collect();
        output::warn(&format!("ignored, because there is no prediction: {}", names.join(", ")));
    }
    let found = trust::compare(&predicted, &measured);
    if found.points == 0 {
        return Err(Failure::input(format!(
            "no method of `{name}` is both measured and predicted at a point"
        )));
    }
    let drawn = arguments.points.map(|share| drawn(&map, &predicted, &measured, share)).transpose()?;
    let label = |method: usize| domain.methods()[method].label();
    let mean = found.mean_penalty().unwrap_or_default();
    let worst = found.penalties.iter().copied().fold(0.0, f64::max);
    if arguments.json {
        let of_method = |(method, Errors { times, median, percentile_90 }): &(usize, Errors)| json!({ "method": label(*method), "points": times, "median": median, "percentile_90": percentile_90 });
        let errors: Vec<_> = found.methods.iter().map(of_method).collect();
        let all = found.errors.map(|Errors { times, median, percentile_90 }| json!({ "times": times, "median": median, "percentile_90": percentile_90 }));
        let mut value = json!({ "errors": errors, "all": all, "points": found.points, "agree": found.agree, "penalty_mean": mean,
            "penalty_max": worst });
        if let Some((known, drawn)) = &drawn {
            let interval =
                |found: &Interval| json!({ "median": found.median, "low": found.low, "high": found.high });
            value["drawn"] = json!({ "points": drawn.points, "known": known, "default": drawn.default,
                "predicted": drawn.predicted, "corrected": interval(&drawn.corrected),
                "interpolated": interval(&drawn.interpolated) });
        }
        return output::print(&format!("{value:#}\n"));
    }
    let mut table = Table::new(&[
        ("method", "method"),
        ("points", "points"),
        ("error: median, %", "median"),
        ("90th percentile, %", "percentile_90"),
    ]);
    let all = found.errors.filter(|_| found.methods.len() > 1);
    let methods = found.methods.iter().map(|(method, errors)| (label(*method), *errors));
    for (name, errors) in methods.chain(all.map(|all| ("all methods".to_owned(), all))) {
        table.row([
            Cell::Text(name),
            Cell::Whole(errors.times as u64),
            Cell::Number(100.0 * errors.median),
            Cell::Number(100.0 * errors.percentile_90),
        ]);
    }
    output::print(&format!(
        "{}\nthe predicted winner is the measured one at {} of {} points; the predicted choice costs \
             {mean:.2} % on average and {worst:.1} % at most\n",
        table.write(Form::Text),
        found.agree,
        found.points
    ))?;
    drawn.map_or(Ok(()), |(known, drawn)| output::print(&format!("\n{}", choices(known, &drawn))))
}

/// Evaluates choices that are based on randomly drawn points.
fn drawn(
    map: &DecisionMap,
    predicted: &Times,
    measured: &Times,
    share: Share,
) -> Result<(usize, Draws), Failure> {
    let baseline = map.domain().baseline().map(MethodIndex::get);
    // A map that was paired with predictions has times.
    let all = predict::measured(map).map_err(Failure::input)?;
    let default: Vec<Option<f64>> = (0..all.points.len()).map(|point| all.at(point)[baseline?]).collect();
    let measured_points = measured.known();
    let known = share.count(measured_points);
    let found = draws(predicted, measured, &default, known, DRAWS, 0);
    found.map(|found| (known, found)).ok_or_else(|| {
        Failure::usage(format!(
            "the map has only {measured_points} points, and {known} known ones would leave none to \
                 evaluate: use fewer"
        ))
    })
}

fn choices(known: usize, drawn: &Draws) -> String {
    let mut table = Table::new(&[
        ("choice by", "choice"),
        ("penalty: mean, %", "penalty"),
        ("5 % of draws below", "low"),
        ("95 % below", "high"),
    ]);
    if let Some(default) = drawn.default {
        table.row([
            Cell::Text("the default".to_owned()),
            Cell::Number(default),
            Cell::Missing,
            Cell::Missing,
        ]);
    }
    let model = Cell::Text("the model".to_owned());
    table.row([model, Cell::Number(drawn.predicted), Cell::Missing, Cell::Missing]);
    let points = output::counted(known as u32, "point", "points");
    for (name, found) in [
        (format!("the model, corrected by {points}"), drawn.corrected),
        (format!("log-log interpolation of {points}"), drawn.interpolated),
    ] {
        let Interval { median, low, high } = found;
        table.row([Cell::Text(name), Cell::Number(median), Cell::Number(low), Cell::Number(high)]);
    }
    format!(
        "{}\n{} have a cost; the last two rows are medians over {DRAWS} draws, at the points that were not \
             drawn\n",
        table.write(Form::Text),
        output::counted(drawn.points as u32, "point", "points")
    )
}
