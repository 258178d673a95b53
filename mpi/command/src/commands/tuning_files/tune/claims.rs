//! What is claimed of tuned collectives: lines about the gain of each on held-out launches, and three sentences about all.

use super::collectives::One;
use qtdec_mpi::pipeline::Tuned;
use qtdec_study::measurements::Unit;
use qtdec_study::study::claim::{Claim, HeldOutGain};
use qtdec_study::study::gain::Gain;
use qtdec_study::study::launch_gain::TimeWeighted;
use qtdec_terminal::counted;
use qtdec_terminal::gain::place_of;

/// The maximum number of cells that are named as those that carry a gain.
const NAMED: usize = 3;

impl One {
    /// Returns the speed-up in the time of the profile's calls, if the geometric one is known and there is a profile.
    pub(super) fn in_time(&self) -> Option<TimeWeighted> {
        self.claim.gain().and_then(|_| self.tuned.gains.time_weighted())
    }

    /// Returns the lines about the claim: the gain with the cells that carry it, and the speed-up in the time of the calls of a profile.
    pub(super) fn headlines(&self) -> Vec<String> {
        let tuned = &self.tuned;
        let domain = tuned.map.domain();
        let mut lines = match domain.baseline() {
            Some(default) => over(&domain.method(default).label(), tuned, &self.claim),
            None => vec!["gain unknown: no method is the library's default".to_owned()],
        };
        lines.extend(self.in_time().map(|gain| {
            let is_called = |cell: &usize| tuned.calls.as_ref().is_some_and(|calls| calls.get(*cell) > 0.0);
            let cells = tuned.map.cells().len();
            let called = (0..cells).filter(is_called).count();
            let cells = counted(cells as u64, "cell", "cells");
            format!(
                "time-weighted speed-up, for the calls of the profile: {gain}; {called} of {cells} are called"
            )
        }));
        lines
    }

    /// Returns the lines that mark generated files with the gain, and with the sizes that it is true of.
    pub(super) fn marks(&self) -> Vec<String> {
        let Self { tuned, claim, .. } = self;
        let gain = match claim {
            Claim::Gain(gain) => format!("gain over the default on held-out {} {gain}", gain.units.words()),
            Claim::OfOneJob(gain) => format!("gain over the default for this job, provisional: {gain}"),
            Claim::SlowCalls { gain, by_mean, .. } => {
                format!("no gain over the default is claimed: {}", by_both(tuned, gain, *by_mean))
            }
            Claim::Unknown | Claim::Copies { .. } | Claim::Equal { .. } => "gain unknown".to_owned(),
        };
        let in_time =
            self.in_time().map(|gain| format!("time-weighted speed-up, for the calls of a profile: {gain}"));
        let sizes = tuned.map.domain().axes().iter().filter_map(|axis| {
            let values = axis.values()?;
            Some(format!("{} {} to {}", axis.name, values.first()?, values.last()?))
        });
        let sizes = format!("measured at {}", sizes.collect::<Vec<_>>().join(", "));
        let lines = [Some(gain), in_time, Some(sizes)].into_iter().flatten();
        lines.map(|line| format!("{}: {line}", tuned.collective)).collect()
    }

    /// Returns the name of the collective with its gain, also in the time of a profile's calls.
    fn with_its_gain(&self) -> Option<String> {
        let (Claim::Gain(gain) | Claim::OfOneJob(gain)) = &self.claim else { return None };
        let in_time = self.in_time().map(|gain| format!(", and {gain} in the time of the profile's calls"));
        Some(format!("{} {gain}{}", self.tuned.collective, in_time.unwrap_or_default()))
    }
}

