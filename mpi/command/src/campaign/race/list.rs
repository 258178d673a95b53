//! The list of benchmarks of a race's next round, the most valuable first.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use qtdec_core::{Place, Problem};

use super::{MOST, median, wanted as wanted_repeats};
use crate::campaign::plan::{Campaign, DEFAULT, Run};
use qtdec_study::measurements::Measurements;

/// Benchmarks that failed: collective, method, segment size and ranks.
pub type Failed = HashSet<(String, String, u64, u64)>;

/// A benchmark to run: one line of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// MPI's name of the collective.
    pub collective: String,
    /// The algorithm, or `default`.
    pub method: String,
    /// The segment size, 0 for none.
    pub segment: u64,
    /// The number of ranks.
    pub ranks: u64,
    /// The number of the run.
    pub run: u64,
    /// The message sizes, from the first to the last in doublings.
    pub sizes: (u64, u64),
    /// Variables of the environment: the library's switches, and those that force the algorithm.
    pub variables: Vec<String>,
    /// The potential gain at the number of ranks: the slowdown of the library's own choice relative to the best, summed over the cells that
    /// are measured, in points.
    pub worth: f64,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { collective, method, segment, ranks, run, sizes: (from, to), variables, .. } = self;
        write!(f, "{collective} {method} {segment} {ranks} {run} {from} {to}")?;
        variables.iter().try_for_each(|variable| write!(f, " {variable}"))
    }
}

struct Contender {
    method: String,
    segment: u64,
    variables: Vec<String>,
    smallest: u64,
    times: BTreeMap<u64, Vec<f64>>,
    runs: u64,
}

/// Returns the benchmarks of the next round, given the measurements of each collective; none if the race is over.
///
/// # Errors
///
/// Fails if the measurements do not belong to this plan.
pub fn lines(
    campaign: &Campaign,
    measured: &BTreeMap<String, Measurements>,
    failed: &Failed,
) -> Result<Vec<Line>, Problem> {
    let mut lines = Vec::new();
    for collective in &campaign.collectives {
        let measurements = measured.get(collective);
        if let Some(measurements) = measurements {
            of_plan(campaign, collective, measurements)?;
        }
        for &ranks in &campaign.comm_sizes {
            let contenders: Vec<Contender> = contenders(campaign, collective, ranks, measurements, failed);
            round(campaign, (collective, ranks), &contenders, &mut lines);
        }
    }
    lines.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    Ok(lines)
}

/// Checks whether measurements can belong to the plan.
fn of_plan(campaign: &Campaign, collective: &str, measurements: &Measurements) -> Result<(), Problem> {
    let own = campaign.own_choices().map(|(name, _)| name.to_owned());
    let known: Vec<String> = campaign.runs(collective).iter().map(Run::label).chain(own).collect();
    if let Some(method) = measurements.labels().find(|label| !known.contains(label)) {
        return Err(other(&format!("`{method}` of {collective}")));
    }
    let axis = |name: &str| measurements.axes().iter().position(|axis| axis.name == name);
    let (ranks, bytes) = (axis("comm_size"), axis("msg_size"));
    for (sizes, ..) in measurements.all_series() {
        if let Some(ranks) =
            ranks.map(|axis| sizes[axis]).filter(|ranks| !campaign.comm_sizes.contains(ranks))
        {
            return Err(other(&format!("{collective} among {ranks} ranks")));
        }
        if let Some(bytes) = bytes.map(|axis| sizes[axis]).filter(|bytes| *bytes > campaign.greatest) {
            return Err(other(&format!("{collective} of {bytes} bytes")));
        }
    }
    Ok(())
}

fn other(what: &str) -> Problem {
    let message = format!("the results contain {what}, which the plan does not measure");
    Problem::new(Place::File, message).help(
        "use the results folder of this plan's script, or the options of the plan that the folder belongs to",
    )
}

/// Returns the library's own choices and every method that can run with a number of ranks, with their measurements.
fn contenders(
    campaign: &Campaign,
    collective: &str,
    ranks: u64,
    measurements: Option<&Measurements>,
    failed: &Failed,
) -> Vec<Contender> {
    let contender = |label: &str, method: String, segment, variables, smallest| {
        let (times, runs) = measurements.map(|known| times(known, label, ranks)).unwrap_or_default();
        Contender { method, segment, variables, smallest, times, runs }
    };
    let own = campaign.own_choices().map(|(name, words)| {
        let switches = if name == DEFAULT { campaign.switches() } else { Vec::new() };
        let variables = switches.into_iter().chain(words.iter().map(ToString::to_string));
        let variables = variables.chain(campaign.own_variables(name, collective)).collect();
        contender(name, name.to_owned(), 0, variables, campaign.smallest_default(collective, ranks))
    });
    let forced = campaign.runs(collective).into_iter().filter_map(|run| {
        let smallest = campaign.smallest_forced(collective, run, ranks)?;
        let variables = campaign.switches().into_iter().chain(campaign.forcing(collective, run)).collect();
        Some(contender(&run.label(), run.name(), run.segment, variables, smallest))
    });
    let is_left = |Contender { method, segment, .. }: &Contender| {
        !failed.contains(&(collective.to_owned(), method.clone(), *segment, ranks))
    };
    own.chain(forced).filter(is_left).collect()
}

