//! The answer to whether a library follows its tuning file, with what was promised.

use std::fmt::Write as _;

use serde_json::{Value, json};

use qtdec_study::study::change::Change;
use qtdec_study::study::following::{Answer, Following, Reason};
use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};
use qtdec_study::study::sides::{STATED_DEVIATION, Sides};

use qtdec_terminal::counted;

/// Returns a ratio of times as a change in per cent, with its interval.
pub(super) fn shown(ratio: f64, ends: Option<[f64; 2]>) -> String {
    let change = |ratio: f64| 100.0 * (ratio - 1.0);
    match ends {
        Some([low, high]) => {
            format!("{:+.2} % (95 %: {:+.2} to {:+.2} %)", change(ratio), change(low), change(high))
        }
        None => format!("{:+.2} % (no interval)", change(ratio)),
    }
}

/// Returns the promised ratio of the times after and before, with its interval.
fn promised(promise: &LaunchMean) -> (f64, [f64; 2]) {
    let [low, high] = promise.ends(LEVEL);
    ((-promise.mean).exp(), [(-high).exp(), (-low).exp()])
}

pub(super) fn promise_json(following: &Following) -> Option<Value> {
    let (change, [low, high]) = promised(following.promise.as_ref()?);
    Some(json!({ "change": change, "low": low, "high": high }))
}

/// Returns the lines about the promise and the answer.
pub(super) fn text(following: &Following, changed: Option<&Change>) -> String {
    let mut text = String::new();
    if let Some(promise) = &following.promise {
        let (ratio, ends) = promised(promise);
        let points = counted(following.points as u64, "changed point", "changed points");
        let _ = writeln!(
            text,
            "promised    {} over {points}, by launches before that were held out",
            shown(ratio, Some(ends))
        );
    }
    let why = match following.answer {
        Answer::Follows => "the time is that of the deployed methods within 5 %",
        Answer::DoesNotFollow => "the time is that of the default, and not that of the deployed methods",
        Answer::CannotTell(Reason::NoPoint) => {
            "no point with another method than the default has times of all methods before"
        }
        Answer::CannotTell(Reason::OtherJobs) => {
            "the times before and after are of different jobs, or the times do not record of which, and what a job has in common would \
             look like an answer: measure both by turns, with the script of qtdec-mpi plan --verify"
        }
        Answer::CannotTell(Reason::TooFewLaunches) => "at least two launches before and two after are needed",
        Answer::CannotTell(Reason::Alike) => {
            "the deployed methods and the default take the same time within noise"
        }
        Answer::CannotTell(Reason::NotEquivalent) => {
            "the time is nearer to that of the deployed methods, but not shown to be within 5 % of it: measure \
             more launches"
        }
        Answer::CannotTell(Reason::Unclear) => {
            "the time is not clearly that of the deployed methods, nor that of the default"
        }
    };
    let _ = writeln!(text, "answer      {}: {why}", following.answer.name());
    if matches!(following.answer, Answer::CannotTell(_)) {
        text.extend(changed.and_then(faster));
    }
    text
}

/// Returns the sentence that the time became shorter, if even the upper end of its interval says so.
fn faster(changed: &Change) -> Option<String> {
    let [low, high] = changed.ends.filter(|[_, high]| *high < 1.0)?;
    let shorter = |ratio: f64| 100.0 * (1.0 - ratio);
    Some(format!(
        "faster by {:.2} % of the time before (95 %: {:.2} to {:.2} %); that it is exactly the promised method is not shown\n",
        shorter(changed.ratio),
        shorter(high),
        shorter(low)
    ))
}

/// Returns the line about the jobs of the sides, if they limit what is shown.
pub(super) fn of_jobs(sides: Sides) -> Option<String> {
    let what = match sides {
        Sides::OneJob => "all launches are of one job, so this is true of that job".to_owned(),
        Sides::Apart { .. } if sides.has_stated() => format!(
            "not the same before and after, or not recorded: the intervals have a stated standard deviation of {:.0} % for the job of a side",
            100.0 * STATED_DEVIATION
        ),
        Sides::Apart { .. } => return None,
    };
    Some(format!("jobs        {what}\n"))
}
