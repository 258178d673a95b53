//! What is claimed of tuned collectives: the gain of each on held-out launches, and three sentences about all.

use super::collectives::One;
use qtdec_mpi::tune::Tuned;
use qtdec_study::study::claim::{Claim, HeldOutGain};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::launch_gain::TimeWeighted;
use qtdec_terminal::gain::place_of;
use qtdec_terminal::output::counted;

/// The maximum number of cells that are named as those that carry a gain.
const NAMED: usize = 3;

/// Returns a gain in per cent with its interval, cells and launches.
pub(super) fn shown(gain: &HeldOutGain) -> String {
    format!(
        "{} (95 %: {:+.2} to {:+.2} %; {}, {} launches)",
        Gain(gain.gain),
        100.0 * gain.low,
        100.0 * gain.high,
        counted(gain.cells as u64, "cell", "cells"),
        gain.launches
    )
}

/// Returns a speed-up in the time of calls, in per cent, with its interval and launches.
fn shown_in_time(gain: &TimeWeighted) -> String {
    format!(
        "{:+.2} % (95 %: {:+.2} to {:+.2} %; {} launches)",
        100.0 * gain.speed_up,
        100.0 * gain.low,
        100.0 * gain.high,
        gain.launches
    )
}

/// Returns the speed-up in the time of the profile's calls, if the geometric one is known and there is a profile.
fn time_weighted(tuned: &Tuned, claim: &Claim) -> Option<TimeWeighted> {
    claim.gain().and_then(|_| tuned.gains.time_weighted())
}

/// Returns the claim of a collective: its gain with the cells that carry it, and the speed-up in the time of the calls of a profile.
pub(super) fn headline(One { tuned, claim, .. }: &One) -> String {
    let Some(gain) = time_weighted(tuned, claim) else { return geometric(tuned, claim) };
    let is_called = |cell: &usize| tuned.calls.as_ref().is_some_and(|calls| calls.get(*cell) > 0.0);
    let cells = tuned.map.cells().len();
    format!(
        "{}time-weighted speed-up, for the calls of the profile: {}; {} of {} are called\n",
        geometric(tuned, claim),
        shown_in_time(&gain),
        (0..cells).filter(is_called).count(),
        counted(cells as u64, "cell", "cells")
    )
}

/// Returns the geometric gain of a collective, and the cells that carry it.
fn geometric(tuned: &Tuned, claim: &Claim) -> String {
    let domain = tuned.map.domain();
    let Some(default) = domain.baseline().map(|default| domain.method(default).label()) else {
        return "gain unknown: no method is the library's default\n".to_owned();
    };
    match claim {
        Claim::Unknown => format!(
            "gain over `{default}` unknown: one launch does not show how the next one differs; measure at least three\n"
        ),
        Claim::Copies { gain, launches } => format!(
            "gain over `{default}` unknown: it is exactly {} in all {launches} launches, so they are copies, or \
             times without noise\n",
            Gain(*gain)
        ),
        Claim::Equal { launches, cells } => format!(
            "no gain over `{default}` on held-out launches: the decisions keep it ({}, {launches} launches)\n",
            counted(*cells as u64, "cell", "cells")
        ),
        Claim::SlowCalls { gain, by_mean, slower } => format!(
            "no gain over `{default}` is claimed: {}{}; choose by times in which slow calls count, with --statistic geomean or mean\n",
            by_both(tuned, gain, *by_mean),
            slow_cells(tuned, *slower)
        ),
        Claim::Gain(gain) if gain.low > 0.0 => {
            format!("gain over `{default}` on held-out launches {}\n{}", shown(gain), carriers(tuned))
        }
        Claim::Gain(gain) => format!(
            "no gain over `{default}` is shown on held-out launches: {}; one of {:.2} % or more would be\n",
            shown(gain),
            100.0 * gain.visible
        ),
    }
}

/// Returns a gain by the times that decide, and by mean times.
fn by_both(tuned: &Tuned, gain: &HeldOutGain, by_mean: f64) -> String {
    let statistic = tuned.map.costs().and_then(|costs| costs.statistic.as_deref()).unwrap_or("times");
    format!(
        "by the {statistic} it is {}, and by the mean, in which slow calls count, {}",
        shown(gain),
        Gain(by_mean)
    )
}

/// Names the cells in which the mean time is longer than the default's.
fn slow_cells(tuned: &Tuned, slower: usize) -> String {
    if slower == 0 {
        return String::new();
    }
    let cells = named(tuned, &tuned.gains.means.slower(&tuned.gains.points));
    format!(" and slower than the default in {slower} of {} cells: {cells}", tuned.gains.cells())
}

/// Names the cells that carry half of the gain.
fn carriers(tuned: &Tuned) -> String {
    let carriers = tuned.gains.carriers();
    let cells = named(tuned, &carriers);
    format!("half of it is in {} of {} cells: {cells}\n", carriers.len(), tuned.gains.cells())
}

/// Names the first few cells, each with the ratio of the default's time minus 1.
fn named(tuned: &Tuned, cells: &[(&[u64], f64)]) -> String {
    let axes: Vec<String> = tuned.map.domain().axes().iter().map(|axis| axis.name.clone()).collect();
    let mut named: Vec<String> = cells
        .iter()
        .take(NAMED)
        .map(|(sizes, log)| format!("{} ({:+.0} %)", place_of(&axes, sizes), 100.0 * log.exp_m1()))
        .collect();
    if cells.len() > NAMED {
        named.push(format!("{} more", cells.len() - NAMED));
    }
    named.join(", ")
}