/// Returns the lines about the gain over a default: the gain, and the cells that carry it.
fn over(default: &str, tuned: &Tuned, claim: &Claim) -> Vec<String> {
    let (units, held_out) = (tuned.gains.units, tuned.gains.units.words());
    let line = match claim {
        Claim::Unknown => format!(
            "gain over `{default}` unknown: one {} does not show how the next one differs; measure at least three",
            units.word()
        ),
        Claim::Copies { gain, launches } => format!(
            "gain over `{default}` unknown: it is exactly {} in all {}, so they are copies, or times without noise",
            Gain(*gain),
            units.counted(*launches)
        ),
        Claim::Equal { launches, cells } => format!(
            "no gain over `{default}` on held-out {held_out}: the decisions keep it ({}, {})",
            counted(*cells as u64, "cell", "cells"),
            units.counted(*launches)
        ),
        Claim::SlowCalls { gain, by_mean, slower } => {
            let by_both = by_both(tuned, gain, *by_mean);
            let slow = match slower {
                0 => String::new(),
                _ => format!(
                    " and slower than the default in {slower} of {} cells: {}",
                    tuned.gains.points.len(),
                    named(tuned, &tuned.gains.means.slower(&tuned.gains.points))
                ),
            };
            format!(
                "no gain over `{default}` is claimed: {by_both}{slow}; choose by times in which slow calls count, with --statistic geomean or mean"
            )
        }
        Claim::Gain(gain) if gain.is_shown() => {
            format!("gain over `{default}` on held-out {held_out} {gain}")
        }
        Claim::OfOneJob(gain) => format!(
            "gain over `{default}` for this job, provisional: {gain}; one job does not show how the next one differs, so measure several"
        ),
        Claim::Gain(gain) => {
            let among = if gain.is_shown_alone() {
                format!(" when all {} collectives are counted", gain.collectives)
            } else {
                String::new()
            };
            let visible = 100.0 * gain.visible;
            format!(
                "no gain over `{default}` is shown on held-out {held_out}{among}: {gain}; one of {visible:.2} % or more would be"
            )
        }
    };
    let carriers = (claim.is_recommended() || matches!(claim, Claim::OfOneJob(_))).then(|| {
        let carriers = tuned.gains.carriers();
        let cells = named(tuned, &carriers);
        format!("half of it is in {} of {} cells: {cells}", carriers.len(), tuned.gains.points.len())
    });
    [line].into_iter().chain(carriers).collect()
}

/// Returns a gain by the times that decide, and by mean times.
fn by_both(tuned: &Tuned, gain: &HeldOutGain, by_mean: f64) -> String {
    let statistic = tuned.map.costs().and_then(|costs| costs.statistic.as_deref()).unwrap_or("times");
    let by_mean = Gain(by_mean);
    format!("by the {statistic} it is {gain}, and by the mean, in which slow calls count, {by_mean}")
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

/// The collectives by what may be claimed of them.
pub(super) struct Verdict<'o> {
    all: &'o [One],
    recommended: Vec<&'o One>,
    /// Those with a gain in one job.
    provisional: Vec<&'o One>,
    /// Those with rules whose gain is unknown.
    unknown: Vec<&'o One>,
    /// Those without rules.
    left: Vec<&'o One>,
    /// Those whose slow calls take more time than is saved.
    slow: Vec<&'o One>,
}

impl<'o> Verdict<'o> {
    pub(super) fn new(all: &'o [One]) -> Self {
        let of = |is_in: fn(&Claim) -> bool| all.iter().filter(|one| is_in(&one.claim)).collect();
        Self {
            all,
            recommended: of(Claim::is_recommended),
            provisional: of(|claim| matches!(claim, Claim::OfOneJob(_))),
            unknown: of(|claim| matches!(claim, Claim::Unknown | Claim::Copies { .. })),
            left: of(|claim| !claim.is_written()),
            slow: of(|claim| matches!(claim, Claim::SlowCalls { .. })),
        }
    }

    /// Returns three sentences: what to deploy, what to expect of it, and what could go wrong.
    pub(super) fn sentences(&self, switches: &str) -> [String; 3] {
        [self.deploy(switches), self.expect(), self.risk()].map(|sentence| sentence + ".")
    }

