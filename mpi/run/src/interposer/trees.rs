//! The trees of a folder.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind};
use std::path::Path;

use qtdec_core::Document;
use qtdec_mpi_schedule::Collective;

use super::decision::Decision;

#[derive(Debug, Default)]
pub(super) struct Trees {
    decisions: Vec<(Collective, Decision)>,
    /// A number that differs where the files differ.
    pub(super) hash: u64,
}

impl Trees {
    /// Reads the files of a folder that have the names `tune` gives them, such as `bcast.tree.json`.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let texts = texts(folder)?;
        let named = texts.iter().map(|(collective, text)| (*collective, &**text, path(folder, *collective)));
        Self::new(named)
    }

    /// Reads texts of trees, each with the place that it is from.
    pub(super) fn new<'t>(
        texts: impl IntoIterator<Item = (Collective, &'t [u8], String)>,
    ) -> Result<Self, String> {
        let mut decisions = Vec::new();
        let mut hasher = DefaultHasher::new();
        for (collective, text, place) in texts {
            let told = |error: String| format!("{place}: {error}");
            (collective, text).hash(&mut hasher);
            let document = Document::from_json(text).map_err(|problems| {
                let all = problems.to_string();
                told(all.lines().next().unwrap_or_default().to_owned())
            })?;
            let tree = match document {
                Document::Tree(tree) => tree,
                Document::Map(_) => {
                    return Err(told("this is a map: make a tree of it with qtdec encode".to_owned()));
                }
            };
            decisions.push((collective, Decision::new(collective, tree).map_err(told)?));
        }
        Ok(Self { decisions, hash: hasher.finish() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Returns whether a decision depends on the nodes of the ranks.
    pub(super) fn ask_nodes(&self) -> bool {
        self.decisions.iter().any(|(_, decision)| decision.asks_nodes())
    }

    pub(super) fn of(&self, collective: Collective) -> Option<&Decision> {
        self.decisions.iter().find(|(known, _)| *known == collective).map(|(_, decision)| decision)
    }
}

fn path(folder: &Path, collective: Collective) -> String {
    folder.join(format!("{collective}.tree.json")).display().to_string()
}

/// Reads a regular file: every process would wait for the writer of a pipe.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let is_other = !fs::metadata(path)?.is_file();
    if is_other { Err(io::Error::other("it is not a regular file")) } else { fs::read(path) }
}

pub(super) fn texts(folder: &Path) -> Result<Vec<(Collective, Vec<u8>)>, String> {
    fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut texts = Vec::new();
    for collective in Collective::ALL {
        let path = path(folder, collective);
        match read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            read => texts.push((collective, read.map_err(|error| format!("{path}: {error}"))?)),
        }
    }
    if texts.is_empty() {
        return Err(format!(
            "{}: there is no tree, such as bcast.tree.json: name a folder with trees of qtdec encode or qtdec-mpi tune",
            folder.display()
        ));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    #[test]
    fn a_folder_is_read_and_its_faults_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |place: &Path| Trees::read(place).unwrap_err();
        assert!(refused(&folder.path().join("none")).contains("none: No such file"));
        assert!(refused(folder.path()).contains("there is no tree, such as bcast.tree.json"));
        let file = folder.path().join("bcast.tree.json");
        let tree = |name| example::constant(Collective::Bcast, name, None);
        fs::write(&file, tree("own_binomial")).unwrap();
        let trees = Trees::read(folder.path()).unwrap();
        assert!(trees.of(Collective::Bcast).is_some() && trees.of(Collective::Reduce).is_none());
        fs::write(&file, tree("own_binary")).unwrap();
        assert_ne!(Trees::read(folder.path()).unwrap().hash, trees.hash);
        fs::write(&file, &tree("own_binary")[..40]).unwrap();
        let cut = refused(folder.path());
        assert!(cut.starts_with(&format!("{}: ", file.display())) && cut.lines().count() == 1, "{cut}");
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        assert!(refused(folder.path()).ends_with("it is not a regular file"));
    }
}
