//! Whether a library follows a tuning file, judging by times.
//!
//! No release of a library reports which algorithm it ran. But if the deployed methods are faster or slower than the library's own
//! choice, the times reveal which of the two ran. The times of the deployed methods are held out: each launch is priced with what the
//! other launches decide, because a method looks fast in the launches for which it was chosen.

use std::collections::BTreeSet;

use qtdec_core::{DecisionTree, Problems};

use super::launch_interval::{LEVEL, LaunchMean};
use super::launch_times::LaunchTimes;
use super::recommend::tree;
use super::sides::Sides;
use super::tree_on_map;
use crate::launches::folds;
use crate::measurements::Measurements;
use crate::notes::Notes;
use crate::selection::Recipe;

/// The greatest difference that counts as none.
pub const EQUIVALENT: f64 = 0.05;

/// The level of the test that accuses a library. It is below the 1 % of libraries that may be accused although they follow, because
/// the held-out decisions share launches, and the points are those where the deployed methods looked different.
const ACCUSED: f64 = 0.002;

/// The answer to whether a library follows a tuning file.
///
/// The variants are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The times are those of the deployed methods: equivalent within 5 %.
    Follows,
    /// The times are those of the default, and not those of the deployed methods.
    DoesNotFollow,
    /// The times show neither.
    CannotTell(Reason),
}

/// The reason why times show nothing.
///
/// The variants are complete: every answer that cannot be given has one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No point that was measured has another method than the default, or the deployed methods were not measured before.
    NoPoint,
    /// There are fewer than two launches before or after.
    TooFewLaunches,
    /// The times before and after are of different jobs, or it is not known of which.
    OtherJobs,
    /// The deployed methods and the default take about the same time.
    Alike,
    /// The times are nearer to those of the deployed methods, but too noisy to show that the difference is within 5 %.
    NotEquivalent,
    /// The times are too noisy, or like those of neither.
    Unclear,
}

/// The comparison of times after a deployment with the deployed methods and with the default.
#[derive(Clone, Debug, PartialEq)]
pub struct Following {
    /// The answer.
    pub answer: Answer,
    /// The number of points that the answer stands on: those where the default was not kept.
    pub points: usize,
    /// The logarithm of the default's time over that of the deployed methods, held out.
    pub promise: Option<LaunchMean>,
}

impl Answer {
    /// Returns the name of the answer in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Follows => "follows",
            Self::DoesNotFollow => "does-not-follow",
            Self::CannotTell(_) => "cannot-tell",
        }
    }
}

/// Returns the times of what a deployed tree decides, held out by launches of `before`: the decisions of each launch are those of a
/// tree that was made from the other launches with the options of the deployed one. A tree that was not made by an encoder decides
/// the same for every launch.
///
/// # Errors
///
/// Fails if the measurements do not make a map with the axes of the tree.
pub fn held_out(
    before: &Measurements,
    default: &str,
    deployed: &DecisionTree,
) -> Result<LaunchTimes, Problems> {
    let domain = deployed.domain();
    let labels: Vec<String> = domain.methods().iter().map(qtdec_core::Method::label).collect();
    let measured: Vec<String> = before.labels().collect();
    let requires = domain.methods().iter().filter(|method| measured.contains(&method.label()));
    let recipe = Recipe {
        baseline: vec![default.to_owned()],
        no_default: !deployed.cells().iter().flatten().any(|&method| domain.method(method).baseline),
        exclude: measured
            .iter()
            .filter(|label| *label != default && !labels.contains(label))
            .cloned()
            .collect(),
        requires: requires
            .flat_map(|method| method.requires.iter().map(|requirement| (method.label(), *requirement)))
            .collect(),
        ..Recipe::default()
    };
    let encoding = &deployed.statistics().encoding;
    let mut options = encoding.options.clone();
    options.push(("encoding".to_owned(), encoding.name.clone()));
    let mut times = LaunchTimes::default();
    for fold in folds(before) {
        let others = recipe.map(&fold.others, &mut Notes::default())?;
        let alone = recipe.map(&fold.alone, &mut Notes::default())?;
        let own = tree(&others, &options);
        let decisions = tree_on_map::decisions(own.as_ref().unwrap_or(deployed), &alone)?;
        for (cell, decision) in decisions.into_iter().enumerate() {
            let time = decision.and_then(|method| alone.costs()?.get(cell, method));
            if let Some(time) = time {
                times.add(&alone.domain().sizes(cell), fold.launch, time);
            }
        }
    }
    Ok(times)
}