    fn deploy(&self, switches: &str) -> String {
        let Self { all, recommended, provisional, unknown, left, slow } = self;
        let written = all.iter().filter(|one| one.claim.is_written());
        let tried = format!(
            "Try {} with {switches}: this is not a recommendation, because",
            names(&written.collect::<Vec<_>>())
        );
        let deployed = format!("Deploy {} with {switches}", names(recommended));
        let also = format!("{deployed}, which also has rules for");
        let (one_job, nothing) = (names(provisional), names(unknown));
        let first = match (&recommended[..], &provisional[..], &unknown[..]) {
            ([], [], []) => format!(
                "Deploy nothing: no collective gained over the library's default on held-out {}",
                all.first().map_or("launches", |one| one.tuned.gains.units.words())
            ),
            ([], [], _) => format!("{tried} the gain is unknown"),
            ([], _, []) => format!("{tried} all launches were of one job"),
            ([], ..) => format!("{tried} all launches were of one job, and nothing is known of {nothing}"),
            (_, [], []) => deployed,
            (_, [], _) => format!("{also} {nothing} without a known gain"),
            (_, _, []) => format!("{also} {one_job} that gained in one job only"),
            _ => format!(
                "{also} {nothing} without a known gain, and for {one_job} that gained in one job only"
            ),
        };
        let left = match left.len() {
            0 => String::new(),
            number if number == all.len() => String::new(),
            1 => format!("; {} is left to the library, without rules", names(left)),
            _ => format!("; {} are left to the library, without rules", names(left)),
        };
        let slow = match &slow[..] {
            [] => String::new(),
            slow => format!("; slow calls of {} take more time than the others save", names(slow)),
        };
        format!("{first}{left}{slow}")
    }

    fn expect(&self) -> String {
        let gains =
            |of: &[&One]| of.iter().filter_map(|one| one.with_its_gain()).collect::<Vec<_>>().join("; ");
        let (gained, one_job) = (gains(&self.recommended), gains(&self.provisional));
        let in_this_job = format!(
            "In this job, the gain over the default was, provisionally: {one_job}; another job may have none"
        );
        let expected = format!(
            "Expect this gain over the default, as the mean over campaigns and the geometric mean of the measured sizes, provisionally until the files \
             themselves are measured: {gained}"
        );
        match (&self.recommended[..], &self.provisional[..], &self.unknown[..]) {
            ([], [], []) => "On the next run, expect the times of the library's default".to_owned(),
            ([], [], _) => "On the next run, the gain may be positive or negative: it is unknown".to_owned(),
            ([], ..) => in_this_job,
            (_, [], _) => expected,
            _ => format!("{expected}. {in_this_job}"),
        }
    }

    fn risk(&self) -> String {
        if self.recommended.is_empty() && self.provisional.is_empty() && self.unknown.is_empty() {
            return "This could be wrong if the program uses other sizes or nodes than were measured"
                .to_owned();
        }
        let recommended = self.recommended.iter().copied();
        let unsure: Vec<&One> =
            recommended.filter(|one| one.in_time().is_some_and(|gain| gain.low <= 0.0)).collect();
        let unsure = match &unsure[..] {
            [] => String::new(),
            unsure => {
                format!("no speed-up in the time of the profile's calls is shown for {}, ", names(unsure))
            }
        };
        let slower = self.recommended.iter().map(|One { tuned, .. }| {
            let slower = tuned.gains.by_point().iter().filter(|(_, log)| *log < 0.0).count();
            format!("{slower} of {} cells of {}", tuned.gains.points.len(), tuned.collective)
        });
        let slower = match &slower.collect::<Vec<_>>()[..] {
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
    }
}

fn names(of: &[&One]) -> String {
    of.iter().map(|one| &*one.tuned.collective).collect::<Vec<_>>().join(", ")
}

/// Returns the question which launches shared a job, if the claims depend on the answer and the times do not record it.
pub(super) fn question(all: &[One]) -> Option<&'static str> {
    let is_open = |one: &One| one.tuned.gains.units == Unit::Unrecorded && one.tuned.gains.logs.len() > 1;
    all.iter().any(is_open).then_some(
        "the times do not record which launches shared a job: say --jobs launch (each was a job of its own) or --jobs one",
    )
}
