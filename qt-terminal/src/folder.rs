//! Folders that commands write: their files form one set, and no file of somebody else is replaced. The folder itself may be a symbolic
//! link, but links in it are not followed.
//!
//! The set is listed in the folder. All files are checked and written to temporary files before the first one is replaced. The list is
//! marked as incomplete before that, and as complete afterwards, so that a set that a killed command left is not deployed, and the next run
//! replaces it.

mod deployed;
mod list;
mod smoke;

use std::collections::BTreeSet;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::replace::Replacement;
use crate::{Failure, Outputs, output};
use list::List;
use qtdec_study::readers::some_of;

pub use deployed::deployed_tree;
pub use smoke::{NOTHING_TO_TEST, SMOKE_TEST, hash, untested};

/// How a folder is written.
#[derive(Clone, Debug, Args)]
pub struct ForceArgument {
    /// Replace files that qtdec did not write
    #[arg(long)]
    force: bool,
}

/// Returns the parser for the name of a folder. The name is part of the scripts and messages of commands, which are text.
pub fn name() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().try_map(|name| match name.into_string() {
        Ok(name) if name.is_empty() => Err("the name is empty: write . for the current folder"),
        Ok(name) => Ok(name),
        Err(_) => Err("the name is not UTF-8: choose another folder, or rename it"),
    })
}

#[derive(Debug)]
pub struct FileSet {
    command: &'static str,
    files: Vec<(String, Vec<u8>)>,
}

/// A file of a set and the place where it goes.
struct Planned<'f> {
    name: &'f str,
    bytes: &'f [u8],
    path: PathBuf,
}

impl FileSet {
    pub fn new(command: &'static str) -> Self {
        Self { command, files: Vec::new() }
    }

    /// Adds a file, which is written after all earlier ones.
    pub fn add(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.push((name.into(), content.into()));
    }

    /// Writes all files, and the list of them. The folder is created if it does not exist. `outputs` knows the inputs of the command. Without
    /// `--force`, a link or a file that no command has written is refused, and nothing is replaced. `force` is `None` if the command has no
    /// such argument.
    pub fn write(
        &self,
        folder: &str,
        mut outputs: Outputs,
        force: Option<&ForceArgument>,
    ) -> Result<(), Failure> {
        let named = folder;
        let folder = Path::new(folder);
        fs::create_dir_all(folder)
            .map_err(|error| Failure::input(format!("cannot create `{named}`: {error}")))?;
        let own_list = outputs.add_entry(&folder.join(list::NAME))?;
        let before = List::of_folder(folder);
        let planned = self.planned(folder, &mut outputs)?;
        if !force.is_some_and(|argument| argument.force) {
            let remedy = if force.is_some() { "replace them with --force" } else { "remove them" };
            check_owned(named, &before, &planned, remedy)?;
        }
        let earlier = earlier(folder, before.ok().flatten(), &planned);
        let begun = List {
            command: self.command.to_owned(),
            is_complete: false,
            run: format!("{:016x}", RandomState::new().build_hasher().finish()),
            files: self.files.iter().map(|(name, _)| name.clone()).collect(),
            earlier,
        };
        let mut first = vec![staged(folder, list::NAME, &own_list, begun.to_json().as_bytes())?];
        for Planned { name, bytes, path } in &planned {
            first.push(staged(folder, name, path, bytes)?);
        }
        let ended = List { is_complete: true, ..begun.clone() };
        let last = staged(folder, list::NAME, &own_list, ended.to_json().as_bytes())?;
        let incomplete = |error: io::Error| {
            Failure::input(format!(
                "cannot replace a file of `{named}`: {error}; the files are incomplete until the command is run again"
            ))
        };
        first.into_iter().try_for_each(Replacement::commit).map_err(incomplete)?;
        if List::of_folder(folder).ok().flatten().as_ref() != Some(&begun) {
            // The other command may have ended: its files are not one set either.
            let again = staged(folder, list::NAME, &own_list, begun.to_json().as_bytes())?;
            again.commit().map_err(incomplete)?;
            return Err(Failure::input(format!(
                "another command wrote to `{named}` at the same time: run one of them again"
            )));
        }
        last.commit().map_err(incomplete)?;
        if !ended.earlier.is_empty() {
            let left: Vec<String> = ended.earlier.iter().map(|name| format!("`{name}`")).collect();
            output::note(&format!("files of earlier runs are still in `{named}`: {}", some_of(&left)));
        }
        Ok(())
    }

    fn planned(&self, folder: &Path, outputs: &mut Outputs) -> Result<Vec<Planned<'_>>, Failure> {
        let planned = self
            .files
            .iter()
            .map(|(name, bytes)| Ok(Planned { name, bytes, path: outputs.add_entry(&folder.join(name))? }));
        planned.collect()
    }
}

/// Writes a content to a temporary file.
fn staged(folder: &Path, name: &str, path: &Path, bytes: &[u8]) -> Result<Replacement, Failure> {
    Replacement::new(path, bytes).map_err(|error| {
        let name = folder.join(name);
        Failure::input(format!("cannot write `{}`: {error}; nothing was replaced", name.display()))
    })
}

/// Checks that no file would be replaced that no command has written.
fn check_owned(
    folder: &str,
    before: &Result<Option<List>, String>,
    planned: &[Planned<'_>],
    remedy: &str,
) -> Result<(), Failure> {
    let known = before.as_ref().ok().and_then(Option::as_ref);
    let mut refused: Vec<String> =
        before.as_ref().err().map(|why| format!("`{}` is {why}", list::NAME)).into_iter().collect();
    for Planned { name, path, .. } in planned {
        if path.is_symlink() {
            refused.push(format!("`{name}` is a symbolic link, which qtdec does not write"));
        } else if path.exists() && !known.is_some_and(|known| known.has(name)) {
            refused.push(format!("`{name}` was not written by qtdec, or has no entry in `{}`", list::NAME));
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "files in `{folder}` would be lost:\n  {}\nchoose another folder, move the files, or {remedy}",
        refused.join("\n  ")
    )))
}

/// Returns the files of earlier runs that the new set does not have.
fn earlier(folder: &Path, before: Option<List>, planned: &[Planned<'_>]) -> BTreeSet<String> {
    let Some(List { files, earlier, .. }) = before else { return BTreeSet::new() };
    let names = files.into_iter().chain(earlier);
    let names = names.filter(|name| !planned.iter().any(|file| file.name == name));
    names.filter(|name| fs::symlink_metadata(folder.join(name)).is_ok_and(|found| found.is_file())).collect()
}
