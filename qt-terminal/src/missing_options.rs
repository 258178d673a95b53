//! Completed command lines: the options without which files cannot be read.

use qtdec_core::{Place, Problem};

use crate::{Advice, Failure, output, reports};
use qtdec_study::readers::{self, ReadOptions};

/// A size of elements to find what else the command line lacks: which one is right, only the user knows.
const ANY_ELEMENT: u64 = 1;

/// Returns the options that the command line lacks to read files which cannot be read without them, or `None` if other faults remain.
pub fn lacking(files: &[String], options: &ReadOptions) -> Option<Vec<String>> {
    // Standard input was consumed.
    if files.iter().any(|file| file == "-") {
        return None;
    }
    let sizes = [options.element_size, Some(ANY_ELEMENT)];
    let sizes = if options.element_size.is_some() { &sizes[..1] } else { &sizes };
    sizes.iter().find_map(|&element_size| {
        let mut lacks = Vec::new();
        if element_size != options.element_size {
            lacks.push("--element-size BYTES".to_owned());
        }
        let options = ReadOptions { element_size, ..options.clone() };
        let (all, _) = readers::read_each(files, &options, &mut |_, input| input).ok()?;
        if let Some(first) = all.first()?.collective.as_ref().filter(|_| all.len() > 1) {
            lacks.push(format!("--collective {first}"));
        }
        Some(lacks)
    })
}

/// Adds the command line with these options to what is wrong with it.
pub fn completed(failure: Failure, files: &str, lacks: &[String]) -> Failure {
    let Failure::Input(mut all) = failure else { return failure };
    let lacking = |command| lacks.iter().cloned().fold(command, Advice::with).short_line();
    let Some(command) = Advice::of_process().and_then(lacking) else { return Failure::Input(all) };
    let problem = Problem::new(
        Place::File,
        format!("the command lacks {}", output::counted(lacks.len() as u64, "option", "options")),
    );
    all.extend(reports(files, &problem.help(format!("perhaps {command}")).into()));
    Failure::Input(all)
}
