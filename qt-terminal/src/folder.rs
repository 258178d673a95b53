//! Folders that commands write: their files form one set, and no file of somebody else is replaced. The folder itself may be a symbolic
//! link, but links in it are not followed.
//!
//! The set is listed, with hashes, in a `Manifest` in the folder. All files are checked and written to temporary files before
//! the first one is replaced. The list is marked as incomplete before that, and as complete afterwards, so that the next run
//! recognises a set that a killed command left, and repairs it.

mod deployed;
mod digest;
mod lock;
mod manifest;
mod smoke;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::replace::Replacement;
use crate::temporary::Temporary;
use crate::{Failure, Outputs, output};
use digest::Digest;
use lock::Lock;
use manifest::{Entry, Manifest, State};
use qtdec_study::readers::some_of;

pub use deployed::deployed_tree;
pub use smoke::{NOTHING_TO_TEST, SMOKE_TEST, untested};

/// Returns the SHA-256 hash of a content, as in the list of a folder.
pub fn hash(bytes: &[u8]) -> String {
    Digest::from_bytes(bytes).to_string()
}

/// The beginning of the names of temporary files, which only the command that has locked the folder creates.
const PREFIX: &str = ".qtdec-outputs-";

/// How a folder is written.
#[derive(Clone, Debug, Args)]
pub struct ForceArgument {
    /// Replace files that qtdec did not write, or that were edited since
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
    /// Whether a symbolic link has the name, which is replaced, and not its target.
    is_link: bool,
    entry: Entry,
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
    /// `--force`, a link or a file that no command has written like this is refused, and nothing is replaced. `force` is `None` if the
    /// command has no such argument.
    pub fn write(
        &self,
        folder: &str,
        mut outputs: Outputs,
        force: Option<&ForceArgument>,
    ) -> Result<(), Failure> {
        let named = folder;
        let folder = Path::new(folder);
        let failed =
            |what: &str, error: &io::Error| Failure::input(format!("cannot {what} `{named}`: {error}"));
        fs::create_dir_all(folder).map_err(|error| failed("create", &error))?;
        let lock = Lock::acquire(folder).map_err(|error| failed("write to", &error))?;
        if lock.as_ref().is_some_and(|lock| lock.is_left_over) {
            remove_left_over(folder);
        }
        let own_list = outputs.add_entry(&folder.join(manifest::NAME))?;
        let before = Manifest::of_folder(folder);
        let planned = self.planned(folder, &mut outputs)?;
        if !force.is_some_and(|argument| argument.force) {
            let remedy = if force.is_some() { "replace them with --force" } else { "remove them" };
            check_owned(named, &before, &planned, remedy)?;
        }
        let before = before.ok().flatten();
        let earlier = earlier(folder, before.as_ref(), &planned);

        let list = |state| self.manifest(state, &planned, earlier.clone()).to_json();
        let (begun, ended) = (list(State::Incomplete), list(State::Complete));
        let mut all = vec![(manifest::NAME, &own_list, begun.as_bytes())];
        all.extend(planned.iter().map(|file| (file.name, &file.path, file.bytes)));
        all.push((manifest::NAME, &own_list, ended.as_bytes()));
        let staged = all.into_iter().map(|(name, path, bytes)| {
            Replacement::new(PREFIX, path, bytes).map_err(|error| {
                let name = folder.join(name);
                Failure::input(format!("cannot write `{}`: {error}; nothing was replaced", name.display()))
            })
        });
        let staged: Vec<Replacement> = staged.collect::<Result<_, _>>()?;
        staged.into_iter().try_for_each(Replacement::commit).map_err(|error| {
            Failure::input(format!(
                "cannot replace a file of `{named}`: {error}; the files are incomplete until the command is run \
                 again"
            ))
        })?;
        if !earlier.is_empty() {
            let left: Vec<String> = earlier.keys().map(|name| format!("`{name}`")).collect();
            output::note(&format!("files of earlier runs are still in `{named}`: {}", some_of(&left)));
        }
        Ok(())
    }

    /// Checks every output, and hashes its old and its new content.
    fn planned(&self, folder: &Path, outputs: &mut Outputs) -> Result<Vec<Planned<'_>>, Failure> {
        let mut all = Vec::new();
        for (name, bytes) in &self.files {
            let path = outputs.add_entry(&folder.join(name))?;
            let is_link = path.is_symlink();
            let replaces = if is_link { Ok(None) } else { Digest::of_entry(&path) };
            let replaces = replaces
                .map_err(|error| Failure::input(format!("cannot read `{}`: {error}", path.display())))?;
            let entry = Entry { new: Digest::from_bytes(bytes), replaces };
            all.push(Planned { name, bytes, path, is_link, entry });
        }
        Ok(all)
    }

    fn manifest(&self, state: State, files: &[Planned<'_>], earlier: BTreeMap<String, Digest>) -> Manifest {
        let files = files.iter().map(|file| {
            let replaces = file.entry.replaces.filter(|_| state == State::Incomplete);
            (file.name.to_owned(), Entry { replaces, ..file.entry })
        });
        Manifest { command: self.command.to_owned(), state, files: files.collect(), earlier }
    }
}

/// Checks that no file would be replaced that a command has not written like this.
fn check_owned(
    folder: &str,
    before: &Result<Option<Manifest>, String>,
    planned: &[Planned<'_>],
    remedy: &str,
) -> Result<(), Failure> {
    let known = before.as_ref().ok().and_then(Option::as_ref);
    let mut refused: Vec<String> =
        before.as_ref().err().map(|why| format!("`{}` is {why}", manifest::NAME)).into_iter().collect();
    for Planned { name, is_link, entry, .. } in planned {
        if *is_link {
            refused.push(format!("`{name}` is a symbolic link, which qtdec does not write"));
        }
        let Some(old) = entry.replaces.filter(|old| *old != entry.new) else { continue };
        match known {
            Some(known) if known.has_written(name, old) => {}
            Some(known) if known.lists(name) => {
                refused.push(format!("`{name}` was edited since qtdec wrote it"));
            }
            _ => refused
                .push(format!("`{name}` was not written by qtdec, or has no entry in `{}`", manifest::NAME)),
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

/// Returns the files of earlier runs that the new set does not have and that nobody has edited.
fn earlier(folder: &Path, before: Option<&Manifest>, planned: &[Planned<'_>]) -> BTreeMap<String, Digest> {
    let Some(before) = before else { return BTreeMap::new() };
    let names = before.files.keys().chain(before.earlier.keys());
    let names = names.filter(|name| !planned.iter().any(|file| file.name == **name));
    let unchanged = names.filter_map(|name| {
        let content = Digest::of_entry(&folder.join(name)).ok()??;
        before.has_written(name, content).then(|| (name.clone(), content))
    });
    unchanged.collect()
}

/// Removes temporary files of killed commands. The folder must be locked.
fn remove_left_over(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_own = |name: &OsStr| name.to_str().is_some_and(|name| Temporary::is_name(PREFIX, name));
    for entry in entries.filter(|entry| is_own(&entry.file_name())) {
        // Whatever cannot be removed is in nobody's way.
        let _ = fs::remove_file(entry.path());
    }
}
