//! Summaries of PICO, `*_aggregated_results_summary.csv`.
//!
//! They have one row for each collective, size and algorithm with statistics over the iterations, each of which is the slowest
//! rank's time in nanoseconds. `buffer_size` is the size of the larger buffer on all ranks together.

use std::io::BufRead;

use qtdec_core::{Basis, Method, Problem};
use qtdec_times::collective::natural_basis;

use super::Format;
use super::counted::Counted;
use super::sink::FileSink;
use super::table::{self, TableSpec};
use crate::measurements::{Statistic, TimeUnit};
use crate::size::{is_digits, size};

pub(super) const FORMAT: Format = Format {
    has_columns: true,
    ..Format::new("pico", |head| head.starts_with("collective_type,array_dim,buffer_size,algo_name,"), read)
};

const STATISTICS: [(Statistic, &str); 8] = [
    (Statistic::Median, "median"),
    (Statistic::Mean, "mean"),
    (Statistic::Min, "min"),
    (Statistic::Max, "max"),
    (Statistic::Quantile(100), "percentile_10"),
    (Statistic::Quantile(250), "percentile_25"),
    (Statistic::Quantile(750), "percentile_75"),
    (Statistic::Quantile(900), "percentile_90"),
];

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let table = TableSpec {
        columns: "comm_size=nnodes,msg_size=buffer_size,method=algo_name,collective=collective_type",
        statistics: &STATISTICS,
        unit: Some(TimeUnit::Nanoseconds),
        ranks: Some("max"),
        ranks_per_node: Some("tasks_per_node"),
        counted: Some(|collective, _| basis(collective?).map(Counted::Of)),
        method: Some(method),
        size: Some(size_on),
        ..TableSpec::default()
    };
    table::read(input, &table, sink)
}

/// Parses `BINE-B_CONT-UTOFU-65536-6`: the algorithm and its transport, the segment size in bytes, the ports.
fn method(names: &[&str]) -> Method {
    let parts: Vec<&str> = names[0].rsplitn(3, '-').collect();
    match parts[..] {
        [ports, segment, name] if is_digits(ports) && is_digits(segment) => {
            Method { segment_size: segment.parse().ok(), ..Method::new(format!("{name}:ports={ports}")) }
        }
        _ => Method::new(names[0]),
    }
}

/// Parses a size; for ranks, a torus such as `4x4x4` with one rank on each node counts as 64.
fn size_on(axis: &str, text: &str) -> Option<u64> {
    if axis == "comm_size" {
        text.split('x').try_fold(1_u64, |ranks, length| ranks.checked_mul(size(length)?))
    } else {
        size(text)
    }
}

/// Returns the basis of PICO's sizes: the buffer, or all blocks together.
pub(super) fn basis(collective: &str) -> Option<Basis> {
    natural_basis(collective).map(|basis| if basis == Basis::Block { Basis::Total } else { basis })
}
