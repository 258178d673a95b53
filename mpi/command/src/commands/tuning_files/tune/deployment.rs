//! The files that are deployed: the tuning file, the one beside it, the script with the switches, and that of the smoke test.

use qtdec_mpi_library::tuning::{Companion, Format, LibraryRules, Written, provenance};

use super::collectives::One;
use super::inputs::{Inputs, absolute};
use super::smoke;
use crate::commands::tuning_files::file_check::check_written;
use crate::commands::tuning_files::into_files::name_beside;
use crate::commands::tuning_files::tuning_file::{NO_SWITCHES, SWITCHES};
use qtdec_terminal::folder::SMOKE_TEST;
use qtdec_terminal::{Failure, Input, reported};

/// The files that are deployed, each with its comments.
pub(super) struct Deployment {
    /// The tuning file, the scripts, and the file beside it, by their names in the folder.
    pub(super) files: Vec<(String, String)>,
    /// Whether some rule forces an algorithm.
    pub(super) is_deployed: bool,
    /// What users should know of the rules, as sentences.
    pub(super) remarks: Vec<String>,
}

impl Deployment {
    /// Writes the files of all collectives, and checks them as `qtdec-mpi check` does. `marks` are comments about the times.
    pub(super) fn new(inputs: &Inputs<'_>, all: &[One], marks: Vec<String>) -> Result<Self, Failure> {
        let rules = rules(inputs.format, all);
        let is_deployed = rules.iter().any(|rules| rules.forced() > 0);
        let mut beside = if is_deployed { beside(inputs, all)? } else { None };
        let rules: Vec<LibraryRules> = match beside {
            Some(_) => rules.iter().map(LibraryRules::without_nodes).collect(),
            None => rules,
        };
        let into = inputs.into.whole.as_ref();
        let written = inputs.format.write(&rules, into.map(Input::bytes));
        let Written { text, switches, .. } = match into {
            Some(into) => into.check(written)?,
            None => reported(&inputs.files(), written)?,
        };
        let mut remarks = remarks(all);
        let comments = provenance::comments(&[marks, remarks.clone()].concat(), "# ", "");
        let rules_path = Some(&*inputs.rules_path);
        let script = match &beside {
            Some((companion, name, beside)) => {
                let path = absolute(&inputs.arguments.output, name)?;
                beside.switches.script(Some(&path)) + &(companion.kept_by)(switches).script(rules_path)
            }
            None => switches.script(rules_path),
        };
        let switches = if is_deployed { format!("{comments}{script}") } else { NO_SWITCHES.to_owned() };
        let comments = if inputs.format.has_comments { &*comments } else { "" };
        let tuning_file = (inputs.tuning_file(), inputs.format.commented(comments, &text));
        check_written((inputs.format, inputs.release), (&tuning_file.0, &tuning_file.1), into)?;
        if let Some((companion, name, beside)) = &mut beside {
            beside.text.insert_str(0, comments);
            let (format, own_file) = ((companion.format)(), inputs.into.device.as_ref());
            check_written((format, inputs.release), (name, &beside.text), own_file)?;
        }
        let beside = beside.map(|(_, name, beside)| (name, beside.text));
        remarks.extend(is_deployed.then(|| unreached(inputs.format, &tuning_file.0)).flatten());
        let name_beside = beside.as_ref().map(|(name, _)| &**name);
        let smoke = (SMOKE_TEST.to_owned(), smoke::script(&rules, &tuning_file, name_beside));
        let files = [tuning_file, (SWITCHES.to_owned(), switches)];
        let files = files.into_iter().chain(beside).chain([smoke]).collect();
        Ok(Self { files, is_deployed, remarks })
    }

    pub(super) fn switches(&self) -> &str {
        self.files.iter().find(|(name, _)| name == SWITCHES).map_or("", |(_, text)| text)
    }
}

/// Returns the rules that are written of the collectives for which the library has algorithms: of others, our own schedules alone may have
/// been measured.
fn rules(format: &Format, all: &[One]) -> Vec<LibraryRules> {
    let rules = all.iter().map(|one| &one.written().rules);
    rules.filter(|rules| !format.library.algorithms(&rules.collective).is_empty()).cloned().collect()
}

/// Returns the file beside the tuning file with its name, if it has rules.
fn beside(inputs: &Inputs<'_>, all: &[One]) -> Result<Option<(Companion, String, Written)>, Failure> {
    let Some(companion) = inputs.companion else { return Ok(None) };
    let rules: Vec<LibraryRules> = all.iter().filter_map(|one| one.written().beside.clone()).collect();
    if rules.is_empty() {
        return Ok(None);
    }
    let own_file = inputs.into.device.as_ref();
    let written = (companion.write)(&rules, own_file.map(Input::bytes));
    let written = match own_file {
        Some(own_file) => own_file.check(written)?,
        None => reported(&inputs.files(), written)?,
    };
    Ok(Some((companion, name_beside(&companion, &inputs.tuning_file())?, written)))
}

/// Returns what users should know of the rules that are written, as sentences.
fn remarks(all: &[One]) -> Vec<String> {
    let written = all.iter().filter(|one| one.claim.is_written());
    written.flat_map(|one| one.tuned.ruled.rules.remarks()).map(sentence).collect()
}

fn sentence(clause: &str) -> String {
    let (first, rest) = clause.split_at(clause.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}.", first.to_uppercase())
}

/// Returns the sentence that names the calls of MPI which no rule of a format reaches, if there are any.
fn unreached(format: &Format, tuning_file: &str) -> Option<String> {
    let names = format.library.unreached().names();
    let (last, first) = names.split_last()?;
    let first = if first.is_empty() { String::new() } else { format!("{} or ", first.join(", ")) };
    Some(format!("No rule in {tuning_file} reaches {first}{last}."))
}
