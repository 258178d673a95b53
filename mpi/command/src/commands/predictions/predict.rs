//! `qtdec-mpi predict`: the time of every algorithm for one call.

use std::num::NonZero;

use clap::Args;
use clap::builder::PossibleValuesParser;
use qtdec_mpi_predict::models::{Form, Paper};
use qtdec_mpi_predict::predict::{Method, Predictor, Size, TimeSource};

mod against;
mod curves;
mod lines;

use lines::Lines;

use crate::commands::predictions::distance;
use crate::commands::predictions::predicting::{
    FormArgument, NamesArgument, PredictingArguments, Share, element_size, missing_reason, segments,
    warn_far, warn_unserved,
};
use qtdec_terminal::destination::Outputs;
use qtdec_terminal::picture_file::{picture_file, write_picture};
use qtdec_terminal::progress::Progress;
use qtdec_terminal::sizes::size;
use qtdec_terminal::{Failure, output};

/// Predict the time of every algorithm, the best first
///
/// The time of an algorithm is that of its last rank, in microseconds; with --json, in seconds. Bounds stand below the algorithms: the lower bound of any algorithm, and
/// those that a paper prints; they are no methods, and no map has them. With --against, predictions are compared with the costs of a measured map: the
/// error of each method, how often the predicted winner is the measured one, and the cost of the predicted choice.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  qtdec-mpi predict grig --collective bcast --comm-size 16 --msg-size 64K --segment-size 1K,8K"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    predicting: PredictingArguments,

    #[command(flatten)]
    form: FormArgument,

    /// Predict times with the formulas that one paper prints alone, in its rows and units: Barchet-Estefanel and Mounié 2004 (intra-cluster), or Chiba, Endo
    /// and Matsuoka 2006 (multirail)
    #[arg(long, value_name = "PAPER", value_parser = PossibleValuesParser::new(Paper::ALL.map(Paper::name)), conflicts_with_all = ["form", "against"])]
    paper: Option<String>,

    /// Set the number of ranks
    #[arg(long, value_name = "P", value_parser = size, required_unless_present = "against")]
    comm_size: Option<u64>,

    /// Set the size in bytes of the whole message or, for a collective of blocks, of one block
    #[arg(long, value_name = "M", value_parser = size, required_unless_present = "against")]
    msg_size: Option<u64>,

    /// Try these segment sizes
    #[arg(long, value_name = "S,…", conflicts_with = "search")]
    segment_size: Vec<String>,

    /// Search for the best segment size of each algorithm, in multiples of these bytes, such as those of an element, and for the best
    /// radix of k-nomial and d-ary trees
    #[arg(long, value_name = "BYTES", num_args = 0..=1, require_equals = true, default_missing_value = "1", value_parser = element_size)]
    search: Option<NonZero<u64>>,

    /// Plot the time of every method against the size, up to --msg-size, to this .svg or .png file
    #[arg(long, value_name = "FILE", value_parser = picture_file, conflicts_with = "against")]
    plot: Option<String>,

    /// Compare predictions with the costs of this map instead
    #[arg(long, value_name = "MAP", conflicts_with_all = ["comm_size", "msg_size", "segment_size", "search"])]
    against: Option<String>,

    #[command(flatten)]
    names: NamesArgument,

    /// Also compare the choices when this many points of the map are known, as a number or a share such as 10%
    #[arg(long, value_name = "N", value_parser = Share::parse, requires = "against")]
    points: Option<Share>,

    /// Draw the known points this many times
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000), requires = "points")]
    draws: u32,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(map) = &arguments.against {
        return against::compare(arguments, map);
    }
    let msg_size = arguments.msg_size.unwrap_or_default();
    let comm_size = u32::try_from(arguments.comm_size.unwrap_or_default()).unwrap_or(0);
    if comm_size == 0 {
        return Err(Failure::Usage("the number of ranks must be at least 1 and below 2^32".to_owned()));
    }
    let target = arguments.plot.as_ref();
    let target = target.map(|plot| Outputs::new([&*arguments.predicting.network]).add(plot)).transpose()?;
    let network = arguments.predicting.open()?;
    let paper = Paper::ALL.into_iter().find(|paper| arguments.paper.as_deref() == Some(paper.name()));
    let time_source =
        paper.map_or_else(|| arguments.form.time_source(), |_| TimeSource::Formula(Form::Printed));
    let predictor = arguments.predicting.predictor(&network, time_source)?;
    let predictor = match paper {
        Some(paper) => predictor.paper(paper).map_err(|error| Failure::Usage(error.to_string()))?,
        None => predictor,
    };
    let predictor = arguments.search.into_iter().fold(predictor, Predictor::element_size);
    let size = Size { comm_size, msg_size };
    warn_far(&network, &predictor, [size]);
    let progress = Progress::late("the predictions");
    let found = if arguments.search.is_some() {
        predictor.search(size)
    } else {
        predictor.ranking(size, &segments(&arguments.segment_size)?)
    };
    drop(progress);
    if found.is_empty() {
        let reason = missing_reason(&predictor, time_source, size);
        if predictor.printed_bounds(size).is_none() {
            return Err(Failure::input(reason));
        }
        output::warn(&reason);
    }
    if paper.is_some() && !found.is_empty() {
        let methods = predictor.methods(&[]);
        let is_missing =
            |method: &&Method| !found.iter().any(|found| found.method.algorithm == method.algorithm);
        warn_unserved(&predictor, methods.iter().filter(is_missing).map(|method| (method, size)));
    }
    if let Some(target) = target {
        let segments = segments(&arguments.segment_size)?;
        write_picture(&target, &curves::curves(&predictor, size, &segments, arguments.search.is_some()))?;
    }
    let bound = distance::bound_of_call(&predictor, time_source, size);
    if let Some(sentence) = bound.and_then(|bound| distance::of_call(bound, &found)) {
        output::note(&sentence);
    }
    let lines = Lines::new(&predictor, size, (time_source, paper), &found, bound).in_units_of(&network, size);
    output::print(&if arguments.json { lines.json() } else { lines.text() })
}
