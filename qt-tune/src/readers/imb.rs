//! Intel MPI Benchmarks, IMB-MPI1: <https://github.com/intel/mpi-benchmarks>.
//!
//! A file tells collective, communicator size and statistics over the ranks; the method comes from the path or the user.
//! Times are means over the repetitions in microseconds, sizes bytes of each call's `count`.

use std::io::BufRead;

use qtdec_core::Problem;

use super::lines::{each, not, time};
use super::sink::{Measured, Row, Sink};
use super::{Format, collective_name, natural_basis};
use crate::measurements::{RankStatistic, Statistic, TimeUnit};

pub(super) struct Imb;

impl Format for Imb {
    fn name(&self) -> &'static str {
        "imb"
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().any(|line| line.starts_with("# Benchmarking "))
            || head.lines().any(|line| line.contains("Intel(R) MPI Benchmarks"))
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut Sink<'_, '_>) -> Result<(), Problem> {
        let mut part = Part::default();
        each(input, |line, text| {
            let text = text.trim();
            if let Some(name) = text.strip_prefix("# Benchmarking ") {
                let collective = collective_name(name);
                part = Part { selected: sink.selects(&collective), collective, ..Part::default() };
            } else if let Some(ranks) = text.strip_prefix("# #processes = ") {
                let number = ranks.split(' ').next().unwrap_or_default();
                part.comm_size = number.parse().map_err(|_| not(line, number, "a number of processes"))?;
            } else if text.starts_with('#') && text.contains("t_min[usec]") {
                part.header(text, sink);
            } else if text.is_empty() {
                // A table ends with an empty line.
                part.times.clear();
            } else if !text.starts_with('#') && part.selected && part.began && !part.times.is_empty() {
                part.row(line, text, sink)?;
            }
            Ok(())
        })
    }
}

/// The table of one benchmark at one communicator size.
#[derive(Default)]
struct Part {
    collective: String,
    selected: bool,
    comm_size: u64,
    /// The columns of the table, by the names they have.
    columns: Vec<String>,
    /// The columns with times, and the statistic of the ranks in each.
    times: Vec<(usize, RankStatistic)>,
    method: usize,
    began: bool,
}

impl Part {
    fn header(&mut self, header: &str, sink: &mut Sink<'_, '_>) {
        if !self.selected {
            return;
        }
        self.columns = header.trim_start_matches('#').split_whitespace().map(str::to_owned).collect();
        let statistics = [
            ("t_min[usec]", RankStatistic::Min),
            ("t_max[usec]", RankStatistic::Max),
            ("t_avg[usec]", RankStatistic::Mean),
        ];
        let position = |name: &str| self.columns.iter().position(|column| column == name);
        self.times = statistics
            .into_iter()
            .filter_map(|(name, statistic)| Some((position(name)?, statistic)))
            .collect();
        let axes: &[&str] = if self.has_size() { &["comm_size", "msg_size"] } else { &["comm_size"] };
        let ranks = self.chosen(sink.asked().ranks).map(|(_, statistic)| statistic.name());
        let began = sink.begin(axes, natural_basis(&self.collective), Some(TimeUnit::Microseconds), ranks);
        if let (Some(()), Some(method)) = (began, sink.fixed_method(None)) {
            self.method = method;
            self.began = true;
        }
    }

    fn has_size(&self) -> bool {
        self.columns.first().is_some_and(|column| column.ends_with("bytes"))
    }

    fn chosen(&self, asked: RankStatistic) -> Option<(usize, RankStatistic)> {
        self.times.iter().find(|(_, statistic)| *statistic == asked).or(self.times.first()).copied()
    }

    fn row(&self, line: u64, text: &str, sink: &mut Sink<'_, '_>) -> Result<(), Problem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((position, _)) = self.chosen(sink.asked().ranks) else { return Ok(()) };
        let mut sizes = vec![self.comm_size];
        if self.has_size() {
            sizes.push(words[0].parse().map_err(|_| not(line, words[0], "a message size"))?);
            // A collective of nothing is measured, and means nothing.
            if sizes[1] == 0 {
                sink.note("a message of 0 bytes was passed over");
                return Ok(());
            }
        }
        let word = words.get(position).copied().unwrap_or_default();
        match time(word) {
            Some(time) => {
                let given = [(Statistic::Mean, time)];
                sink.row(&Row {
                    line,
                    sizes: &sizes,
                    method: self.method,
                    run: None,
                    measured: Measured::Statistics(&given),
                });
            }
            None => sink.check.add_with(|| not(line, word, "a time above 0")),
        }
        Ok(())
    }
}
