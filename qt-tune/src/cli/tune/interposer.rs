//! What the interposer is needed for: our own schedules among the decisions.

use qtdec_measure::study::claim::Claim;

use super::claims::shown;
use crate::cli::output::counted;
use crate::tune::Tuned;

/// What the interposer is to carry out.
#[derive(Debug)]
pub(super) struct Interposed {
    /// A sentence about each collective with times of our own schedules.
    pub(super) lines: Vec<String>,
    /// The folder of the trees, if the interposer has something to do.
    trees: Option<String>,
}

/// A collective with its claim, and that of the rules in the tuning file.
type Claimed<'t> = ((&'t Tuned, &'t Claim), &'t Claim);

/// Describes the collectives with times of our own schedules. `folder` has the trees.
pub(super) fn described(all: &[Claimed<'_>], folder: &str) -> Interposed {
    let mut interposed = Interposed { lines: Vec::new(), trees: None };
    for ((tuned, claim), of_rules) in all.iter().filter(|((tuned, _), _)| tuned.has_own()) {
        let (schedules, cells) = tuned.own_schedules();
        let name = &tuned.collective;
        let alone = match of_rules {
            _ if tuned.rules.forced() == 0 => format!("the tuning file has no rules for {name}"),
            Claim::Gain(gain) => format!("the gain of the tuning file alone is {}", shown(gain)),
            Claim::Equal { .. } => "the tuning file alone keeps the default".to_owned(),
            Claim::Unknown | Claim::Copies { .. } => {
                "the gain of the tuning file alone is unknown".to_owned()
            }
        };
        interposed.lines.push(if schedules.is_empty() {
            format!("No schedule of qtdec is chosen for {name}: the library can carry out all of it.")
        } else if claim.is_written() {
            interposed.trees = Some(folder.to_owned());
            format!(
                "Only the interposer can run {} ({} of {name}); {alone}.",
                schedules.join(", "),
                counted(cells as u64, "cell", "cells")
            )
        } else {
            format!("{folder}/{name}.tree.json keeps the default everywhere, as no gain is shown; {alone}.")
        });
    }
    interposed
}

impl Interposed {
    /// Returns what deploys the decisions: the script of the library, if it is needed, and the trees of the interposer.
    pub(super) fn switches(&self, script: &str, is_needed: bool) -> String {
        let Some(folder) = &self.trees else { return script.to_owned() };
        let trees = format!("QTDEC_TREES={folder} and the preloaded libqtdec_mpi.so (see qtdec mpi-build)");
        if is_needed { format!("{script}, {trees}") } else { trees }
    }
}
