//! The benchmarks of Rust's libtest: `test merge_64 ... bench:  1,234.50 ns/iter (+/- 56)`.
//!
//! The time is the median of an iteration. Sizes are at the end of the name, after an underscore, or parts of its path.

use std::io::BufRead;

use qtdec_core::Problem;

use super::Format;
use super::benchmarks::{Benchmark, Times, method_and_sizes, record, valid};
use super::lines::{each, unexpected};
use super::sink::FileSink;
use crate::measurements::{Statistic, TimeUnit};

pub(super) const FORMAT: Format = Format {
    uses_columns: true,
    ..Format::new("libtest", |head| head.lines().any(|line| parts(line).is_some()), read)
};

fn read(input: &mut dyn BufRead, sink: &mut FileSink<'_, '_>) -> Result<(), Problem> {
    let mut benchmarks = Vec::new();
    each(input, |line, text| {
        let Some((name, time)) = parts(text) else { return Ok(()) };
        let Some(time) = time.replace(',', "").parse().ok().and_then(valid) else {
            sink.faults.add(unexpected(line, time, "a time in nanoseconds, such as 1,234.50"));
            return Ok(());
        };
        let (method, samples) = method_and_sizes(name.split("::"));
        benchmarks.push(Benchmark {
            method,
            samples,
            times: Times::Statistics(vec![(Statistic::Median, time)]),
        });
        Ok(())
    })?;
    record(benchmarks, TimeUnit::Nanoseconds, sink)
}

fn parts(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.trim().strip_prefix("test ")?.split_once(" ... bench:")?;
    Some((name.trim(), rest.trim().split_once(" ns/iter")?.0))
}
