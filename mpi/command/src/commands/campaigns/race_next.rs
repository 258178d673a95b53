//! `qtdec-mpi race --next`: the list of a race's next round.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use qtdec_mpi::campaign::plan::Campaign;
use qtdec_mpi::campaign::race::{Failed, lines};
use qtdec_study::readers::{self, PathPattern, ReadOptions, open_regular};
use qtdec_terminal::{Failure, Outputs, failures, reported};

/// The file in the results folder that lists the benchmarks that could not be run.
const FAILED: &str = "failed";

pub(crate) fn run(campaign: &Campaign, results: &str, output: &str) -> Result<(), Failure> {
    let folders = campaign.collectives.iter().map(|collective| format!("{results}/{collective}"));
    let inputs: Vec<String> = folders.chain([format!("{results}/{FAILED}")]).collect();
    let output = Outputs::new(inputs.iter().map(String::as_str)).add(output)?;
    let mut measured = BTreeMap::new();
    for collective in &campaign.collectives {
        let folder = format!("{results}/{collective}");
        // Nothing has been measured yet.
        if !fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
            continue;
        }
        let path = campaign.path().map(PathPattern::parse).transpose();
        let options = ReadOptions {
            path: path.map_err(Failure::Usage)?,
            collective: Some(collective.clone()),
            ..ReadOptions::default()
        };
        let read = readers::read(&[folder], &options, &mut |_, input| input);
        measured.insert(collective.clone(), read.map_err(|failed| failures(&failed))?.0);
    }
    let failed = failed(results)?;
    let lines = lines(campaign, &measured, &failed);
    let lines: Vec<String> = reported(results, lines)?.iter().map(|line| format!("{line}\n")).collect();
    output.write(&lines.concat())
}

/// Returns the benchmarks that could not be run, as recorded by the script: collective, method, segment size and
/// ranks on one line.
fn failed(results: &str) -> Result<Failed, Failure> {
    let path = Path::new(results).join(FAILED);
    if !path.exists() {
        return Ok(Failed::new());
    }
    let text = open_regular(&path)
        .and_then(io::read_to_string)
        .map_err(|error| Failure::input(format!("cannot read `{}`: {error}", path.display())))?;
    let mut failed = Failed::new();
    for (line, number) in text.lines().zip(1..) {
        failed.insert(benchmark(line).ok_or_else(|| {
            Failure::input(format!(
                "line {number} of `{}` is not `COLLECTIVE METHOD SEGMENT RANKS`: remove it",
                path.display()
            ))
        })?);
    }
    Ok(failed)
}

fn benchmark(line: &str) -> Option<(String, String, u64, u64)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [collective, method, segment, ranks] = fields[..] else { return None };
    Some((collective.to_owned(), method.to_owned(), segment.parse().ok()?, ranks.parse().ok()?))
}
