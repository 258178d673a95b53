//! What the times before and after a deployment show, and how it is written.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use qtdec_report::table::{Cell, Form, Table};
use qtdec_study::measurements::Unit;
use qtdec_study::study::before_after::{Pair, SUSPICIOUS_RATIO, TooFewLaunches, Verification};
use qtdec_study::study::change::Change;
use qtdec_study::study::following::{Answer, Following, Reason};
use qtdec_study::study::launch_interval::{LEVEL, LaunchMean};
use qtdec_study::study::sides::{STATED_DEVIATION, Sides};
use qtdec_terminal::counted;
use qtdec_terminal::gain::place_of;

/// The maximum number of suspected points that are listed.
const MAX_SUSPECTED: usize = 10;

pub(super) struct Verdict {
    pub(super) verified: Verification,
    /// Whether the library follows the deployed tree, if there is one.
    pub(super) following: Option<Following>,
    pub(super) axes: Vec<String>,
    pub(super) units: [Unit; 2],
    /// The jobs of the sides, if these are not compared within pairs.
    pub(super) sides: Option<Sides>,
    /// The number of launches without a partner.
    pub(super) alone: usize,
}

impl Verdict {
    pub(super) fn write(&self, form: Form) -> String {
        let points = || table(&self.verified.pairs.iter().collect::<Vec<_>>(), &self.axes);
        match form {
            Form::Text => self.text(),
            Form::Json => format!("{:#}\n", self.json(&points())),
            form => points().write(form),
        }
    }

    /// Returns what limits the comparison.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.alone > 0 {
            let launches = counted(self.alone as u64, "launch has", "launches have");
            warnings.push(format!(
                "{launches} no partner on the other side, and were not compared: measure what is missing"
            ));
        }
        for (number, when) in self.verified.unpaired.iter().zip(["before", "after"]) {
            if *number > 0 {
                let points = counted(*number, "point was", "points were");
                warnings.push(format!("{points} measured only {when}, and not compared"));
            }
        }
        if self.verified.time.launches.contains(&1) {
            let (unit, several) =
                if self.units.contains(&Unit::Job) { ("job", "jobs") } else { ("launch", "launches") };
            warnings.push(format!(
                "there is only one {unit} before or after, so there is no interval: repeats of one {unit} do not \
                     show how {several} differ"
            ));
        }
        if let Some(TooFewLaunches { launches: [before, after], points, needed }) = self.verified.too_few {
            warnings.push(format!(
                "too few launches to test single points: {before} before and {after} after; with {}, at least {needed} of \
                     each are needed",
                counted(points as u64, "point to test", "points to test")
            ));
        }
        if let suspected @ [worst, ..] = &*self.verified.suspected() {
            warnings.push(format!(
                "{} suspected of being slower, the worst at {}, by a factor of {:.2}: measure again with more launches",
                counted(suspected.len() as u64, "point is", "points are"),
                place_of(&self.axes, &worst.sizes),
                worst.ratio()
            ));
        }
        if let Some(Change { ratio, ends: Some([low, high]), .. }) = self.verified.kept
            && !(low..=high).contains(&1.0)
        {
            warnings.push(format!(
                "the times changed by {:+.2} % where the default was kept: nothing was to change there, so the machine, \
                     the library, or what the switches set for all calls is not what was measured",
                100.0 * (ratio - 1.0)
            ));
        }
        warnings
    }

    /// Returns the findings that fail: the library does not follow the file, or the time became longer by more than a limit in per cent.
    pub(super) fn findings(&self, limit: Option<f64>) -> Vec<String> {
        let answer = self.following.as_ref().map(|following| following.answer);
        let not_followed = (answer == Some(Answer::DoesNotFollow)).then(|| {
            "the library does not follow the tuning file: the times are still those of the default; are the \
             switches set for all ranks, and is the path of the file absolute and visible on all nodes?"
                .to_owned()
        });
        let time = &self.verified.time;
        let slower = limit.zip(time.ends).filter(|(limit, _)| time.is_slower_than(*limit)).map(|(limit, [low, _])| {
            format!(
                "the calls became {:.2} % slower, at least {:.2} % with a confidence of 97.5 %, and the limit is {limit} %",
                100.0 * (time.ratio - 1.0),
                100.0 * (low - 1.0)
            )
        });
        not_followed.into_iter().chain(slower).collect()
    }

    /// Returns the result as JSON. Ratios are times after over times before; the ends of an interval are null if there is none.
    fn json(&self, points: &Table) -> Value {
        let following = self.following.as_ref();
        let mut all = Map::new();
        if self.sides.is_some_and(Sides::has_stated) {
            all.insert("stated_deviation_of_jobs".to_owned(), STATED_DEVIATION.into());
        }
        if let Some(following) = following {
            all.insert("answer".to_owned(), following.answer.name().into());
        }
        all.insert("time".to_owned(), change(&self.verified.time));
        all.extend(self.verified.changed.as_ref().map(|changed| ("changed".to_owned(), change(changed))));
        all.extend(self.verified.kept.as_ref().map(|kept| ("kept".to_owned(), change(kept))));
        all.extend(following.and_then(promise_json).map(|promise| ("promised".to_owned(), promise)));
        all.insert("points".to_owned(), points.objects().collect());
        Value::Object(all)
    }

    fn text(&self) -> String {
        let Self { verified, axes, .. } = self;
        let points = |change: &Change| counted(change.points as u64, "point", "points");
        let mut text = format!(
            "time        {} over {}, {}\n",
            shown(verified.time.ratio, verified.time.ends),
            points(&verified.time),
            launches(&verified.time, self.units)
        );
        if let Some(changed) = &verified.changed {
            let (shown, points) = (shown(changed.ratio, changed.ends), points(changed));
            let _ = writeln!(text, "changed     {shown} over {points} with another method than the default");
        }
        if let Some(kept) = &verified.kept {
            let shown = shown(kept.ratio, kept.ends);
            let points = counted(kept.points as u64, "point that keeps", "points that keep");
            let _ = writeln!(text, "kept        {shown} over {points} the default");
        }
        let sides = self.sides.filter(|_| verified.time.ends.is_some());
        text.extend(sides.and_then(of_jobs));
        if let Some(following) = &self.following {
            text.push_str(&of_following(following, verified.changed.as_ref()));
        }
        let slower = verified.slower();
        let _ = match slower.len() {
            0 if verified.too_few.is_some() => {
                writeln!(text, "slower      unknown: too few launches for a test")
            }
            0 => writeln!(text, "slower      no point beyond noise"),
            number => {
                let points = counted(number as u64, "point", "points");
                write!(
                    text,
                    "slower      {points} beyond noise\n\n{}",
                    table(&slower, axes).write(Form::Text)
                )
            }
        };
        let suspected = verified.suspected();
        let listed = &suspected[..suspected.len().min(MAX_SUSPECTED)];
        let _ = match suspected.len() {
            0 if verified.too_few.is_some() => writeln!(text, "suspected   no point"),
            0 => Ok(()),
            number => {
                let points = counted(number as u64, "point", "points");
                let gap = if slower.is_empty() { "" } else { "\n" };
                let part = if listed.len() < number { ", the worst ones:" } else { "" };
                write!(
                    text,
                    "{gap}suspected   {points} where even the fastest time after is over {SUSPICIOUS_RATIO} times the \
                         slowest before{part}\n\n{}",
                    table(listed, axes).write(Form::Text)
                )
            }
        };
        text
    }
}

