//! A map of predicted times: `qtdec-mpi predict -o MAP`.

use qtdec_core::listing;
use qtdec_mpi_predict::predict::{self, MapError, Size};

use super::{Arguments, list};
use crate::commands::predictions::predicting::{methods, missing_reason, open, segments, warn_far};
use qtdec_report::bounds;
use qtdec_terminal::{Failure, Outputs, Progress, output};

pub(super) fn run(arguments: &Arguments, output: &str) -> Result<(), Failure> {
    let destination = Outputs::new([&*arguments.predicting.network]).add(output)?;
    let (comm_sizes, msg_sizes) = (list(arguments.comm_size.as_ref())?, arguments.msg_sizes()?);
    let network = open(&arguments.predicting.network)?;
    let mut predictor = arguments.predicting.predictor(&network)?;
    if let (Some(&ranks), Some(&msg_size)) = (comm_sizes.last(), msg_sizes.last()) {
        let comm_size = u32::try_from(ranks).unwrap_or(u32::MAX);
        warn_far(&network, &predictor, [Size { comm_size, msg_size }]);
    }
    let segments = segments(&arguments.segment_size)?;
    let methods = methods(&predictor, &segments)?.len();
    predictor.every_segment = arguments.every_segment;
    predictor.element_size = arguments.search.unwrap_or(predictor.element_size);
    let map = if arguments.search.is_some() {
        let progress = Progress::new(comm_sizes.len().saturating_mul(msg_sizes.len()));
        predict::map_searched(&predictor, &comm_sizes, &msg_sizes, || progress.done())
    } else {
        let progress =
            Progress::new(methods.saturating_mul(comm_sizes.len()).saturating_mul(msg_sizes.len()));
        predict::map(&predictor, &comm_sizes, &msg_sizes, &segments, || progress.done())
    };
    let time_source = arguments.predicting.form;
    let calls = || {
        let sizes = |&ranks: &u64| msg_sizes.iter().map(move |&msg_size| (ranks, msg_size));
        let size = |(ranks, msg_size)| Some(Size { comm_size: u32::try_from(ranks).ok()?, msg_size });
        comm_sizes.iter().flat_map(sizes).map(size)
    };
    let map = map.map_err(|error| match (error, calls().next().flatten()) {
        (MapError::NoTimes, Some(size)) => Failure::input(missing_reason(&predictor, time_source, size)),
        (error, _) => Failure::input(error.to_string()),
    })?;
    let mut without =
        calls().zip(map.cells()).filter(|(_, cell)| cell.is_none()).filter_map(|(size, _)| size);
    if let Some(size) = without.next() {
        let (count, all) = (1 + without.count(), map.cells().len());
        let reason = missing_reason(&predictor, time_source, size);
        output::warn(&format!("{count} of {all} {} have no time: {reason}", listing::cells(all)));
    }
    let distances = bounds::of_map(&map);
    if let Some(sentence) = distances.and_then(|distances| bounds::described(&distances, &map)) {
        output::note(&sentence);
    }
    destination.write(&map.to_file().map_err(|problem| Failure::problem(&problem))?)
}
