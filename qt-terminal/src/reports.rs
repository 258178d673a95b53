//! The problems of files with times as failures of a command.

use indexmap::{IndexMap, IndexSet};
use qtdec_core::{Place, Problems, Syntax, visible};

use crate::{Failure, output};
use qtdec_study::readers;

/// Returns the value, or its problems under the name of the files it was made from.
pub fn reported<T>(files: &str, result: Result<T, impl Into<Problems>>) -> Result<T, Failure> {
    result.map_err(|problems| Failure::Input(reports(files, &problems.into())))
}

/// Returns the problems of the files; a problem that several files share is reported for the first of them.
pub fn failures(failed: &[readers::Failed]) -> Failure {
    let mut by_kind: IndexMap<String, Vec<&str>> = IndexMap::new();
    let mut all = Vec::new();
    for readers::Failed { file, problems } in failed {
        for problem in problems {
            let same = by_kind.entry(problem.message.kind()).or_default();
            if same.iter().all(|known| *known == file) {
                all.extend(reports(file, &problem.clone().into()));
            }
            if same.last() != Some(&&**file) {
                same.push(file);
            }
        }
        if problems.further() > 0 && failed.len() == 1 {
            all.push(further(file, problems));
        }
    }
    let shared: IndexSet<Vec<&str>> = by_kind.into_values().filter(|files| files.len() > 1).collect();
    for files in shared {
        all.push(format!(
            "{} files have this problem, from `{}` to `{}`",
            files.len(),
            visible::line(files[0]),
            visible::line(files[files.len() - 1])
        ));
    }
    Failure::Input(all)
}

fn further(file: &str, problems: &Problems) -> String {
    format!("`{}` has {} more problems like these", visible::line(file), problems.further())
}

/// Returns the messages of problems of a file with times, or of what was made from it.
pub fn reports(file: &str, problems: &Problems) -> Vec<String> {
    let mut reports = Vec::new();
    for mut problem in problems.iter().cloned() {
        // The files have no such part: it is one of the map that was made from them.
        if !matches!(problem.place, Place::Line(_)) {
            problem.place = Place::File;
        }
        reports.push(problem.report(file, None, Syntax::Command, &output::renderer()));
    }
    if problems.further() > 0 {
        reports.push(further(file, problems));
    }
    reports
}
