//! The deployed tree among the files of `qtdec-mpi tune`.

use std::path::Path;

use super::digest::Digest;
use super::manifest::{self, Manifest, State};
use crate::destination::folder as containing;
use crate::{Failure, output};
use qtdec_study::readers::some_of;

/// The end of the names of trees.
const TREE: &str = ".tree.json";

/// Returns the file of the deployed tree: for a folder, the tree of a collective, or else the only one. A tree of an incomplete set, or one
/// that was changed since the tuning file was written, is refused.
pub fn deployed_tree(named: &str, collective: Option<&str>) -> Result<String, Failure> {
    let path = Path::new(named);
    if path.is_dir() {
        let manifest = Manifest::of_folder(path).map_err(|why| {
            Failure::input(format!(
                "`{}` is {why}: name the deployed tree",
                path.join(manifest::NAME).display()
            ))
        })?;
        let manifest = manifest.ok_or_else(|| {
            Failure::input(format!(
                "`{named}` has no `{}`, so it is not a folder that qtdec-mpi tune wrote: name the deployed tree",
                manifest::NAME
            ))
        })?;
        let tree = path.join(tree(named, &manifest, collective)?);
        check(path, &manifest, &tree)?;
        return Ok(tree.to_string_lossy().into_owned());
    }
    let folder = containing(path);
    // A tree that was not written with a tuning file is as good as its file.
    if let (Ok(Some(manifest)), Some(name)) = (Manifest::of_folder(folder), path.file_name())
        && name.to_str().is_some_and(|name| manifest.files.contains_key(name))
    {
        check(folder, &manifest, path)?;
    }
    Ok(named.to_owned())
}

fn tree<'m>(folder: &str, manifest: &'m Manifest, collective: Option<&str>) -> Result<&'m str, Failure> {
    let trees: Vec<&str> = manifest.files.keys().filter_map(|name| name.strip_suffix(TREE)).collect();
    let found = match (collective, &trees[..]) {
        (Some(collective), _) => trees.iter().find(|tree| **tree == collective),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let name =
        found.and_then(|found| manifest.files.keys().find(|name| name.strip_suffix(TREE) == Some(found)));
    name.map(String::as_str).ok_or_else(|| {
        let of = collective.map_or_else(String::new, |collective| format!(" of {collective}"));
        Failure::input(match &trees[..] {
            [] => format!("`{folder}` has no deployed trees: name a folder that qtdec-mpi tune wrote"),
            trees => format!(
                "`{folder}` has no single tree{of}: name one of them, or its collective with --collective: {}",
                trees.join(", ")
            ),
        })
    })
}

/// Checks that a set is complete, and that its tree is the one that was written.
fn check(folder: &Path, manifest: &Manifest, tree: &Path) -> Result<(), Failure> {
    // No other command writes trees to be deployed.
    let again = "run qtdec-mpi tune again, deploy its files, and measure again";
    let refused =
        |why: &str| Err(Failure::input(format!("the files in `{}` {why}: {again}", folder.display())));
    if manifest.state == State::Incomplete {
        return refused("are incomplete, because a command did not end");
    }
    let changed = |name: &&String| !matches!(Digest::of_entry(&folder.join(name)), Ok(Some(found)) if manifest.has_written(name, found));
    let changed: Vec<&String> = manifest.files.keys().filter(changed).collect();
    if changed.iter().any(|name| tree.file_name().is_some_and(|tree| tree == name.as_str())) {
        return refused("are not those that were written together, because the tree was changed");
    }
    if !changed.is_empty() {
        let names: Vec<String> = changed.iter().map(|name| format!("`{name}`")).collect();
        output::warn(&format!(
            "files in `{}` were changed since they were written with the tree: {}",
            folder.display(),
            some_of(&names)
        ));
    }
    Ok(())
}
