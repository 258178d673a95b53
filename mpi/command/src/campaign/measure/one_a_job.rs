//! Why a job measures one launch, and how the script of the jobs is submitted.

use super::Campaign;

/// What one job measures.
///
/// The variants are complete: there is one for each kind of script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A launch of every method.
    Launch,
    /// A launch without and one with a deployment.
    Pair,
}

/// Returns a sentence about the jobs of a script, and one about a single job, on short lines.
pub fn one_a_job(campaign: &Campaign, unit: Unit) -> String {
    let (one, all) = match unit {
        Unit::Launch => ("launch", "launches"),
        Unit::Pair => ("pair", "pairs"),
    };
    let submitted = if campaign.launcher.is_scheduled(&campaign.job) {
        format!("the script is an\narray of jobs, one for each {one}")
    } else {
        format!("start the\nscript once for each {one}, in jobs of their own")
    };
    format!(
        "A job measures one {one}, because what its nodes do to a method lasts as long as the job: {submitted}.\n\
         With QTDEC_LAUNCHES=all in the environment, one job measures all {all}, and their times speak for that job alone."
    )
}