fn change(change: &Change) -> Value {
    let [low, high] = change.ends.map_or([None, None], |ends| ends.map(Some));
    json!({
        "change": change.ratio,
        "low": low,
        "high": high,
        "points": change.points,
        "launches": { "before": change.launches[0], "after": change.launches[1] },
        "paired": change.is_paired,
    })
}

fn launches(change: &Change, units: [Unit; 2]) -> String {
    let [before, after] = change.launches;
    if change.is_paired {
        return counted(before as u64, "pair of launches by turns", "pairs of launches by turns");
    }
    let [of_before, of_after] = units.map(Unit::plain);
    if of_before == of_after {
        return format!("{} before and {after} after", of_before.counted(before));
    }
    format!("{} before and {} after", of_before.counted(before), of_after.counted(after))
}

fn table(pairs: &[&Pair], axes: &[String]) -> Table {
    let mut columns: Vec<(&str, &str)> = axes.iter().map(|axis| (&**axis, &**axis)).collect();
    columns.extend([
        ("before", "before"),
        ("after", "after"),
        ("change %", "change"),
        ("p (Holm)", "p"),
        ("kept", "kept"),
    ]);
    let mut table = Table::new(&columns);
    for pair in pairs {
        let mut cells: Vec<Cell> = pair.sizes.iter().map(|size| Cell::Whole(*size)).collect();
        let [before, after] = pair.medians.map(Cell::Time);
        let kept = if pair.is_kept { "yes" } else { "no" };
        let p = pair.p.map_or(Cell::Missing, Cell::Time);
        let change = Cell::Number(100.0 * (pair.ratio() - 1.0));
        cells.extend([before, after, change, p, Cell::Text(kept.to_owned())]);
        table.row(cells);
    }
    table
}

/// Returns a ratio of times as a change in per cent, with its interval.
fn shown(ratio: f64, ends: Option<[f64; 2]>) -> String {
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

fn promise_json(following: &Following) -> Option<Value> {
    let (change, [low, high]) = promised(following.promise.as_ref()?);
    Some(json!({ "change": change, "low": low, "high": high }))
}

/// Returns the lines about the promise and the answer.
fn of_following(following: &Following, changed: Option<&Change>) -> String {
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
             look like an answer: measure both by turns, with the script of qtdec-mpi measure --verify"
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
fn of_jobs(sides: Sides) -> Option<String> {
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
