//! `qtdec-mpi check`: the real library's interpretation of a tuning file.

use clap::Args;
use qtdec_core::Syntax;
use serde_json::json;

use super::tuning_file::{TuningArguments, TuningInput};
use qtdec_mpi_library::tuning::{Finding, Job, Severity, operands};
use qtdec_terminal::{Failure, output};

/// Check how an MPI library would interpret a tuning file
///
/// Libraries ignore a malformed file silently, or read it differently than intended. The exit code is 1 if the library would
/// ignore this file or interpret it differently than it looks, and 3 if it would accept the file and a call would fail. Notes
/// alone do not change the exit code.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  qtdec-mpi check rules.conf --format open-mpi")]
pub(crate) struct Arguments {
    #[command(flatten)]
    file: TuningArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (file, newer) = arguments.file.open_for_its_release()?;
    if let Some(newer) = newer {
        let library = file.format.library.name();
        output::note(&format!(
            "the file is for {library} {newer}: earlier releases reject it, and --release says where"
        ));
    }
    if let Some(other) = file.other_release() {
        output::warn(&other);
    }
    if let Some(sources) = file.format.unproven {
        output::note(&format!("what is known of this format is from {sources}: it was not run"));
    }
    let mut findings = file.findings();
    if let Ok(selection) = file.format.read(file.input.bytes(), Job::default()) {
        findings.extend(operands::findings(file.format.library, &*selection));
    }
    let faults = file.faults(&findings);
    let worst = findings.iter().map(|finding| finding.severity).max();
    if arguments.json {
        output::print(&as_json(&file, &findings))?;
        return outcome(worst, Vec::new());
    }
    let notes = findings.iter().filter(|finding| finding.severity == Severity::Note);
    notes.for_each(|note| output::note_report(&file.report(note)));
    outcome(worst, faults)?;
    output::print(&format!("{}: accepted\n", file.input.name()))
}

fn outcome(worst: Option<Severity>, reports: Vec<String>) -> Result<(), Failure> {
    match worst {
        None | Some(Severity::Note) => Ok(()),
        Some(Severity::Fails) => Err(Failure::Negative(reports)),
        Some(Severity::Wrong | Severity::Dropped) => Err(Failure::Input(reports)),
    }
}

fn as_json(file: &TuningInput, findings: &[Finding]) -> String {
    let mut listed = Vec::new();
    for Finding { severity, problem } in findings {
        listed.push(json!({
            "severity": severity.name(),
            "line": file.line(&problem.place),
            "message": problem.message.render(Syntax::Command),
            "help": problem.help_text(Syntax::Command),
        }));
    }
    let accepted = findings.iter().all(|finding| finding.severity != Severity::Dropped);
    json!({ "accepted": accepted, "findings": listed }).to_string() + "\n"
}
