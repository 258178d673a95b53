//! `qtdec-mpi predict --against`: predictions compared with measured times.

use qtdec_mpi_predict::predict::Paired;
use qtdec_mpi_predict::trust::{self, Errors};
use serde_json::json;

use super::Arguments;
use crate::commands::predictions::predicting::{largest, open, pair, warn_far};
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
    let label = |method: usize| domain.methods()[method].label();
    let mean = found.mean_penalty().unwrap_or_default();
    let worst = found.penalties.iter().copied().fold(0.0, f64::max);
    if arguments.json {
        let of_method = |(method, Errors { times, median, percentile_90 }): &(usize, Errors)| json!({ "method": label(*method), "points": times, "median": median, "percentile_90": percentile_90 });
        let errors: Vec<_> = found.methods.iter().map(of_method).collect();
        let all = found.errors.map(|Errors { times, median, percentile_90 }| json!({ "times": times, "median": median, "percentile_90": percentile_90 }));
        let value = json!({ "errors": errors, "all": all, "points": found.points, "agree": found.agree, "penalty_mean": mean,
            "penalty_max": worst });
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
    ))
}
