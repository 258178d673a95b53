//! The times that the chain leaves, cell by cell.

use std::ops::RangeInclusive;

use qtdec_core::median;
use serde_json::Value;

use super::chain::{COMM_SIZES, Chain, MSG_SIZES};
use super::medians::Medians;
use super::spied::{Spied, called};
use super::table::table;

/// Returns by what per cent the default is slower than the deployment, with the ends of the interval, from what `qtdec verify` prints as
/// JSON.
pub(super) fn gains(verified: &Value) -> [f64; 3] {
    ["change", "high", "low"]
        .map(|key| 100.0 * (1.0 / verified["time"][key].as_f64().unwrap_or(f64::NAN) - 1.0))
}

/// Returns the name of a method with its segment size, if it has one.
pub(super) fn label(name: &str, segment: &str) -> String {
    [name, if segment.is_empty() { "" } else { "/" }, segment].concat()
}

/// What the launches with and without the tuning file show in each cell.
pub(super) struct Comparison {
    /// A table of Markdown, with times in microseconds.
    pub(super) table: String,
    /// The cells in which the library did not obey.
    pub(super) faults: Vec<String>,
    /// The number of cells in which the library ran the algorithm of their rule, and of those in which it kept its own choice.
    pub(super) sent: usize,
    pub(super) kept: usize,
}

impl Comparison {
    /// Compares the times from which the tuning file was made with those of launches without and with it, and asks the library what it
    /// calls.
    pub(super) fn new(chain: &Chain) -> Result<Self, String> {
        let read = |folder: &str| Medians::read(&chain.folder.join(folder));
        let (before, control, after) = (read("before")?, read("control")?, read("after")?);
        let spied = Spied::new(chain)?;
        let default = ("default".to_owned(), String::new());
        let mut table = table(
            [
                "ranks",
                "bytes",
                "deployed",
                "default",
                "promised",
                "control",
                "with the file",
                "faster",
                "obeyed",
            ],
            3,
        );
        let (mut faults, mut sent, mut kept) = (Vec::new(), 0, 0);
        for ranks in COMM_SIZES {
            let own = spied.broadcasts(ranks, "", &MSG_SIZES)?;
            let deployed = spied.broadcasts(ranks, "tuned/switches.sh", &MSG_SIZES)?;
            for ((bytes, own), ran) in MSG_SIZES.into_iter().zip(own).zip(deployed) {
                let chosen = chain.decided(ranks, bytes)?;
                let was = before.of(ranks, bytes, &default)?;
                let promised = before.of(ranks, bytes, &chosen)?;
                let without = control.of(ranks, bytes, &default)?;
                let with = after.of(ranks, bytes, &default)?;
                let is_kept = chosen == default;
                let expected = if is_kept { own } else { vec![called(&chosen); ranks as usize] };
                let obeys = ran == expected;
                if obeys {
                    *if is_kept { &mut kept } else { &mut sent } += 1;
                } else {
                    faults.push(format!("{ranks} ranks and {bytes} bytes: {ran:?} ran, not {expected:?}"));
                }
                let mut row = vec![ranks.to_string(), bytes.to_string(), label(&chosen.0, &chosen.1)];
                row.extend([was, promised, without, with].map(|time| format!("{time:.0}")));
                row.push(format!("{:.2}", without / with));
                row.push(if obeys { "yes" } else { "no" }.to_owned());
                table.add_row(row);
            }
        }
        if sent == 0 {
            faults.push("the default was kept in all cells".to_owned());
        }
        Ok(Self { table: table.to_string(), faults, sent, kept })
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

/// Returns the cells of these columns, from what `qtdec-mpi predict --against` prints as JSON.
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

/// In the median over the cells, our schedule must take as long as the library's same algorithm within this range. Short messages wait
/// for processors on a busy machine, so that the [interval](median_interval) of the median must reach the range.
const SAME: RangeInclusive<f64> = 0.95..=1.05;

/// Measures our schedules against the library's same algorithms. Returns a table of Markdown, and what does not hold.
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
        ratios.sort_by(f64::total_cmp);
        let (Some(least), Some(greatest)) = (ratios.first().copied(), ratios.last().copied()) else {
            return Err(format!("{collective}: no times of {name}"));
        };
        let median = median(&*ratios).unwrap_or(f64::NAN);
        let (low, high) = median_interval(&ratios);
        let label = [collective, " ", &label(name, segment)].concat();
        if high < *SAME.start() || low > *SAME.end() {
            faults.push(format!(
                "{label}: our schedule takes {median:.3} times as long as the library's algorithm ({low:.3} to {high:.3})"
            ));
        }
        let mut row = vec![label, ratios.len().to_string()];
        row.extend([median, least, greatest].map(|ratio| format!("{ratio:.3}")));
        table.add_row(row);
    }
    Ok((table.to_string(), faults))
}

/// Returns the 95 % interval of a median by the sign test, from values in increasing order: so many are left out at each end as heads
/// in as many throws of a coin are rarer than 2.5 %. Fewer than six values have no such interval, and get an infinite one.
fn median_interval(values: &[f64]) -> (f64, f64) {
    let throws = values.len();
    let mut ways = 1.0;
    let mut below = 0.0;
    let mut rank = 0;
    while below + ways <= 0.025 * 2_f64.powi(i32::try_from(throws).unwrap_or(i32::MAX)) {
        below += ways;
        ways *= (throws - rank) as f64 / (rank + 1) as f64;
        rank += 1;
    }
    match rank.checked_sub(1) {
        Some(least) => (values[least], values[throws - 1 - least]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

#[cfg(test)]
mod tests {
    use super::median_interval;

    #[test]
    fn the_interval_of_a_median_is_that_of_the_sign_test() {
        let values: Vec<f64> = (1..=12).map(f64::from).collect();
        assert_eq!(median_interval(&values), (3.0, 10.0));
        assert_eq!(median_interval(&values[..6]), (1.0, 6.0));
        assert_eq!(median_interval(&values[..5]), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
