//! The deployed tree among the files of `qtdec-mpi tune`.

use std::path::Path;

use super::list::{self, List};
use crate::Failure;
use crate::destination::folder as containing;
use qtdec_study::readers::open_entry;

/// The end of the names of trees.
const TREE: &str = ".tree.json";

/// Returns the file of the deployed tree: for a folder, the tree of a collective, or else the only one. A tree of an incomplete set is
/// refused.
pub fn deployed_tree(named: &str, collective: Option<&str>) -> Result<String, Failure> {
    let path = Path::new(named);
    if path.is_dir() {
        let list = List::of_folder(path).map_err(|why| {
            Failure::input(format!("`{}` is {why}: name the deployed tree", path.join(list::NAME).display()))
        })?;
        let list = list.ok_or_else(|| {
            Failure::input(format!(
                "`{named}` has no `{}`, so it is not a folder that qtdec-mpi tune wrote: name the deployed tree",
                list::NAME
            ))
        })?;
        let tree = path.join(tree(named, &list, collective)?);
        check(path, &list, &tree)?;
        return Ok(tree.to_string_lossy().into_owned());
    }
    let folder = containing(path);
    // A tree that was not written with a tuning file is as good as its file.
    if let (Ok(Some(list)), Some(name)) = (List::of_folder(folder), path.file_name())
        && name.to_str().is_some_and(|name| list.files.contains(name))
    {
        check(folder, &list, path)?;
    }
    Ok(named.to_owned())
}

fn tree<'l>(folder: &str, list: &'l List, collective: Option<&str>) -> Result<&'l str, Failure> {
    let trees: Vec<&str> = list.files.iter().filter_map(|name| name.strip_suffix(TREE)).collect();
    let found = match (collective, &trees[..]) {
        (Some(collective), _) => trees.iter().find(|tree| **tree == collective),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let name = found.and_then(|found| list.files.iter().find(|name| name.strip_suffix(TREE) == Some(found)));
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

/// Checks that a set is complete, and that its tree is a file: a pipe would be waited for.
fn check(folder: &Path, list: &List, tree: &Path) -> Result<(), Failure> {
    if list.is_complete {
        let refused = |why: &dyn std::fmt::Display| {
            Err(Failure::input(format!("cannot read `{}`: {why}", tree.display())))
        };
        return match open_entry(tree) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => refused(&"it is not there"),
            Err(error) => refused(&error),
        };
    }
    // No other command writes trees to be deployed.
    Err(Failure::input(format!(
        "the files in `{}` are incomplete, because a command did not end: run qtdec-mpi tune again, deploy its files, and measure again",
        folder.display()
    )))
}