/// Returns the lines that mark generated files with the gain, and with the sizes that it is true of.
pub(super) fn marks(One { tuned, claim, .. }: &One) -> Vec<String> {
    let name = &tuned.collective;
    let gain = match claim {
        Claim::Gain(gain) => format!("{name}: gain over the default on held-out launches {}", shown(gain)),
        Claim::SlowCalls { gain, by_mean, .. } => {
            format!("{name}: no gain over the default is claimed: {}", by_both(tuned, gain, *by_mean))
        }
        Claim::Unknown | Claim::Copies { .. } | Claim::Equal { .. } => format!("{name}: gain unknown"),
    };
    let sizes = tuned.map.domain().axes().iter().filter_map(|axis| {
        let values = axis.values()?;
        Some(format!("{} {} to {}", axis.name, values.first()?, values.last()?))
    });
    let in_time = time_weighted(tuned, claim).map(|gain| {
        format!("{name}: time-weighted speed-up, for the calls of a profile: {}", shown_in_time(&gain))
    });
    let sizes = format!("{name}: measured at {}", sizes.collect::<Vec<_>>().join(", "));
    [Some(gain), in_time, Some(sizes)].into_iter().flatten().collect()
}

/// Returns three sentences: what to deploy, what to expect of it, and what could go wrong.
pub(super) fn last_words(all: &[One], switches: &str) -> [String; 3] {
    let names = |is_in: &dyn Fn(&Claim) -> bool| -> Vec<&str> {
        all.iter().filter(|one| is_in(&one.claim)).map(|one| &*one.tuned.collective).collect()
    };
    let recommended = names(&Claim::is_recommended);
    let unknown = names(&|claim| claim.is_written() && !claim.is_recommended());
    let left = names(&|claim| !claim.is_written());
    let mut deploy = match (&recommended[..], &unknown[..]) {
        ([], []) => {
            "Deploy nothing: no collective gained over the library's default on held-out launches".to_owned()
        }
        ([], unknown) => format!(
            "Try {} with {switches}: this is not a recommendation, because the gain is unknown",
            unknown.join(", ")
        ),
        (recommended, []) => format!("Deploy {} with {switches}", recommended.join(", ")),
        (recommended, unknown) => format!(
            "Deploy {} with {switches}, which also has rules for {} without a known gain",
            recommended.join(", "),
            unknown.join(", ")
        ),
    };
    if !left.is_empty() && left.len() < all.len() {
        deploy = format!("{deploy}; {} left to the library, without rules", are(&left));
    }
    let slow = names(&|claim| matches!(claim, Claim::SlowCalls { .. }));
    if !slow.is_empty() {
        deploy = format!("{deploy}; slow calls of {} take more time than the others save", slow.join(", "));
    }
    let gains: Vec<String> = all
        .iter()
        .filter(|one| one.claim.is_recommended())
        .filter_map(|One { tuned, claim, .. }| {
            let in_time = time_weighted(tuned, claim)
                .map(|gain| format!(", and {} in the time of the profile's calls", shown_in_time(&gain)));
            Some(format!("{} {}{}", tuned.collective, shown(claim.gain()?), in_time.unwrap_or_default()))
        })
        .collect();
    let expect = match (&gains[..], &unknown[..]) {
        ([], []) => "On the next run, expect the times of the library's default".to_owned(),
        ([], _) => "On the next run, the gain may be positive or negative: it is unknown".to_owned(),
        (gains, _) => format!(
            "On the next run, expect this gain over the default, in the geometric mean of the measured sizes, provisionally until the files \
             themselves are measured: {}",
            gains.join("; ")
        ),
    };
    let slower: Vec<String> = all
        .iter()
        .filter(|one| one.claim.is_recommended())
        .map(|One { tuned, .. }| {
            let slower = tuned.gains.by_point().iter().filter(|(_, log)| *log < 0.0).count();
            format!("{slower} of {} cells of {}", tuned.gains.cells(), tuned.collective)
        })
        .collect();
    let unsure: Vec<&str> = all
        .iter()
        .filter(|one| one.claim.is_recommended())
        .filter(|One { tuned, claim, .. }| time_weighted(tuned, claim).is_some_and(|gain| gain.low <= 0.0))
        .map(|one| &*one.tuned.collective)
        .collect();
    let unsure = match &unsure[..] {
        [] => String::new(),
        unsure => {
            format!("no speed-up in the time of the profile's calls is shown for {}, ", unsure.join(", "))
        }
    };
    let wrong = if recommended.is_empty() && unknown.is_empty() {
        "This could be wrong if the program uses other sizes or nodes than were measured".to_owned()
    } else {
        let slower = match &slower[..] {
            [] => String::new(),
            slower => format!(
                "the held-out decisions were slower than the default in the mean of {}, and ",
                slower.join(", ")
            ),
        };
        format!(
            "This could go wrong: {unsure}{slower}other sizes, nodes, releases and calls that the switches also reach were not \
             measured; qtdec verify shows whether it did"
        )
    };
    [deploy, expect, wrong].map(|sentence| sentence + ".")
}

/// Returns names with their verb: `bcast is`, `bcast, gather are`.
fn are(names: &[&str]) -> String {
    format!("{} {}", names.join(", "), if names.len() == 1 { "is" } else { "are" })
}
