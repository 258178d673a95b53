//! What is known of the results beyond the answer: the file of the notes, which `--verbose` prints.

use std::fmt::Write as _;

use super::collectives::One;
use super::deployment::Deployment;
use super::inputs::Inputs;
use super::interposer::Interposed;
use crate::commands::tuning_files::tuning_file::SWITCHES;
use qtdec_report::rated_trees::rated_trees;
use qtdec_report::table::Form;
use qtdec_terminal::{Notes, counted, gain, unmeasured};

/// The name of the file.
pub(super) const NOTES: &str = "notes.md";

/// What the numbers of an answer mean.
const MEANING: &str = "\
## What the numbers mean

A gain is how much longer the library's own choice takes than the decisions: a third less time is a gain of 50 %. It is the geometric mean
over the measured sizes, on launches or jobs that were held out: they decided nothing. The interval holds 95 % for one collective alone.
Rules are written where the gain is above zero in the interval that is 95 % for all collectives together, and where the gain is unknown.
";

/// Returns the notes, the most important ones first: what rules do to programs, where they end, and what else is known of the times. The
/// sentences about all collectives are the last ones.
pub(super) fn notes(
    all: &[One],
    deployment: &Deployment,
    interposed: &Interposed,
    about: &[String],
) -> Notes {
    let mut notes = Notes::default();
    let of_each = |notes: &mut Notes, lines: fn(&One) -> &[String]| {
        for one in all {
            for line in lines(one) {
                notes.add(Some(&one.tuned.collective), line);
            }
        }
    };
    of_each(&mut notes, |one| &one.tuned.ruled.rules.warnings);
    for line in deployment.remarks.iter().chain(&interposed.lines) {
        notes.add(None, line);
    }
    of_each(&mut notes, |one| &one.notes);
    for line in about {
        notes.add(None, line);
    }
    notes
}

/// Returns the file: what to do, the notes, and the numbers of each collective. `compared` says how to compare times by hand.
pub(super) fn file(what_to_do: &str, notes: &Notes, all: &[One], compared: Option<&str>) -> String {
    let mut text = format!("# Notes\n\n{what_to_do}\n\n");
    for (line, number) in notes.lines().zip(1..) {
        let _ = writeln!(text, "{number}. {line}");
    }
    for one in all {
        let _ = write!(text, "\n## {}\n\n```text\n{}\n```\n", one.tuned.collective, details(one).trim_end());
    }
    if let Some(commands) = compared {
        let _ = write!(text, "\n## To compare by hand\n\n```sh\n{commands}\n```\n");
    }
    text + "\n" + MEANING
}

/// Returns the sentence that names the tuning file, and says whether it has to be used.
pub(super) fn tuning_file(inputs: &Inputs<'_>, all: &[One], deployment: &Deployment) -> String {
    let folder = &inputs.arguments.output;
    let tuning_file = inputs.tuning_file();
    if deployment.is_deployed {
        return format!(
            "{folder}/{tuning_file} is the tuning file, and {folder}/{SWITCHES} makes the library use it."
        );
    }
    let is_interposed = all.iter().any(|one| one.tuned.is_interposed(&one.claim));
    let nothing = if is_interposed { "The library needs no settings" } else { "Nothing has to be deployed" };
    let left = match &inputs.arguments.into[..] {
        [] => "leaves every choice to the library".to_owned(),
        into => format!("adds no rule to {}", into.join(", ")),
    };
    format!("{nothing}: {folder}/{tuning_file} {left}, and {folder}/{SWITCHES} sets nothing.")
}

/// Describes the results of a collective.
fn details(one: &One) -> String {
    let tuned = &one.tuned;
    let kept = tuned.kept();
    let fastest = kept.iter().filter(|kept| kept.percent <= 0.0).count();
    let default = if tuned.map.domain().baseline().is_none() {
        String::new()
    } else {
        format!(
            "the default is kept in {}: it is the fastest in {fastest}, and in {} the difference is not worth another region\n",
            counted(kept.len() as u64, "cell", "cells"),
            kept.len() - fastest,
        )
    };
    let judged = match tuned.held_out.filter(|_| !tuned.recommended().held_out.is_empty()) {
        None if tuned.gains.logs.len() > 1 => {
            format!("each {} was held out in turn from those that decide\n", tuned.gains.units.word())
        }
        None => "nothing could be held out: there are too few repeats\n".to_owned(),
        Some(what) if what.is_optimistic() => format!(
            "the held-out times are {what}, from the same run: that is optimistic, and another run will cost more\n"
        ),
        Some(what) => format!("the held-out times are {what}\n"),
    };
    let unmeasured = unmeasured::described(&tuned.unmeasured, &tuned.map);
    let line = tuned
        .one_line()
        .map(|line| format!("a rule of one line {}:\n    {}\n", gain::one_line(&line), line.code));
    let table = rated_trees(&tuned.rated).write(Form::Text);
    format!(
        "{}: {}\nunmeasured sizes: {unmeasured}\n{}{default}{judged}{table}",
        tuned.collective,
        one.headlines().join("\n"),
        line.unwrap_or_default()
    )
}
