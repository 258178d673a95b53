//! The results for each collective.

use qtdec_mpi::pipeline::{Ruled, TuneFault, Tuned, tune};
use qtdec_study::measurements::Measurements;
use qtdec_study::study::claim::Claim;
use qtdec_study::study::repeats::RepeatsOfCells;

use super::inputs::Inputs;
use qtdec_terminal::{Failure, Progress, gain, output, reports, single_samples};

/// A collective: its results, what may be claimed of them, its measurements, the notes on it and the warnings of its page.
pub(super) struct One {
    pub(super) tuned: Tuned,
    pub(super) claim: Claim,
    pub(super) measurements: Measurements,
    pub(super) notes: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl One {
    /// Tunes each collective. One that cannot be tuned keeps the library's choice, with a warning; the others are still tuned. Returns the
    /// names of those that cannot, too.
    pub(super) fn each(
        inputs: &Inputs<'_>,
        every: Vec<Measurements>,
        progress: &Progress,
    ) -> Result<(Vec<Self>, Vec<String>), Failure> {
        let (mut all, mut failed) = (Vec::new(), Vec::new());
        for measurements in every {
            progress.begin(measurements.collective.as_deref().unwrap_or("the recommended tree"));
            match tune(&measurements, &inputs.task(&measurements)) {
                Ok(tuned) => {
                    let notes = notes(&tuned, &measurements, &inputs.files())?;
                    all.push((tuned, measurements, notes));
                }
                Err(TuneFault::Profile(problems)) => {
                    let name = inputs.arguments.profile.as_deref().unwrap_or_default();
                    return Err(Failure::Input(reports(name, &problems)));
                }
                Err(TuneFault::Times(problems)) => {
                    failed.push((measurements.collective.clone().unwrap_or_default(), problems));
                }
            }
            progress.done();
        }
        if all.is_empty() {
            let problems = failed.iter().flat_map(|(_, problems)| reports(&inputs.files(), problems));
            return Err(Failure::Input(problems.collect()));
        }
        for (collective, problems) in &failed {
            progress.suspend(|| output::warn(&format!("{collective} is left to the library: {problems}")));
        }
        let claims = Claim::of_all(&all.iter().map(|(tuned, ..)| &tuned.gains).collect::<Vec<_>>());
        let with_claim =
            |((tuned, measurements, notes), claim): ((Tuned, Measurements, Vec<String>), Claim)| {
                let warnings = warnings(&tuned, &measurements, &notes);
                Self { tuned, claim, measurements, notes, warnings }
            };
        let failed = failed.into_iter().map(|(collective, _)| collective).collect();
        Ok((all.into_iter().zip(claims).map(with_claim).collect(), failed))
    }

    /// Returns the tree and the rules that are written: those that leave every choice to the library, unless the claim allows others.
    pub(super) fn written(&self) -> &Ruled {
        self.tuned.ruled_if(self.claim.is_written())
    }

    /// Returns whether the rules that are written force an algorithm.
    pub(super) fn is_ruled(&self) -> bool {
        self.claim.is_written() && self.tuned.ruled.rules.forced() > 0
    }
}

/// Returns the notes on the times of a collective.
fn notes(tuned: &Tuned, measurements: &Measurements, files: &str) -> Result<Vec<String>, Failure> {
    let single = single_samples::warning(&tuned.map, measurements, files)?;
    Ok(tuned.notes.iter().cloned().chain(single).collect())
}

/// Returns the warnings of the page of a collective.
fn warnings(tuned: &Tuned, measurements: &Measurements, notes: &[String]) -> Vec<String> {
    let slower = tuned.over_default().map(|gain| {
        let repeats = RepeatsOfCells::new(measurements, &tuned.map);
        gain::warnings_of_slower(&gain, &tuned.map, &repeats)
    });
    let known = notes.iter().chain(&tuned.ruled.rules.warnings).cloned();
    known.chain(slower.into_iter().flatten()).collect()
}
