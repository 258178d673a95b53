//! `qtdec-mpi predict`: the time of every algorithm for one call, or for the calls of a grid.

use std::num::NonZero;

use clap::Args;
use qtdec_mpi_predict::predict::{Method, Predictor, Size};

mod against;
mod lines;
mod model;
mod simulate;

use lines::Lines;

use super::predicting::{
    PredictingArguments, element_size, missing_reason, needs_message, open, renamed, segments, warn_far,
};
use qtdec_report::bounds::percent_over;
use qtdec_report::picture::{NEAR, Picture, times_over_sizes};
use qtdec_terminal::packed::is_csv;
use qtdec_terminal::sizes::sizes;
use qtdec_terminal::{Failure, Outputs, Progress, output, picture_file, write_picture};

/// Predict the times of algorithms for one call or a grid
///
/// Without --output, the algorithms of one call are listed, the best first. With --output, the sizes are lists such as 2,4,8, or 2..64, or
/// 2..64:2 with a step, or 1..1M*2 with a factor. A map has the best method of each cell. A file whose name ends in .csv, .csv.xz, .csv.zst
/// or .csv.gz gets the times of all methods, as canonical times in microseconds, with an empty segment size where messages are not
/// segmented. The lines before the rows have all that determines the times. They are the same for any number of threads. The file is replaced
/// when all times are known.
///
/// The axis ppn has the ranks on each node: their messages share its ports, and those within a node cost what the network states for a
/// cluster of the size of a node. A call on `nodes` nodes has nodes times ppn ranks.
///
/// The time of an algorithm is that of its last rank, in microseconds; with --json, in seconds. Bounds stand below the algorithms: the lower bound of any algorithm, and
/// those that a paper prints; they are no methods, and no map has them. With --against, predictions are compared with the costs of a measured map: the
/// error of each method, how often the predicted winner is the measured one, and the cost of the predicted choice.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec-mpi predict grig --collective bcast --comm-size 16 --msg-size 64K --segment-size 1K,8K\n  \
                  qtdec-mpi predict grig --collective bcast --comm-size 2..28:2 --msg-size 1..256K*2 -o bcast.json\n  \
                  qtdec-mpi predict nodes.json --collective bcast nodes=2..16*2 ppn=1,2,4 --msg-size 4..1M*4 -o times.csv"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    predicting: PredictingArguments,

    /// Set the number of ranks; with --output, these numbers
    #[arg(long, value_name = "P", required_unless_present_any = ["against", "placement"], conflicts_with = "against")]
    comm_size: Option<String>,

    /// Set the size in bytes of the whole message or, for a collective of blocks, of one block; with --output, these sizes; a barrier has
    /// none
    #[arg(long, value_name = "M", conflicts_with = "against")]
    msg_size: Option<String>,

    /// Predict times with these numbers of ranks on each node, as in ppn=1,2,4; and with nodes=2,4,8 these numbers of nodes instead of
    /// --comm-size
    #[arg(value_name = "AXIS=LIST", requires = "output", conflicts_with = "against")]
    placement: Vec<String>,

    /// Try these segment sizes, in addition to messages without segmentation
    #[arg(long, value_name = "S,…", conflicts_with_all = ["search", "against"])]
    segment_size: Vec<String>,

    /// Search for the best segment size of each algorithm, in multiples of these bytes, such as those of an element, and for the best
    /// radix of k-nomial and d-ary trees; without --algorithms, also for the best composition of two levels on a network with clusters or
    /// several ranks on each node, and of three on one with both
    #[arg(long, value_name = "BYTES", num_args = 0..=1, require_equals = true, default_missing_value = "1", value_parser = element_size, conflicts_with = "against")]
    search: Option<NonZero<u64>>,

    /// Plot the time of every method against the size, up to --msg-size, to this .svg or .pdf file
    #[arg(long, value_name = "FILE", value_parser = picture_file, conflicts_with_all = ["against", "output"])]
    plot: Option<String>,

    /// Compare predictions with the costs of this map instead
    #[arg(long, value_name = "MAP", conflicts_with = "output")]
    against: Option<String>,

    /// Match a method of the map to an algorithm that has another name here and in the MPI libraries
    #[arg(long, value_name = "METHOD=ALGORITHM,…", value_delimiter = ',', value_parser = renamed)]
    names: Vec<(String, String)>,

    /// Give methods whose segment is not smaller than the message the time of the unsegmented method, as in a benchmark that runs
    /// every method at every size
    #[arg(long, requires = "output")]
    every_segment: bool,

    /// Write a map of the grid to this file, or - for standard output; a file whose name ends in .csv, .csv.xz, .csv.zst or .csv.gz gets
    /// canonical times instead
    #[arg(short, long, value_name = "MAP|TIMES")]
    output: Option<String>,

    /// Print JSON
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

