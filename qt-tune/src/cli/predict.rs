//! `qtdec predict`: every algorithm's time for one call.

use clap::Args;
use qtdec_mpi::predict::{Paired, Prediction, Size};
use qtdec_mpi::trust::against;
use serde_json::json;

use super::input::Input;
use super::predicting::{FormArgument, PredictingArguments, pair, segments};
use super::sizes::size;
use super::{Failure, output};
use crate::report::table::{Cell, Form, Table};

/// Predict the time of every algorithm, the best first
///
/// Times are those of the last rank, in seconds. With --against, compare predictions with the costs of a measured map:
/// the error of each method, how often the predicted winner is the measured one, and what the choice costs.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    predicting: PredictingArguments,

    #[command(flatten)]
    form: FormArgument,

    /// The number of ranks
    #[arg(long, value_name = "P", value_parser = size, required_unless_present = "against")]
    comm_size: Option<u64>,

    /// The bytes of the whole message or, for a collective of blocks, of one block
    #[arg(long, value_name = "M", value_parser = size, required_unless_present = "against")]
    msg_size: Option<u64>,

    /// Segment sizes to be tried
    #[arg(long, value_name = "S,…", conflicts_with = "search")]
    segment_size: Vec<String>,

    /// Search the best segment size of each algorithm
    #[arg(long)]
    search: bool,

    /// Compare with the costs of this map instead
    #[arg(long, value_name = "MAP", conflicts_with_all = ["comm_size", "msg_size", "segment_size", "search"])]
    against: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(map) = &arguments.against {
        return compare(arguments, map);
    }
    let msg_size = arguments.msg_size.unwrap_or_default();
    let comm_size = u32::try_from(arguments.comm_size.unwrap_or_default()).unwrap_or(0);
    if comm_size == 0 {
        return Err(Failure::Usage("the number of ranks is 1 or above, and below 2^32".to_owned()));
    }
    let network = arguments.predicting.open(msg_size)?;
    let way = arguments.form.way();
    let predictor = arguments.predicting.predictor(&network, way)?;
    let size = Size { comm_size, msg_size };
    let found = if arguments.search {
        predictor.search(size)
    } else {
        predictor.ranking(size, &segments(&arguments.segment_size)?)
    };
    if found.is_empty() {
        return Err(Failure::input(format!(
            "no algorithm of {} serves this call in the form {}",
            predictor.collective(),
            way.name()
        )));
    }
    output::print(&if arguments.json { as_json(&found, way.name()) } else { as_text(&found) })
}

fn as_json(found: &[Prediction], form: &str) -> String {
    let row = |Prediction { method, seconds }: &Prediction| json!({ "algorithm": method.algorithm, "segment_size": method.segment_size, "form": form, "seconds": seconds });
    let rows: Vec<_> = found.iter().map(row).collect();
    format!("{:#}\n", serde_json::Value::from(rows))
}

fn as_text(found: &[Prediction]) -> String {
    let mut table = Table::new(&[
        ("algorithm", "algorithm"),
        ("segment size", "segment_size"),
        ("microseconds", "us"),
        ("over the best, %", "over"),
    ]);
    let best = found.first().map_or(0.0, |best| best.seconds);
    for Prediction { method, seconds } in found {
        let over = if best > 0.0 { 100.0 * (seconds / best - 1.0) } else { 0.0 };
        table.row([
            Cell::Text(method.algorithm.to_owned()),
            method.segment_size.map_or(Cell::Missing, Cell::Whole),
            Cell::Number(seconds * 1e6),
            Cell::Number(over),
        ]);
    }
    table.without_empty_columns().write(Form::Text)
}

fn compare(arguments: &Arguments, name: &str) -> Result<(), Failure> {
    let map = Input::open(name)?.map()?;
    let network = arguments.predicting.open_for(&map)?;
    let predictor = arguments.predicting.predictor(&network, arguments.form.way())?;
    let Paired { predicted, measured, unknown } = pair(&predictor, &map, name)?;
    let domain = map.domain();
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.iter().map(|&method| domain.methods()[method].label()).collect();
        output::warn(&format!("without a prediction, and left out: {}", names.join(", ")));
    }
    let found = against(&predicted, &measured);
    if found.points == 0 {
        return Err(Failure::input(format!(
            "no method of `{name}` is both measured and predicted at a point"
        )));
    }
    let label = |method: usize| domain.methods()[method].label();
    let mean = found.mean_penalty().unwrap_or_default();
    if arguments.json {
        let errors: Vec<_> = found
            .errors
            .iter()
            .map(|error| json!({ "method": label(error.method), "points": error.points, "median": error.median, "percentile_90": error.percentile_90 }))
            .collect();
        let value = json!({ "errors": errors, "points": found.points, "agree": found.agree, "penalty_mean": mean,
            "penalty_max": found.penalties.iter().copied().fold(0.0, f64::max) });
        return output::print(&format!("{value:#}\n"));
    }
    let mut table = Table::new(&[
        ("method", "method"),
        ("points", "points"),
        ("error: median, %", "median"),
        ("90th percentile, %", "percentile_90"),
    ]);
    for error in &found.errors {
        table.row([
            Cell::Text(label(error.method)),
            Cell::Whole(error.points as u64),
            Cell::Number(100.0 * error.median),
            Cell::Number(100.0 * error.percentile_90),
        ]);
    }
    let worst = found.penalties.iter().copied().fold(0.0, f64::max);
    output::print(&format!(
        "{}\nthe predicted winner is the measured one at {} of {} points; the choice costs {mean:.2} % on average, {worst:.1} % at most\n",
        table.write(Form::Text),
        found.agree,
        found.points
    ))
}
