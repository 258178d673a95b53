//! The results for each collective.

use qtdec_mpi::pipeline::{Ruled, TuneFault, Tuned, tune};
use qtdec_study::measurements::Measurements;
use qtdec_study::study::claim::Claim;
use qtdec_study::study::repeats::RepeatsOfCells;

use super::inputs::Inputs;
use qtdec_terminal::{Failure, Progress, gain, output, reports, single_samples};

/// A collective: its results, what may be claimed of them, its measurements and its warnings.
pub(super) struct One {
    pub(super) tuned: Tuned,
    pub(super) claim: Claim,
    pub(super) measurements: Measurements,
    pub(super) warnings: Vec<String>,
}

impl One {
    /// Tunes each collective. One that cannot be tuned keeps the library's choice, with a warning; the others are still tuned.
    pub(super) fn each(
        inputs: &Inputs<'_>,
        every: Vec<Measurements>,
        progress: &Progress,
    ) -> Result<Vec<Self>, Failure> {
        let (mut all, mut failed) = (Vec::new(), Vec::new());
        for measurements in every {
            progress.begin(measurements.collective.as_deref().unwrap_or("the recommended tree"));
            match tune(&measurements, &inputs.task(&measurements)) {
                Ok(tuned) => {
                    let warnings = warnings(&tuned, &measurements, &inputs.files(), progress)?;
                    all.push((tuned, measurements, warnings));
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
            |((tuned, measurements, warnings), claim)| Self { tuned, claim, measurements, warnings };
        Ok(all.into_iter().zip(claims).map(with_claim).collect())
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

/// Prints the warnings about a collective, and returns them with those that only its page shows.
fn warnings(
    tuned: &Tuned,
    measurements: &Measurements,
    files: &str,
    progress: &Progress,
) -> Result<Vec<String>, Failure> {
    let single = single_samples::warning(&tuned.map, measurements, files)?;
    let mut warnings: Vec<String> =
        tuned.notes.iter().chain(&tuned.ruled.rules.warnings).cloned().chain(single).collect();
    for warning in &warnings {
        progress.suspend(|| output::warn(&format!("{}: {warning}", tuned.collective)));
    }
    if let Some(gain) = tuned.over_default() {
        let repeats = RepeatsOfCells::new(measurements, &tuned.map);
        warnings.extend(gain::warnings_of_slower(&gain, &tuned.map, &repeats));
    }
    Ok(warnings)
}
