//! The times that the chain leaves, cell by cell.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use qtdec_core::median;
use serde_json::Value;

use super::chain::{COMM_SIZES, Chain, MSG_SIZES};
use super::table::table;

/// A point tells whether a library obeys if its method and the default differ by more than this.
const DISTINGUISHABLE: f64 = 1.10;

/// What the launches with and without the tuning file show in each cell.
pub(super) struct Comparison {
    /// A table of Markdown, with times in microseconds.
    pub(super) table: String,
    /// The cells in which the library did not obey, although it can be seen.
    pub(super) faults: Vec<String>,
    /// The number of cells in which it can be seen, and of those in which the library obeyed.
    pub(super) seen: usize,
    pub(super) obeyed: usize,
}

impl Comparison {
    /// Compares the times from which the tuning file was made with those of launches without and with it.
    ///
    /// # Errors
    ///
    /// Fails if a folder lacks times.
    pub(super) fn new(chain: &Chain) -> Result<Self, String> {
        let read = |folder: &str| Medians::read(&chain.folder.join(folder));
        let (before, control, after) = (read("before")?, read("control")?, read("after")?);
        let default = ("default".to_owned(), String::new());
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN).set_header([
            "ranks",
            "bytes",
            "deployed",
            "default",
            "promised",
            "control",
            "with the file",
            "faster",
            "obeyed",
        ]);
        let (mut faults, mut seen, mut obeyed) = (Vec::new(), 0, 0);
        for ranks in COMM_SIZES {
            for bytes in MSG_SIZES {
                let chosen = chain.decided(ranks, bytes)?;
                let promised = before.of(ranks, bytes, &chosen)?;
                let was = before.of(ranks, bytes, &default)?;
                let (without, with) =
                    (control.of(ranks, bytes, &default)?, after.of(ranks, bytes, &default)?);
                let is_seen = (was / promised).max(promised / was) > DISTINGUISHABLE;
                let follows = (with / promised).ln().abs() < (with / was).ln().abs();
                let label = [&*chosen.0, if chosen.1.is_empty() { "" } else { "/" }, &chosen.1].concat();
                seen += usize::from(is_seen);
                obeyed += usize::from(is_seen && follows);
                if is_seen && !follows {
                    faults.push(format!("{ranks} ranks and {bytes} bytes: the library did not run {label}"));
                }
                let mut row = vec![ranks.to_string(), bytes.to_string(), label];
                row.extend([was, promised, without, with].map(|time| format!("{time:.0}")));
                row.push(format!("{:.2}", without / with));
                row.push(
                    if !is_seen {
                        "–"
                    } else if follows {
                        "yes"
                    } else {
                        "no"
                    }
                    .to_owned(),
                );
                table.add_row(row);
            }
        }
        for column in table.column_iter_mut().skip(3).take(5) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if seen == 0 {
            faults.push("no point distinguishes the deployed methods from the default".to_owned());
        }
        Ok(Self { table: table.to_string(), faults, seen, obeyed })
    }
}

/// The columns of a comparison of simulations with times.
pub(super) const ERRORS: [&str; 5] = [
    "times",
    "error of the simulation: median, %",
    "90th percentile, %",
    "its choice over the best: mean, %",
    "worst, %",
];

/// Returns the cells of these columns, from what `qtdec predict --against` prints as JSON.
pub(super) fn errors(found: &Value) -> Vec<String> {
    let percent = |value: &Value, scale: f64| match value.as_f64() {
        Some(value) => format!("{:.2}", scale * value),
        None => "–".to_owned(),
    };
    let all = &found["all"];
    vec![
        all["times"].to_string(),
        percent(&all["median"], 100.0),
        percent(&all["percentile_90"], 100.0),
        percent(&found["penalty_mean"], 1.0),
        percent(&found["penalty_max"], 1.0),
    ]
}

/// Returns a table of Markdown: how far simulations on the measured network are from the measured times of all methods but the default.
///
/// # Errors
///
/// Fails if a command fails.
pub(super) fn simulations(chain: &Chain) -> Result<String, String> {
    let mut table = table([&["bytes"][..], &ERRORS].concat(), 0);
    for bytes in MSG_SIZES {
        let size = format!("msg_size={bytes}");
        let found = chain.predicted("bcast", &["before", "--exclude", "default", "--where", &size])?;
        table.add_row([vec![bytes.to_string()], errors(&found)].concat());
    }
    Ok(table.to_string())
}

