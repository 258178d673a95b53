//! What is printed of each collective, and how its files are used.

use std::fmt::Write as _;

use super::collectives::One;
use super::deployment::Deployment;
use super::inputs::Inputs;
use qtdec_report::rated_trees::rated_trees;
use qtdec_report::table::Form;
use qtdec_terminal::folder::{NOTHING_TO_TEST, SMOKE_TEST};
use qtdec_terminal::{Failure, counted, gain, output, unmeasured};

pub(super) fn print_results(
    inputs: &Inputs<'_>,
    all: &[One],
    deployment: &Deployment,
) -> Result<(), Failure> {
    let arguments = inputs.arguments;
    let mut text = String::new();
    for one in all {
        let tuned = &one.tuned;
        let kept = tuned.kept();
        let fastest = kept.iter().filter(|kept| kept.percent <= 0.0).count();
        let default = if tuned.map.domain().baseline().is_none() {
            String::new()
        } else {
            format!(
                "the default is kept in {}: it is the fastest in {fastest}, and in {} the difference is not worth another \
                     region\n",
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
                "the held-out times are {what}, from the same run: that is optimistic, and another run will \
                     cost more\n"
            ),
            Some(what) => format!("the held-out times are {what}\n"),
        };
        let unmeasured = unmeasured::described(&tuned.unmeasured, &tuned.map);
        let line = tuned.one_line();
        let line = line
            .map(|line| format!("a rule of one line {}:\n    {}\n", gain::one_line(&line), line.code))
            .unwrap_or_default();
        let table = rated_trees(&tuned.rated).write(Form::Text);
        let _ = writeln!(
            text,
            "{}: {}\nunmeasured sizes: {unmeasured}\n{line}{default}{judged}{table}",
            tuned.collective,
            one.headlines().join("\n")
        );
    }
    let folder = &arguments.output;
    let tuning_file = inputs.tuning_file();
    let is_interposed = all.iter().any(|one| one.tuned.is_interposed(&one.claim));
    let nothing = if is_interposed { "the library needs no settings" } else { "nothing has to be deployed" };
    let has_test = |(name, text): &(String, String)| name == SMOKE_TEST && text != NOTHING_TO_TEST;
    let test = if deployment.files.iter().any(has_test) {
        format!(" ({folder}/{SMOKE_TEST} tests both before production)")
    } else {
        String::new()
    };
    let use_it = if deployment.is_deployed {
        format!(
            "{folder}/{tuning_file} is the tuning file, and {folder}/switches.sh makes the library use it{test}"
        )
    } else {
        let left = match &arguments.into[..] {
            [] => "leaves every choice to the library".to_owned(),
            into => format!("adds no rule to {}", into.join(", ")),
        };
        format!("{nothing}: {folder}/{tuning_file} {left}, and {folder}/switches.sh sets nothing")
    };
    let _ = writeln!(
        text,
        "{use_it}; start reading with {folder}/report.html; the folder also holds the maps, the trees, \
             sources in Rust and C, and lists of the cells that keep the default"
    );
    output::print(&text)
}