impl Following {
    /// Compares the times after a deployment at the points where the default was not kept. Sides of different jobs show nothing: what a
    /// job has in common would look like an answer.
    pub fn new(
        default: &LaunchTimes,
        deployed: &LaunchTimes,
        after: &LaunchTimes,
        sides: Sides,
        is_kept: impl Fn(&[u64]) -> bool,
    ) -> Self {
        let (points, promise) = promised(default, deployed, after, is_kept);
        let now = after.means(&points);
        let to = |before: &LaunchTimes| {
            LaunchMean::from_difference(&now, &before.means(&points)).map(|mean| sides.widened(mean))
        };
        let found = Self::answered(points.len(), promise, to(deployed), to(default));
        match found.answer {
            Answer::CannotTell(Reason::NoPoint) => found,
            _ if sides == Sides::OneJob => found,
            _ => Self { answer: Answer::CannotTell(Reason::OtherJobs), ..found },
        }
    }

    /// Compares the change within pairs of launches, without and with the deployment, with what was promised. `within` has the times
    /// with the deployment over those without it; `default` and `deployed` are of the launches before.
    ///
    /// The change is the difference from the default. Together with the promise it is the difference from the deployed methods, so
    /// that the launch effects of both campaigns cancel.
    pub fn from_pairs(
        default: &LaunchTimes,
        deployed: &LaunchTimes,
        within: &LaunchTimes,
        is_kept: impl Fn(&[u64]) -> bool,
    ) -> Self {
        let (points, promise) = promised(default, deployed, within, is_kept);
        let change = LaunchMean::new(&within.means(&points));
        let to_deployed = change.zip(promise).map(|(change, promise)| change.plus(&promise));
        Self::answered(points.len(), promise, to_deployed, change)
    }

    fn answered(
        points: usize,
        promise: Option<LaunchMean>,
        to_deployed: Option<LaunchMean>,
        to_default: Option<LaunchMean>,
    ) -> Self {
        let answer = match promise.zip(to_deployed).zip(to_default) {
            _ if points == 0 => Answer::CannotTell(Reason::NoPoint),
            Some(((promise, to_deployed), to_default)) => judged(promise, to_deployed, to_default),
            None => Answer::CannotTell(Reason::TooFewLaunches),
        };
        Self { answer, points, promise }
    }
}

fn judged(promise: LaunchMean, to_deployed: LaunchMean, to_default: LaunchMean) -> Answer {
    let [low, high] = promise.ends(LEVEL);
    if low <= 0.0 && high >= 0.0 {
        return Answer::CannotTell(Reason::Alike);
    }
    // The times go from those of the deployed methods, at 0, to those of the default, at the promise.
    let is_nearer_to_deployed = (to_deployed.mean / promise.mean) < 0.5;
    let limit = EQUIVALENT.ln_1p();
    if is_nearer_to_deployed {
        // Two one-sided tests at 5 % are an interval of 90 %.
        let [low, high] = to_deployed.ends(2.0 * LEVEL);
        let is_equivalent = -limit <= low && high <= limit;
        return if is_equivalent { Answer::Follows } else { Answer::CannotTell(Reason::NotEquivalent) };
    }
    let p = if promise.mean > 0.0 { to_deployed.p_above(0.0) } else { 1.0 - to_deployed.p_above(0.0) };
    let [low, high] = to_default.ends(2.0 * ACCUSED);
    if p < ACCUSED && low <= limit && -limit <= high {
        return Answer::DoesNotFollow;
    }
    Answer::CannotTell(Reason::Unclear)
}

/// Returns the points of times at which the default was not kept and both have times, and what was promised there.
fn promised(
    default: &LaunchTimes,
    deployed: &LaunchTimes,
    times: &LaunchTimes,
    is_kept: impl Fn(&[u64]) -> bool,
) -> (BTreeSet<Vec<u64>>, Option<LaunchMean>) {
    let both = [default, deployed];
    let has_all =
        |sizes: &&[u64]| both.iter().all(|side| side.points.contains_key(*sizes)) && !is_kept(sizes);
    let points: BTreeSet<Vec<u64>> = times.points().filter(has_all).map(<[u64]>::to_vec).collect();
    let promise = LaunchMean::from_held_out(&default.over(deployed).means(&points));
    (points, promise)
}
