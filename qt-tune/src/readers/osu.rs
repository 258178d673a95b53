//! OSU micro-benchmarks, the collectives: <https://mvapich.cse.ohio-state.edu/benchmarks/>.
//!
//! A file tells the collective and, with `-f`, statistics over the ranks; the communicator size and the method come from
//! the path or the user. Times are means over the iterations in microseconds, sizes bytes of each call's `count`.

use std::io::BufRead;

use qtdec_core::{Check, Place, Problem};

use super::lines::{each, not, time};
use super::sink::{Measured, Row, Sink};
use super::{Format, collective_name, natural_basis};
use crate::measurements::{RankStatistic, Statistic, TimeUnit};

pub(super) struct Osu;

impl Format for Osu {
    fn name(&self) -> &'static str {
        "osu"
    }

    fn recognises(&self, head: &str) -> bool {
        head.lines().take(20).any(|line| line.starts_with("# OSU MPI"))
    }

    fn read(&self, input: &mut dyn BufRead, sink: &mut Sink<'_, '_>) -> Result<(), Problem> {
        let mut part: Option<Part> = None;
        let mut skip = false;
        each(input, |line, text| {
            if let Some(title) = text.strip_prefix("# OSU MPI") {
                let name = title.split(" Latency").next().unwrap_or_default();
                let collective = collective_name(name.trim_start_matches([' ', '-']));
                skip = !sink.selects(&collective);
                part = None;
                if !skip {
                    part = Some(Part { collective, ranks: None, times: Vec::new(), method: 0, began: false });
                }
                return Ok(());
            }
            let Some(part) = part.as_mut().filter(|_| !skip) else { return Ok(()) };
            match text.strip_prefix('#') {
                Some(header) if header.contains("Latency(us)") => {
                    part.header(header, sink);
                    Ok(())
                }
                Some(_) => Ok(()),
                None if text.trim().is_empty() => Ok(()),
                None => part.row(line, text, sink),
            }
        })
    }
}

/// The part of a file that is of one collective.
struct Part {
    collective: String,
    /// Which statistic of the ranks is taken, by its position among the times.
    ranks: Option<RankStatistic>,
    times: Vec<RankStatistic>,
    method: usize,
    began: bool,
}

impl Part {
    fn header(&mut self, header: &str, sink: &mut Sink<'_, '_>) {
        let columns = [
            ("Avg Latency", RankStatistic::Mean),
            ("Min Latency", RankStatistic::Min),
            ("Max Latency", RankStatistic::Max),
        ];
        let mut found: Vec<(usize, RankStatistic)> =
            columns.iter().filter_map(|(name, statistic)| Some((header.find(name)?, *statistic))).collect();
        found.sort_by_key(|(position, _)| *position);
        self.times = found.into_iter().map(|(_, statistic)| statistic).collect();
        let asked = sink.asked().ranks;
        self.ranks = if self.times.contains(&asked) { Some(asked) } else { self.times.first().copied() };
        let ranks = self.ranks.map(RankStatistic::name);
        // The barrier has no message size.
        let axes: &[&str] = if header.contains("Size") { &["msg_size"] } else { &[] };
        if sink.fixed("comm_size").is_none() {
            sink.check.add(
                Problem::new(Place::File, "the file does not tell the communicator size").help(
                    "tell it with --path '…{comm_size}…', a pattern of the paths, or --fixed comm_size=N",
                ),
            );
            return;
        }
        let began = sink.begin(axes, natural_basis(&self.collective), Some(TimeUnit::Microseconds), ranks);
        if let (Some(()), Some(method)) = (began, sink.fixed_method(None)) {
            self.method = method;
            self.began = true;
        }
    }

    fn row(&self, line: u64, text: &str, sink: &mut Sink<'_, '_>) -> Result<(), Problem> {
        if !self.began {
            return Ok(());
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let sizes = words.len().saturating_sub(self.times.len());
        let has_size = sizes > 0 && self.collective != "barrier";
        let mut size = [0];
        if has_size {
            size = [words[0].parse().map_err(|_| not(line, words[0], "a message size"))?];
        }
        let position = self.times.iter().position(|statistic| Some(*statistic) == self.ranks).unwrap_or(0);
        let word = words.get(position + usize::from(has_size)).copied().unwrap_or_default();
        match time(word) {
            Some(time) => {
                let given = [(Statistic::Mean, time)];
                let sizes = if has_size { &size[..] } else { &[] };
                sink.row(&Row {
                    line,
                    sizes,
                    method: self.method,
                    run: None,
                    measured: Measured::Statistics(&given),
                });
            }
            None => refuse(line, word, &mut sink.check),
        }
        Ok(())
    }
}

fn refuse(line: u64, word: &str, check: &mut Check) {
    check.add_with(|| not(line, word, "a time above 0"));
}
