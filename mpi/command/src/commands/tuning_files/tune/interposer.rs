//! What the interposer is needed for: our own schedules among the decisions.

use qtdec_study::study::claim::Claim;

use super::collectives::One;
use qtdec_mpi::pipeline::Tuned;
use qtdec_terminal::counted;

/// What the interposer is to carry out.
#[derive(Debug)]
pub(super) struct Interposed {
    /// A sentence about each collective with times of our own schedules.
    pub(super) lines: Vec<String>,
    /// The folder of the trees, if the interposer has something to do.
    trees: Option<String>,
}

/// Describes the collectives with times of our own schedules. `folder` has the trees.
pub(super) fn described(all: &[One], folder: &str) -> Interposed {
    let mut interposed = Interposed { lines: Vec::new(), trees: None };
    let of_files = Claim::of_all(&all.iter().map(|one| one.tuned.gains_of_the_file()).collect::<Vec<_>>());
    for (One { tuned, claim, .. }, of_the_file) in
        all.iter().zip(&of_files).filter(|(one, _)| one.tuned.has_own())
    {
        let (schedules, cells) = tuned.own_schedules();
        let name = &tuned.collective;
        interposed.lines.push(if schedules.is_empty() {
            format!("No schedule of qtdec is chosen for {name}: the library can carry out all of it.")
        } else if claim.is_written() {
            interposed.trees = Some(folder.to_owned());
            let schedules = schedules.join(", ");
            let cells = counted(cells as u64, "cell", "cells");
            format!("Only the interposer can run {schedules} ({cells} of {name}); {}.", file(tuned, of_the_file))
        } else {
            format!(
                "{folder}/{name}.tree.json keeps the default everywhere and the tuning file has no rules for {name}, as no gain is shown; \
                 without the schedules of qtdec (--exclude 'own_*') there may be one."
            )
        });
    }
    interposed
}

/// Describes what the tuning file alone is worth.
fn file(tuned: &Tuned, alone: &Claim) -> String {
    let name = &tuned.collective;
    let gain = match alone {
        _ if tuned.ruled.rules.forced() == 0 => return format!("the tuning file has no rules for {name}"),
        Claim::Gain(gain) => format!("is {gain}"),
        Claim::OfOneJob(gain) => format!("is {gain} in this job, provisionally"),
        Claim::Equal { .. } => "is none".to_owned(),
        Claim::SlowCalls { .. } => "is outweighed by slow calls".to_owned(),
        Claim::Unknown | Claim::Copies { .. } => "is unknown".to_owned(),
    };
    format!("the gain is that of both, and of the tuning file alone it {gain}")
}

impl Interposed {
    /// Returns what deploys the decisions: the script of the library, if it is needed, and the trees of the interposer.
    pub(super) fn switches(&self, script: &str, is_needed: bool) -> String {
        let Some(folder) = &self.trees else { return script.to_owned() };
        let trees = format!("QTDEC_TREES={folder} and the preloaded libqtdec_mpi.so (see qtdec-mpi build)");
        if is_needed { format!("{script}, {trees}") } else { trees }
    }
}
