//! Summaries of PICO, `*_aggregated_results_summary.csv`.
//!
//! They have one row for each collective, size and algorithm with statistics over the iterations, each of which is the slowest
//! rank's time in nanoseconds. `buffer_size` is the size of the larger buffer on all ranks together.

use std::io::BufRead;

use qtdec_core::{Basis, Problem};
use qtdec_times::collective::natural_basis;

use super::Format;
use super::columns::Columns;
use super::counted::Counted;
use super::sink::FileSink;
use super::table::{self, TableDialect, TableSpec};
use crate::measurements::{MeasuredMethod, Statistic, TimeUnit};
use crate::size::size;

pub(super) struct Pico;

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

impl Format for Pico {
    fn name(&self) -> &'static str {
        "pico"
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn recognises(&self, head: &str) -> bool {
        head.starts_with("collective_type,array_dim,buffer_size,algo_name,")
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
        let axis = |name: &str, column: &str| (name.to_owned(), column.to_owned());
        let table = TableSpec {
            columns: Columns {
                axes: vec![axis("comm_size", "nnodes"), axis("msg_size", "buffer_size")],
                method: vec!["algo_name".to_owned()],
                collective: Some("collective_type".to_owned()),
                ..Columns::default()
            },
            statistics: &STATISTICS,
            unit: Some(TimeUnit::Nanoseconds),
            ranks: Some("max"),
            ranks_per_node: Some("tasks_per_node"),
            ..TableSpec::new(self)
        };
        table::read(input, &table, sink)
    }
}

impl TableDialect for Pico {
    fn counted(&self, collective: Option<&str>, _names: &[&str]) -> Option<Counted> {
        basis(collective?).map(Counted::Of)
    }

    /// Parses `BINE-B_CONT-UTOFU-65536-6`: the algorithm and its transport, the segment size in bytes, the ports.
    fn method(&self, names: &[&str]) -> MeasuredMethod {
        let parts: Vec<&str> = names[0].rsplitn(3, '-').collect();
        match parts[..] {
            [ports, segment, name] if is_number(ports) && is_number(segment) => {
                MeasuredMethod { name: format!("{name}:ports={ports}"), segment_size: segment.parse().ok() }
            }
            _ => MeasuredMethod { name: names[0].to_owned(), segment_size: None },
        }
    }

    /// Parses a size; for ranks, a torus such as `4x4x4` with one rank on each node counts as 64.
    fn size(&self, axis: &str, text: &str) -> Option<u64> {
        if axis == "comm_size" {
            text.split('x').try_fold(1_u64, |ranks, length| ranks.checked_mul(size(length)?))
        } else {
            size(text)
        }
    }
}

/// Returns the basis of PICO's sizes: the buffer, or all blocks together.
pub(super) fn basis(collective: &str) -> Option<Basis> {
    natural_basis(collective).map(|basis| if basis == Basis::Block { Basis::Total } else { basis })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
