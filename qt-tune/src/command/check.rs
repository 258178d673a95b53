//! `qtdec check`: what the real library would do with a tuning file.

use clap::Args;
use serde_json::{Value, json};

use super::tuning_file::{TuningArguments, TuningInput};
use super::{Failure, output};
use crate::tuning::{Finding, Severity};

/// Tell what an MPI library would do with a tuning file
///
/// Libraries drop a bad file without a word, or take it for something else. Exits with 1 where this one is dropped or
/// does not say what it looks like; notes alone are no failure.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    file: TuningArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// As many faults are shown to people.
const LISTED: usize = 20;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.file.open()?;
    let findings = file.format.check(file.input.bytes());
    let worst = findings.iter().map(|finding| finding.severity).max();
    if arguments.json {
        output::print(&as_json(&file, &findings))?;
    }
    let (notes, faults): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|finding| finding.severity == Severity::Note);
    let report = |finding: &&Finding| file.input.reports(&finding.problem.clone().into()).concat();
    if !arguments.json {
        notes.iter().map(report).for_each(|note| output::note(&note));
    }
    match worst {
        None | Some(Severity::Note) if arguments.json => Ok(()),
        None | Some(Severity::Note) => output::print(&format!("{}: accepted\n", file.input.name())),
        Some(_) if arguments.json => Err(Failure::Input(Vec::new())),
        Some(_) => {
            let mut reports: Vec<String> = faults.iter().take(LISTED).map(report).collect();
            if faults.len() > LISTED {
                reports.push(format!("and {} more; --json lists all", faults.len() - LISTED));
            }
            Err(Failure::Input(reports))
        }
    }
}

fn as_json(file: &TuningInput, findings: &[Finding]) -> String {
    let finding = |finding: &Finding| {
        json!({
            "severity": finding.severity.name(),
            "line": file.line(&finding.problem.place),
            "message": finding.problem.message,
            "help": finding.problem.help,
        })
    };
    let listed: Vec<Value> = findings.iter().map(finding).collect();
    let accepted = findings.iter().all(|finding| finding.severity != Severity::Dropped);
    json!({ "accepted": accepted, "findings": listed }).to_string() + "\n"
}
