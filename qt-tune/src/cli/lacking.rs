//! Completed command lines: the options without which files cannot be read.

use qtdec_core::{Place, Problem};

use super::measure::reports;
use super::reading::LONGEST_COMMAND;
use super::{Failure, output};
use crate::measure::measurements::Measurements;
use crate::measure::readers::{self, ReadOptions};

/// The size of an element in a completed command line: that of a double.
const EXAMPLE_ELEMENT: u64 = 8;

/// Returns the options that the command line lacks to read files which cannot be read without them, and the measurements with
/// them. Returns `None` if other faults remain.
pub(super) fn lacking(files: &[String], options: &ReadOptions) -> Option<(Vec<String>, Measurements)> {
    // Standard input was consumed.
    if files.iter().any(|file| file == "-") {
        return None;
    }
    let sizes = [options.element_size, Some(EXAMPLE_ELEMENT)];
    let sizes = if options.element_size.is_some() { &sizes[..1] } else { &sizes };
    sizes.iter().find_map(|&element_size| {
        let mut lacks = Vec::new();
        if element_size != options.element_size {
            lacks.push(format!("--element-size {EXAMPLE_ELEMENT}"));
        }
        let mut options = ReadOptions { element_size, ..options.clone() };
        let found = readers::collectives(files, &options, &mut |_, input| input).ok()?;
        if let [first, _, ..] = &found[..] {
            lacks.push(format!("--collective {first}"));
            options.collective = Some(first.clone());
        }
        let (measurements, _) = readers::read(files, &options, &mut |_, input| input).ok()?;
        Some((lacks, measurements))
    })
}

/// Adds the command line with these options to what is wrong with it.
pub(super) fn completed(failure: Failure, files: &str, lacks: &[String]) -> Failure {
    let Failure::Input(mut all) = failure else { return failure };
    let words = std::env::args_os().skip(1).map(|word| word.into_string().ok());
    let words: Option<Vec<String>> = words.collect();
    let words = words.unwrap_or_default();
    let quoted = words.iter().map(|word| shlex::try_quote(word).unwrap_or_default().into_owned());
    let command: Vec<String> = ["qtdec".to_owned()].into_iter().chain(quoted).chain(lacks.to_vec()).collect();
    let command = command.join(" ");
    if words.is_empty() || command.len() > LONGEST_COMMAND {
        return Failure::Input(all);
    }
    let problem = Problem::new(
        Place::File,
        format!("the command lacks {}", output::counted(lacks.len() as u64, "option", "options")),
    );
    all.extend(reports(files, &problem.help(format!("perhaps {command}")).into()));
    Failure::Input(all)
}
