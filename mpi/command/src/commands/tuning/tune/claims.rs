//! What is claimed of tuned collectives: the gain of each on held-out launches, and three sentences about all.

use super::collectives::One;
use qtdec_mpi::tune::Tuned;
use qtdec_study::measurements::Unit;
use qtdec_study::study::claim::{Claim, HeldOutGain};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::launch_gain::TimeWeighted;
use qtdec_terminal::counted;
use qtdec_terminal::gain::place_of;

/// The maximum number of cells that are named as those that carry a gain.
const NAMED: usize = 3;

/// Returns a gain in per cent with its interval, that among all collectives if there are several, its cells and launches.
pub(super) fn shown(gain: &HeldOutGain) -> String {
    let of_all = match gain.collectives {
        1 => String::new(),
        number => {
            let [low, high] = gain.of_all.map(|end| 100.0 * end);
            format!("; 95 % for all {number} collectives together: {low:+.2} to {high:+.2} %")
        }
    };
    format!(
        "{} (95 %: {:+.2} to {:+.2} %{of_all}; {}, {})",
        Gain(gain.gain),
        100.0 * gain.low,
        100.0 * gain.high,
        counted(gain.cells as u64, "cell", "cells"),
        gain.units.counted(gain.launches)
    )
}

/// Returns a speed-up in the time of calls, in per cent, with its interval and launches.
fn shown_in_time(gain: &TimeWeighted) -> String {
    format!(
        "{:+.2} % (95 %: {:+.2} to {:+.2} %; {})",
        100.0 * gain.speed_up,
        100.0 * gain.low,
        100.0 * gain.high,
        gain.units.counted(gain.launches)
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
    let (units, held_out) = (tuned.gains.units, tuned.gains.units.words());
    match claim {
        Claim::Unknown => format!(
            "gain over `{default}` unknown: one {} does not show how the next one differs; measure at least three\n",
            units.word()
        ),
        Claim::Copies { gain, launches } => format!(
            "gain over `{default}` unknown: it is exactly {} in all {}, so they are copies, or \
             times without noise\n",
            Gain(*gain),
            units.counted(*launches)
        ),
        Claim::Equal { launches, cells } => format!(
            "no gain over `{default}` on held-out {held_out}: the decisions keep it ({}, {})\n",
            counted(*cells as u64, "cell", "cells"),
            units.counted(*launches)
        ),
        Claim::SlowCalls { gain, by_mean, slower } => format!(
            "no gain over `{default}` is claimed: {}{}; choose by times in which slow calls count, with --statistic geomean or mean\n",
            by_both(tuned, gain, *by_mean),
            slow_cells(tuned, *slower)
        ),
        Claim::Gain(gain) if gain.is_shown() => {
            format!("gain over `{default}` on held-out {held_out} {}\n{}", shown(gain), carriers(tuned))
        }
        Claim::OfOneJob(gain) => format!(
            "gain over `{default}` for this job, provisional: {}; one job does not show how the next one differs, so measure several\n{}",
            shown(gain),
            carriers(tuned)
        ),
        Claim::Gain(gain) => format!(
            "no gain over `{default}` is shown on held-out {held_out}{}: {}; one of {:.2} % or more would be\n",
            if gain.is_shown_alone() {
                format!(" when all {} collectives are counted", gain.collectives)
            } else {
                String::new()
            },
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
    format!(" and slower than the default in {slower} of {} cells: {cells}", tuned.gains.points.len())
}

/// Names the cells that carry half of the gain.
fn carriers(tuned: &Tuned) -> String {
    let carriers = tuned.gains.carriers();
    let cells = named(tuned, &carriers);
    format!("half of it is in {} of {} cells: {cells}\n", carriers.len(), tuned.gains.points.len())
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
        Claim::Gain(gain) => {
            let units = gain.units.words();
            format!("{name}: gain over the default on held-out {units} {}", shown(gain))
        }
        Claim::OfOneJob(gain) => {
            format!("{name}: gain over the default for this job, provisional: {}", shown(gain))
        }
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
    let provisional = names(&|claim| matches!(claim, Claim::OfOneJob(_)));
    let unknown = names(&|claim| matches!(claim, Claim::Unknown | Claim::Copies { .. }));
    let left = names(&|claim| !claim.is_written());
    let mut deploy = match &recommended[..] {
        [] if provisional.is_empty() && unknown.is_empty() => format!(
            "Deploy nothing: no collective gained over the library's default on held-out {}",
            all.first().map_or("launches", |one| one.tuned.gains.units.words())
        ),
        [] => format!(
            "Try {} with {switches}: this is not a recommendation, because {}",
            names(&Claim::is_written).join(", "),
            not_recommended(&provisional, &unknown)
        ),
        recommended => format!(
            "Deploy {} with {switches}{}",
            recommended.join(", "),
            also_written(&provisional, &unknown)
        ),
    };
    if !left.is_empty() && left.len() < all.len() {
        let are = if left.len() == 1 { "is" } else { "are" };
        deploy = format!("{deploy}; {} {are} left to the library, without rules", left.join(", "));
    }
    let slow = names(&|claim| matches!(claim, Claim::SlowCalls { .. }));
    if !slow.is_empty() {
        deploy = format!("{deploy}; slow calls of {} take more time than the others save", slow.join(", "));
    }
    let of = |is_in: &dyn Fn(&Claim) -> bool| -> Vec<String> {
        all.iter().filter(|one| is_in(&one.claim)).filter_map(with_its_gain).collect()
    };
    let gains = of(&Claim::is_recommended);
    let in_this_job = of(&|claim| matches!(claim, Claim::OfOneJob(_))).join("; ");
    let in_this_job = if in_this_job.is_empty() {
        String::new()
    } else {
        format!(
            "In this job, the gain over the default was, provisionally: {in_this_job}; another job may have none"
        )
    };
    let expect = match (&gains[..], &unknown[..]) {
        ([], _) if !in_this_job.is_empty() => in_this_job,
        ([], []) => "On the next run, expect the times of the library's default".to_owned(),
        ([], _) => "On the next run, the gain may be positive or negative: it is unknown".to_owned(),
        (gains, _) => format!(
            "Expect this gain over the default, as the mean over campaigns and the geometric mean of the measured sizes, provisionally until the files \
             themselves are measured: {}{}{in_this_job}",
            gains.join("; "),
            if in_this_job.is_empty() { "" } else { ". " }
        ),
    };
    let slower: Vec<String> = all
        .iter()
        .filter(|one| one.claim.is_recommended())
        .map(|One { tuned, .. }| {
            let slower = tuned.gains.by_point().iter().filter(|(_, log)| *log < 0.0).count();
            format!("{slower} of {} cells of {}", tuned.gains.points.len(), tuned.collective)
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
    let wrong = if recommended.is_empty() && provisional.is_empty() && unknown.is_empty() {
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

/// Returns why none of the collectives with rules is recommended.
fn not_recommended(provisional: &[&str], unknown: &[&str]) -> String {
    match (provisional, unknown) {
        ([], _) => "the gain is unknown".to_owned(),
        (_, []) => "all launches were of one job".to_owned(),
        (_, unknown) => {
            format!("all launches were of one job, and nothing is known of {}", unknown.join(", "))
        }
    }
}

/// Names the collectives with rules beside those that are recommended.
fn also_written(provisional: &[&str], unknown: &[&str]) -> String {
    let both = [(unknown, "without a known gain"), (provisional, "that gained in one job only")];
    let both = both.iter().filter(|(names, _)| !names.is_empty());
    let both: Vec<String> = both.map(|(names, what)| format!("{} {what}", names.join(", "))).collect();
    if both.is_empty() {
        return String::new();
    }
    format!(", which also has rules for {}", both.join(", and for "))
}

/// Returns the name of a collective with its gain, also in the time of a profile's calls.
fn with_its_gain(One { tuned, claim, .. }: &One) -> Option<String> {
    let (Claim::Gain(gain) | Claim::OfOneJob(gain)) = claim else { return None };
    let in_time = time_weighted(tuned, claim)
        .map(|gain| format!(", and {} in the time of the profile's calls", shown_in_time(&gain)));
    Some(format!("{} {}{}", tuned.collective, shown(gain), in_time.unwrap_or_default()))
}

/// Returns the question which launches shared a job, if the claims depend on the answer and the times do not record it.
pub(super) fn question(all: &[One]) -> Option<&'static str> {
    let is_open = |one: &One| one.tuned.gains.units == Unit::Unrecorded && one.tuned.gains.logs.len() > 1;
    all.iter().any(is_open).then_some(
        "the times do not record which launches shared a job, and launches of one job do not show how the next job differs: say it with \
         --jobs launch (each was a job of its own) or --jobs one (all were of one job)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_among_all_collectives_is_named_so() {
        let gain = |collectives: usize| HeldOutGain {
            gain: 0.1,
            low: 0.02,
            high: 0.19,
            of_all: [-0.03, 0.25],
            collectives,
            visible: 0.14,
            launches: 5,
            units: Unit::Job,
            cells: 9,
        };
        assert_eq!(shown(&gain(1)), "+10.00 % (95 %: +2.00 to +19.00 %; 9 cells, 5 jobs)");
        assert_eq!(
            shown(&gain(3)),
            "+10.00 % (95 %: +2.00 to +19.00 %; 95 % for all 3 collectives together: -3.00 to +25.00 %; 9 cells, 5 jobs)"
        );
    }
}