/// The algorithms that the library has and we have as a schedule: collective, name and segment size.
const BOTH: [(&str, &str, &str); 3] =
    [("bcast", "binomial", ""), ("bcast", "pipeline", "8192"), ("allreduce", "ring", "")];

/// The median of the ratios of our schedule's time to that of the library's same algorithm must be in this range.
const SAME: RangeInclusive<f64> = 0.95..=1.05;

/// Measures our schedules against the library's same algorithms. Returns a table of Markdown, and what does not hold.
///
/// # Errors
///
/// Fails if a launch fails.
pub(super) fn own_schedules(chain: &Chain) -> Result<(String, Vec<String>), String> {
    chain.own("bcast", "binomial,own:binomial,pipeline/8K,own:pipeline/8K")?;
    chain.own("allreduce", "ring,own:ring")?;
    let mut table = table(["algorithm", "cells", "ours over the library's: median", "least", "greatest"], 1);
    let mut faults = Vec::new();
    for (collective, name, segment) in BOTH {
        let medians = Medians::read(&chain.folder.join(collective))?;
        let mut ratios = Vec::new();
        for (ranks, bytes) in COMM_SIZES.iter().flat_map(|ranks| MSG_SIZES.map(|bytes| (*ranks, bytes))) {
            let of = |name: String| medians.of(ranks, bytes, &(name, segment.to_owned()));
            // A message of one segment is not cut, and its times belong to the method without segments.
            if segment.parse().is_ok_and(|segment| bytes <= segment) {
                continue;
            }
            ratios.push(of(["own_", name].concat())? / of(name.to_owned())?);
        }
        let (least, greatest) =
            (ratios.iter().copied().fold(f64::MAX, f64::min), ratios.iter().copied().fold(0.0, f64::max));
        let median = median(&*ratios).unwrap_or(f64::NAN);
        let label = [collective, " ", name, if segment.is_empty() { "" } else { "/" }, segment].concat();
        if !SAME.contains(&median) {
            faults.push(format!(
                "{label}: our schedule takes {median:.3} times as long as the library's algorithm"
            ));
        }
        let mut row = vec![label, ratios.len().to_string()];
        row.extend([median, least, greatest].map(|ratio| format!("{ratio:.3}")));
        table.add_row(row);
    }
    Ok((table.to_string(), faults))
}

/// The medians of a folder's times, in microseconds.
pub(super) struct Medians(BTreeMap<(u32, u64, String, String), f64>);

impl Medians {
    /// Reads the times of a folder, of all launches together.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let mut times: BTreeMap<_, Vec<f64>> = BTreeMap::new();
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(folder).map_err(|error| failed(&error))? {
            let path = entry.map_err(|error| failed(&error))?.path();
            let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
            for row in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
                let fields: Vec<&str> = row.split(',').collect();
                let wrong = || failed(&format!("the row `{row}`"));
                let [ranks, bytes, method, segment, .., time] = fields[..] else { return Err(wrong()) };
                let cell = (ranks.parse().map_err(|_| wrong())?, bytes.parse().map_err(|_| wrong())?);
                let key = (cell.0, cell.1, method.to_owned(), segment.to_owned());
                times.entry(key).or_default().push(time.parse().map_err(|_| wrong())?);
            }
        }
        Ok(Self(times.into_iter().filter_map(|(key, times)| Some((key, median(times)?))).collect()))
    }

    /// Returns by what part the times of others differ from these, for each method and cell that both have, in increasing order.
    pub(super) fn differences(&self, others: &Self) -> Vec<f64> {
        let both = self.0.iter().filter_map(|(key, time)| Some((time, others.0.get(key)?)));
        let mut differences: Vec<f64> = both.map(|(time, other)| (other / time - 1.0).abs()).collect();
        differences.sort_by(f64::total_cmp);
        differences
    }

    pub(super) fn of(
        &self,
        ranks: u32,
        bytes: u64,
        (method, segment): &(String, String),
    ) -> Result<f64, String> {
        let key = (ranks, bytes, method.clone(), segment.clone());
        let time = self.0.get(&key).copied();
        time.ok_or_else(|| format!("{ranks} ranks and {bytes} bytes: no time of {method} {segment}"))
    }
}
