//! The answer of the command: a line for each collective, and the commands that deploy the files.

use qtdec_mpi_library::tuning::switches::quoted;
use qtdec_study::study::claim::{Claim, HeldOutGain};
use qtdec_terminal::folder::{NOTHING_TO_TEST, SMOKE_TEST};
use qtdec_terminal::{Answer, Notes, counted};

use super::collectives::One;
use super::deployment::Deployment;
use super::inputs::Inputs;
use super::notes::NOTES;
use crate::commands::tuning_files::tuning_file::SWITCHES;

/// Returns the answer. `verified` is the command that measures the files.
pub(super) fn answer(
    inputs: &Inputs<'_>,
    (all, failed): (&[One], &[String]),
    deployment: &Deployment,
    notes: &Notes,
    verified: Option<String>,
) -> Answer {
    let folder = &inputs.arguments.output;
    let left = format!("left to {}", inputs.format.library.name());
    let mut answer = Answer::default();
    for one in all {
        answer.row(row(one, &left));
    }
    for collective in failed {
        answer.row([collective, "not tuned", "", "", &left].map(str::to_owned));
    }
    let path = |name: &str| quoted(&format!("{folder}/{name}")).into_owned();
    let has_test = |(name, text): &(String, String)| name == SMOKE_TEST && text != NOTHING_TO_TEST;
    if deployment.files.iter().any(has_test) {
        let ranks = all.iter().filter(|one| one.is_ruled()).filter_map(most_ranks).max();
        let ranks = ranks.map(|ranks| format!(" -np {ranks}")).unwrap_or_default();
        answer.next(format!("sh {} mpirun{ranks} qtdec-bench", path(SMOKE_TEST)), "tries the files");
    }
    if deployment.is_deployed {
        answer.next(format!("source {}", path(SWITCHES)), "makes the library use them");
    }
    if all.iter().any(|one| one.tuned.is_interposed(&one.claim)) {
        answer.next("qtdec-mpi build --mpicc mpicc -o mpi", "builds what carries out our own schedules");
        let trees = format!("export QTDEC_TREES=$PWD/{} LD_PRELOAD=$PWD/mpi/libqtdec_mpi.so", quoted(folder));
        answer.next(trees, "makes programs use it");
    }
    if let Some(command) = verified {
        answer.next(command, "shows the gain on other jobs");
    }
    answer.notes(notes, &format!("{folder}/{NOTES}"));
    answer.page(format!("{folder}/report.html"));
    answer
}

/// Returns the line of a collective: its gain, what was measured, the regions, and what to do.
fn row(one: &One, left: &str) -> Vec<String> {
    let One { tuned, claim, .. } = one;
    let cells = counted(tuned.map.cells().len() as u64, "cell", "cells");
    let launches = tuned.gains.logs.len();
    let measured = match launches {
        0 => cells,
        _ => format!("{cells}, {}", tuned.gains.units.counted(launches)),
    };
    let is_used = one.is_ruled() || tuned.is_interposed(claim);
    let regions = counted(tuned.recommended().choice.tree.statistics().regions, "region", "regions");
    let (regions, what) = match claim.is_recommended() {
        _ if !is_used => (String::new(), left),
        true => (regions, "deploy"),
        false => (regions, "try"),
    };
    let calls = one.in_time().map(|gain| format!("{:+.1} % for the profile", 100.0 * gain.speed_up));
    let cells = [tuned.collective.clone(), gain(one), measured, regions, what.to_owned()];
    cells.into_iter().chain(calls).collect()
}

/// Returns the gain in a few words.
fn gain(one: &One) -> String {
    let percent = |ratio: f64| 100.0 * ratio;
    let with_interval = |gain: &HeldOutGain| {
        let [low, high] = [gain.low, gain.high].map(percent);
        format!("{:+.1} %  (95 %: {low:.1} to {high:.1})", percent(gain.gain))
    };
    match &one.claim {
        _ if one.tuned.map.domain().baseline().is_none() => "gain unknown: no default".to_owned(),
        Claim::Unknown => format!("gain unknown: one {}", one.tuned.gains.units.word()),
        Claim::Copies { .. } => "gain unknown: no noise".to_owned(),
        Claim::Equal { .. } => "no gain: the default is best".to_owned(),
        Claim::SlowCalls { .. } => "no gain: slow calls cost more".to_owned(),
        Claim::OfOneJob(gain) => with_interval(gain),
        Claim::Gain(gain) if gain.is_shown() => with_interval(gain),
        Claim::Gain(gain) => format!("no gain shown ({:.1} % would be)", percent(gain.visible)),
    }
}

/// Returns the most ranks that were measured.
fn most_ranks(one: &One) -> Option<u64> {
    let domain = one.tuned.map.domain();
    domain.axes()[domain.find_axis("comm_size")?].values()?.last().copied()
}
