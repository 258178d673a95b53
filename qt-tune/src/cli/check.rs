//! `qtdec check`: the real library's interpretation of a tuning file, and whether a map was measured.

use clap::Args;
use qtdec_core::{Document, Syntax};
use serde_json::{Value, json};

use super::input::Input;
use super::tuning_file::{TuningArguments, TuningInput};
use super::{Failure, output};
use qtdec_mpi_library::tuning::{Finding, Job, Severity, operands};

/// Check how an MPI library would interpret a tuning file, or whether a map was measured
///
/// Libraries ignore a malformed file silently, or read it differently than intended. The exit code is 1 if the library would
/// ignore this file or interpret it differently than it looks, and 3 if it would accept the file and a call would fail. Notes
/// alone do not change the exit code. With --measured, FILE is a map or a tree, and the exit code is 3 if it is a placeholder
/// or was made from one.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  qtdec check rules.conf --format open-mpi\n  qtdec check --measured kernel.json"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    file: TuningArguments,

    /// Check that a map or tree is not a placeholder, in which nothing was measured
    #[arg(long, conflicts_with_all = ["format", "release"])]
    measured: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.measured {
        return measured(arguments);
    }
    let (file, newer) = arguments.file.open_for_its_release()?;
    if let Some(newer) = newer {
        let library = file.format.library().name();
        output::note(&format!(
            "the file is for {library} {newer}: earlier releases reject it, and --release says where"
        ));
    }
    if let Some(other) = file.other_release() {
        output::warn(&other);
    }
    if let Some(sources) = file.format.unproven() {
        output::note(&format!("what is known of this format is from {sources}: it was not run"));
    }
    let mut findings = file.findings();
    if let Ok(selection) = file.format.read(file.input.bytes(), Job::default()) {
        findings.extend(operands::findings(file.format.library(), &*selection));
    }
    let faults = file.faults(&findings);
    let worst = findings.iter().map(|finding| finding.severity).max();
    let outcome = |reports: Vec<String>| match worst {
        None | Some(Severity::Note) => Ok(()),
        Some(Severity::Fails) => Err(Failure::Negative(reports)),
        Some(Severity::Wrong | Severity::Dropped) => Err(Failure::Input(reports)),
    };
    if arguments.json {
        output::print(&as_json(&file, &findings))?;
        return outcome(Vec::new());
    }
    let notes = findings.iter().filter(|finding| finding.severity == Severity::Note);
    notes.for_each(|note| output::note_report(&file.report(note)));
    outcome(faults)?;
    output::print(&format!("{}: accepted\n", file.input.name()))
}

/// Checks that a map or tree is not a placeholder.
fn measured(arguments: &Arguments) -> Result<(), Failure> {
    let input = Input::open_map(arguments.file.name())?;
    let is_measured = match input.document()? {
        Document::Map(map) => !map.is_placeholder(),
        Document::Tree(tree) => !tree.statistics().is_unmeasured(),
    };
    if arguments.json {
        output::print(&(json!({ "measured": is_measured }).to_string() + "\n"))?;
    } else if is_measured {
        output::print(&format!("{}: measured\n", input.name()))?;
    }
    let told = format!(
        "`{}` is a placeholder: replace it by a map of measured times, as qtdec map makes",
        input.name()
    );
    if is_measured {
        Ok(())
    } else {
        Err(Failure::Negative(if arguments.json { Vec::new() } else { vec![told] }))
    }
}

fn as_json(file: &TuningInput, findings: &[Finding]) -> String {
    let finding = |finding: &Finding| {
        json!({
            "severity": finding.severity.name(),
            "line": file.line(&finding.problem.place),
            "message": finding.problem.message.render(Syntax::Command),
            "help": finding.problem.help_text(Syntax::Command),
        })
    };
    let listed: Vec<Value> = findings.iter().map(finding).collect();
    let accepted = findings.iter().all(|finding| finding.severity != Severity::Dropped);
    json!({ "accepted": accepted, "findings": listed }).to_string() + "\n"
}
