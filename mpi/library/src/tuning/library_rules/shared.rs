//! Rules for libraries that multiply message sizes by the ranks: separate for each communicator size, or shared.

use qtdec_core::{DecisionTree, Place, Problem};

use super::Setting;
use super::scale::Scale;
use crate::tuning::Bands;
use crate::tuning::bands::{ranges, sorted};

/// The maximum number of rules; a file with so many has some 40 MB.
const MAX_RULES: u64 = 1 << 20;

/// Checks that there are at most a million separate rules for communicator sizes, unless ranges of sizes share them.
pub(super) fn check_rows(
    bands: &Bands<Setting>,
    collective: &str,
    largest: u64,
    approximate: bool,
) -> Result<(), Problem> {
    let rules = ranges(bands.communicators()).map(|(from, upto, messages)| {
        let last = upto.map_or(largest, |upto| upto.min(largest));
        (last + 1).saturating_sub(from.max(1)).saturating_mul(messages.len() as u64)
    });
    let rules = rules.fold(0, u64::saturating_add);
    if approximate || rules <= MAX_RULES {
        return Ok(());
    }
    let message = format!(
        "{collective}: message sizes are multiplied by the ranks, so each of 1 to {largest} ranks needs its \
             own rules, {rules} in total; the maximum is {MAX_RULES}"
    );
    Err(Problem::new(Place::File, message)
        .help("cover fewer communicator sizes (--max-comm-size), or let them share rules (--approximate)"))
}

/// Returns bands in the library's own message sizes. Those of one communicator size are exact; a range of sizes shares rules
/// only if the user asked for it.
pub(super) fn scaled(
    tree: &DecisionTree,
    bands: &Bands<Setting>,
    scale: Scale,
    (largest, approximate): (u64, bool),
    notes: &mut Vec<String>,
) -> Bands<Setting> {
    let axis = tree.domain().find_axis("comm_size");
    let values = axis.and_then(|axis| tree.domain().axes()[axis].values()).unwrap_or(&[]);
    if approximate {
        // Measured sizes are exact; those between take the rules of the next smaller one.
        let mut samples: Vec<(u64, u64)> = vec![(0, values.first().copied().unwrap_or(1))];
        if let Some(axis) = axis {
            samples.extend((1..values.len()).map(|at| (tree.threshold(axis, at), values[at])));
        }
        let own = bands.communicators().iter().map(|(from, _)| *from);
        let starts = sorted(own.chain(samples.iter().map(|(from, _)| *from)));
        let stands_for = |from: u64| {
            let (_, sample) = samples[samples.partition_point(|(start, _)| *start <= from) - 1];
            sample.max(from).max(1)
        };
        let communicators =
            starts.into_iter().map(|from| (from, scale.messages(bands.messages(from), stands_for(from))));
        let approximate = Bands::new(communicators.collect()).expect("bands stay bands");
        disagreements(bands, &approximate, scale, largest, notes);
        return approximate;
    }
    let exact = (1..=largest).map(|ranks| (ranks, scale.messages(bands.messages(ranks), ranks)));
    let first = (0, scale.messages(bands.messages(0), 1));
    let exact = Bands::new([first].into_iter().chain(exact).collect()).expect("bands stay bands");
    notes.push(format!(
        "message sizes are multiplied by the ranks, so each of 1 to {largest} ranks has its own rules; the \
             library chooses for more ranks (--max-comm-size; --approximate makes fewer rules)"
    ));
    exact.with_tail(largest.saturating_add(1), Setting::default())
}

/// The maximum number of disagreements listed.
const LISTED: usize = 8;

/// Lists where shared rules differ from the tree.
fn disagreements(
    exact: &Bands<Setting>,
    approximate: &Bands<Setting>,
    scale: Scale,
    largest: u64,
    notes: &mut Vec<String>,
) {
    let name =
        |setting: &Setting| setting.algorithm.map_or("the library's choice", |algorithm| algorithm.name);
    let mut listed: Vec<String> = Vec::new();
    let (mut ranges, mut sizes) = (0, 0);
    for ranks in 1..=largest {
        let back = |from: u64| {
            if scale == Scale::PerRank { from.saturating_mul(ranks) } else { from.div_ceil(ranks) }
        };
        let own = exact.messages(ranks).iter().map(|(from, _)| *from);
        let starts = sorted(own.chain(approximate.messages(ranks).iter().map(|(from, _)| back(*from))));
        let before = ranges;
        for (index, &from) in starts.iter().enumerate() {
            let Some(requested) = (match scale {
                Scale::PerRank => Some(from / ranks),
                _ => scale.apply(from, ranks),
            }) else {
                continue;
            };
            let (wanted, got) = (exact.get(ranks, from), approximate.get(ranks, requested));
            if wanted != got {
                ranges += 1;
                if listed.len() < LISTED {
                    let upto =
                        starts.get(index + 1).map_or("on".to_owned(), |next| format!("to {}", next - 1));
                    listed.push(format!(
                        "at comm_size {ranks}, {from} {upto} bytes: {} for {}",
                        name(got),
                        name(wanted)
                    ));
                }
            }
        }
        sizes += u64::from(ranges > before);
    }
    if ranges == 0 {
        notes.push(format!("the shared rules are exact up to {largest} ranks"));
        return;
    }
    let more = if ranges > listed.len() {
        format!("; and {} more ranges", ranges - listed.len())
    } else {
        String::new()
    };
    notes.push(format!(
        "approximate: decisions differ from the tree's for {sizes} of {largest} communicator sizes: {}{more}",
        listed.join("; ")
    ));
}
