//! `qtdec model`: a map of predicted times.

use clap::Args;
use qtdec_mpi::predict;

use super::destination::Outputs;
use super::predicting::{FormArgument, PredictingArguments, segments};
use super::sizes::sizes;
use super::{Failure, output};

/// Make a map of predicted times, for a cluster that nobody has measured
///
/// Lists of sizes are written 2,4,8, or 2..64, or 2..64:2 with a step, or 1..1M*2 with a factor.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    predicting: PredictingArguments,

    #[command(flatten)]
    form: FormArgument,

    /// The numbers of ranks
    #[arg(long, value_name = "LIST")]
    comm_sizes: String,

    /// The bytes of the whole message or, for a collective of blocks, of one block
    #[arg(long, value_name = "LIST")]
    msg_sizes: String,

    /// The segment sizes, beside messages that are not cut
    #[arg(long, value_name = "LIST", conflicts_with = "search")]
    segment_sizes: Vec<String>,

    /// Search the best segment size of each algorithm and cell, among powers of two
    #[arg(long)]
    search: bool,

    /// The map, or - for standard output
    #[arg(short, long, value_name = "MAP")]
    output: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let destination = Outputs::of([&*arguments.predicting.network]).add(&arguments.output)?;
    let comm_sizes = sizes(&arguments.comm_sizes).map_err(Failure::Usage)?;
    let msg_sizes = sizes(&arguments.msg_sizes).map_err(Failure::Usage)?;
    let largest = msg_sizes.last().copied().unwrap_or_default();
    let network = arguments.predicting.open(largest)?;
    let predictor = arguments.predicting.predictor(&network, arguments.form.way())?;
    let segments =
        if arguments.search { powers_of_two(largest) } else { segments(&arguments.segment_sizes)? };
    let map = predict::map(&predictor, &comm_sizes, &msg_sizes, &segments, || ());
    let map = map.map_err(|error| Failure::input(error.to_string()))?;
    let without = map.cells().iter().filter(|cell| cell.is_none()).count();
    if without > 0 {
        output::warn(&format!(
            "{without} of {} cells have no time: no algorithm serves them",
            map.cells().len()
        ));
    }
    destination.write(&map.to_json())
}

/// The segment sizes that a search tries: the map has the best of each cell among them. Smaller ones are mostly header, and
/// more segments are not served.
fn powers_of_two(largest: u64) -> Vec<u64> {
    (6..=26).map(|power| 1 << power).filter(|&size| size < largest).collect()
}