/// Parses a list of sizes, which is empty if the option is not given.
fn list(text: Option<&String>) -> Result<Vec<u64>, Failure> {
    text.map_or_else(|| Ok(Vec::new()), |text| sizes(text).map_err(Failure::Usage))
}

/// Returns the only size of a call.
fn one(sizes: &[u64]) -> Result<u64, Failure> {
    match *sizes {
        [size] => Ok(size),
        _ => Err(Failure::usage("the sizes of a grid need a file for its map or times: add --output")),
    }
}

impl Arguments {
    /// Returns the message sizes: one of 0 bytes for a barrier.
    fn msg_sizes(&self) -> Result<Vec<u64>, Failure> {
        let is_needed = needs_message(self.predicting.collective(), self.msg_size.is_some())?;
        if is_needed { list(self.msg_size.as_ref()) } else { Ok(vec![0]) }
    }
}

fn grid(arguments: &Arguments, output: &str) -> Result<(), Failure> {
    if is_csv(output) {
        if arguments.search.is_some() || arguments.every_segment {
            return Err(Failure::usage(
                "--search and --every-segment choose among the times of a map, or change them: write to a file \
                 whose name does not end in .csv",
            ));
        }
        return simulate::run(arguments, output);
    }
    if !arguments.placement.is_empty() {
        return Err(Failure::usage(
            "numbers of ranks on each node need canonical times: write to a file whose name ends in .csv",
        ));
    }
    model::run(arguments, output)
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(map) = &arguments.against {
        return against::compare(arguments, map);
    }
    if let Some(output) = &arguments.output {
        return grid(arguments, output);
    }
    let msg_size = one(&arguments.msg_sizes()?)?;
    let comm_size = u32::try_from(one(&list(arguments.comm_size.as_ref())?)?).unwrap_or(0);
    if comm_size == 0 {
        return Err(Failure::usage("the number of ranks must be at least 1 and below 2^32"));
    }
    let target = arguments.plot.as_ref();
    let target = target.map(|plot| Outputs::new([&*arguments.predicting.network]).add(plot)).transpose()?;
    let network = open(&arguments.predicting.network)?;
    let time_source = arguments.predicting.form;
    let mut predictor = arguments.predicting.predictor(&network)?;
    predictor.element_size = arguments.search.unwrap_or(predictor.element_size);
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
    if let Some(target) = target {
        let segments = segments(&arguments.segment_size)?;
        write_picture(&target, &curves(&predictor, size, &segments, arguments.search.is_some()))?;
    }
    let bound = time_source.is_bounded().then(|| predictor.bound(size)).filter(|bound| bound.seconds > 0.0);
    if let (Some(bound), Some(best)) = (bound, found.first()) {
        output::note(&match percent_over(best.seconds, bound.seconds) {
            over if over <= NEAR => format!(
                "the best is within {NEAR} % of the lower bound of any algorithm: tuning is pointless here"
            ),
            over => format!(
                "the best takes {over:.0} % longer than the lower bound of any algorithm, which no other one can beat"
            ),
        });
    }
    let lines = Lines::new(&predictor, size, time_source, &found, bound);
    output::print(&if arguments.json { lines.json() } else { lines.text() })
}

/// Returns the time of every method as a function of the size, from one byte up to that of a call; with a search,
/// that of every algorithm with its best segment for each size.
fn curves(predictor: &Predictor<'_>, call: Size, segments: &[u64], search: bool) -> Picture {
    let mut sizes: Vec<u64> =
        (0..u64::BITS).map(|power| 1 << power).take_while(|&size| size < call.msg_size).collect();
    sizes.push(call.msg_size);
    let mut series: Vec<(String, Vec<(u64, f64)>)> = Vec::new();
    let named = predictor.methods(&[]);
    for &msg_size in &sizes {
        let size = Size { msg_size, ..call };
        let found = if search { predictor.search(size) } else { predictor.ranking(size, segments) };
        for prediction in found {
            let algorithm = Method { radix: None, ..prediction.method.clone() }.name();
            let is_found = prediction.method.levels.is_some() && !named.contains(&prediction.method);
            let name = match (prediction.method.segment_size, prediction.method.radix) {
                (None, None) if is_found => format!("{}, best levels", prediction.method.algorithm),
                (None, None) => algorithm,
                (None, Some(_)) => format!("{algorithm}, best radix"),
                (Some(_), Some(_)) => format!("{algorithm}, best segment and radix"),
                (Some(_), None) if search => format!("{algorithm}, best segment"),
                (Some(segment), None) => format!("{algorithm}/{segment}"),
            };
            let point = (msg_size, prediction.seconds * 1e6);
            match series.iter_mut().find(|(known, _)| *known == name) {
                Some((_, points)) => points.push(point),
                None => series.push((name, vec![point])),
            }
        }
    }
    series.sort_by(|one, other| one.0.cmp(&other.0));
    let title = format!("{} of {} ranks", predictor.collective(), call.comm_size);
    times_over_sizes(&title, &series)
}