/// Returns the times of a method by message size, in the order of the runs, and the number of runs.
fn times(measurements: &Measurements, label: &str, ranks: u64) -> (BTreeMap<u64, Vec<f64>>, u64) {
    let axis = |name: &str| measurements.axes().iter().position(|axis| axis.name == name);
    let (of_ranks, of_bytes) = (axis("comm_size"), axis("msg_size"));
    let numbers: Vec<u64> = measurements.runs().map(number).collect();
    let methods: Vec<String> = measurements.labels().collect();
    let (mut times, mut runs): (BTreeMap<u64, Vec<f64>>, BTreeSet<u64>) = Default::default();
    for (sizes, method, series) in measurements.all_series() {
        if methods[method] != label || of_ranks.is_none_or(|axis| sizes[axis] != ranks) {
            continue;
        }
        let number = |run: u16| numbers.get(usize::from(run)).copied().unwrap_or(0);
        let mut repeats: Vec<(u64, f64)> =
            series.repeats().iter().map(|repeat| (number(repeat.run), repeat.time)).collect();
        repeats.sort_by_key(|(run, _)| *run);
        runs.extend(repeats.iter().map(|(run, _)| *run));
        let bytes = of_bytes.map_or(0, |axis| sizes[axis]);
        times.insert(bytes, repeats.into_iter().map(|(_, time)| time).collect());
    }
    (times, runs.last().copied().unwrap_or(0))
}

/// Returns the number of a run, whose name begins with that of its job.
fn number(run: &str) -> u64 {
    run.rsplit('/').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn round(
    campaign: &Campaign,
    (collective, ranks): (&str, u64),
    contenders: &[Contender],
    lines: &mut Vec<Line>,
) {
    // A barrier has no message.
    let sizes: Vec<u64> = if collective == "barrier" { vec![0] } else { campaign.message_sizes() };
    let excluded = campaign.excluded();
    let mut wanted: Vec<(Vec<u64>, f64)> = contenders.iter().map(|_| (Vec::new(), 0.0)).collect();
    for &size in &sizes {
        let running: Vec<usize> = (0..contenders.len())
            .filter(|&at| collective == "barrier" || size >= contenders[at].smallest)
            .collect();
        let times: Vec<&[f64]> = running
            .iter()
            .map(|&at| contenders[at].times.get(&size).map_or(&[][..], Vec::as_slice))
            .collect();
        let default = running.iter().position(|&at| contenders[at].method == DEFAULT);
        // The library's own choice under other settings takes no part: it is measured as often as the default.
        let is_beside: Vec<bool> =
            running.iter().map(|&at| excluded.contains(&&*contenders[at].method)).collect();
        let takes_part: Vec<bool> = is_beside.iter().map(|is_beside| !is_beside).collect();
        let mut requested = wanted_repeats(&times, default, &takes_part);
        for place in (0..running.len()).filter(|&place| is_beside[place]) {
            requested[place] = default.map_or(0, |default| requested[default]);
        }
        let medians: Vec<f64> = times.iter().map(|times| median(times)).collect();
        let racing = medians.iter().zip(&is_beside).filter(|(_, is_beside)| !**is_beside);
        let best = racing.map(|(median, _)| *median).fold(f64::INFINITY, f64::min);
        let gain = default.map_or(0.0, |default| 100.0 * (medians[default] / best).ln());
        for (place, &at) in running.iter().enumerate() {
            // Stop asking for a size that a benchmark skips.
            if times[place].len() < requested[place] && contenders[at].runs < MOST as u64 {
                wanted[at].0.push(size);
                wanted[at].1 += if gain.is_finite() { gain } else { 0.0 };
            }
        }
    }
    let worth = wanted.iter().map(|(_, worth)| *worth).fold(0.0, f64::max);
    let mut group = Vec::new();
    for (contender, (sizes, _)) in contenders.iter().zip(wanted) {
        let (Some(&first), Some(&last)) = (sizes.first(), sizes.last()) else { continue };
        group.push(Line {
            collective: collective.to_owned(),
            method: contender.method.clone(),
            segment: contender.segment,
            ranks,
            run: contender.runs + 1,
            sizes: (first.max(campaign.least), last.max(campaign.least)),
            variables: contender.variables.clone(),
            worth,
        });
    }
    // No method is always the first one: launch k begins with the k-th of those that are left, and after the last one with the first.
    let measured = group.iter().map(|line| line.run - 1).max().unwrap_or(0);
    if let Some(first) = (measured as usize).checked_rem(group.len()) {
        group.rotate_left(first);
    }
    lines.append(&mut group);
}
