//! The schedules of other programs, from their files.

use std::fmt::Write as _;

use qtdec_core::similar::did_you_mean;
use qtdec_core::{Place, Problem};
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Imported, import};

use super::Arguments;
use crate::commands::predictions::predicting;
use qtdec_terminal::{Failure, Input, Output, Progress, output};

pub(super) fn run(arguments: &Arguments, plot: Option<&Output>) -> Result<(), Failure> {
    let name = &arguments.collective;
    if name != "-" && !std::path::Path::new(name).exists() {
        let mut message = format!("`{name}` is neither a collective nor a file");
        if let Some(known) = did_you_mean(name, Collective::ALL.map(Collective::name)) {
            let _ = write!(message, "; did you mean `{known}`?");
        }
        let known = Collective::ALL.map(Collective::name).join(", ");
        return Err(Failure::usage(format!("{message} (the collectives are {known})")));
    }
    if let Some(option) = arguments.of_algorithms() {
        return Err(Failure::usage(format!(
            "`{option}` chooses what is built, but the schedule of `{name}` is read: omit it"
        )));
    }
    let input = Input::open(name)?;
    let network = arguments.network.as_deref().map(predicting::open).transpose()?;
    let progress = Progress::late("the proof");
    let imported = input.check(import(input.bytes(), arguments.msg_size, arguments.root))?;
    if plot.is_some() {
        arguments.drawable(imported.schedule.collective, imported.schedule.request.comm_size())?;
    }
    let proved = input.check(imported.verify())?;
    drop(progress);
    for warning in &proved.file.warnings {
        output::warn(&placed(input.name(), warning));
    }
    let text = said(&proved.file);
    if arguments.form.is_chosen() || plot.is_some() {
        text.lines().for_each(output::note);
    }
    arguments.show(&proved.verified(), network.as_ref(), plot, &format!("{text}\n"))
}

fn placed(name: &str, problem: &Problem) -> String {
    match problem.place {
        Place::Line(line) => format!("{name}: line {line}: {problem}"),
        _ => format!("{name}: {problem}"),
    }
}

/// Returns what was proved and what was not, in lines.
fn said(imported: &Imported) -> String {
    let mut text = imported.format.to_owned();
    if !imported.holds.is_empty() {
        text.push_str(": ");
        text.push_str(&imported.holds);
    }
    text.push_str("\nproved: every message meets its receive, nothing waits forever");
    match imported.schedule.collective {
        Collective::Custom if imported.format == "GOAL" => {}
        Collective::Custom => text.push_str(", and no steps race for the same bytes"),
        Collective::Barrier => text.push_str(", and no rank leaves before all have entered"),
        collective => {
            let _ = write!(
                text,
                ", no operations race for the same bytes, and every rank ends with the result of {collective}"
            );
        }
    }
    text.push('\n');
    for sentence in &imported.unchecked {
        let _ = writeln!(text, "not checked: {sentence}");
    }
    text
}

impl Arguments {
    /// Returns a given option that only chooses among algorithms of this program.
    fn of_algorithms(&self) -> Option<&str> {
        [
            (self.algorithm.as_deref(), self.algorithm.is_some()),
            (Some("--comm-size"), self.comm_size.is_some()),
            (Some("--segment-size"), self.segment_size.is_some()),
            (Some("--element-size"), self.element_size.is_some()),
            (Some("--non-commutative"), self.non_commutative),
            (Some("--library"), self.library.is_some()),
            (Some("--chains"), self.chains.is_some()),
            (Some("--clusters"), self.clusters.is_some()),
            (Some("--ranks-per-node"), self.ranks_per_node.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| name.filter(|_| given))
    }
}
