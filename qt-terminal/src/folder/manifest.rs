//! The list of the files that commands have written to a folder, `qtdec-outputs/1`.
//!
//! ```json
//! {
//!   "format": "qtdec-outputs/1",
//!   "made_by": "qtdec 0.1.0",
//!   "command": "tune",
//!   "state": "complete",
//!   "files": { "bcast.rs": { "sha256": "…" } },
//!   "earlier": { "allreduce.rs": { "sha256": "…" } }
//! }
//! ```
//!
//! While the files are replaced, `state` is `incomplete`, and `replaces` of a file is the hash of its old content, if it has
//! one. A file of `files` with either hash was written by a command. `earlier` lists files of earlier runs that are not part of
//! the set any more.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Component, Path};

use serde_json::{Value, json};

use super::digest::{Digest, open_entry};

pub(crate) const NAME: &str = "qtdec-outputs.json";

const FORMAT: &str = "qtdec-outputs/1";

/// The maximum size of a list, far more than that of one with all files of any command.
const MAX_BYTES: u64 = 4 << 20;

/// The files that commands have written to a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The command that wrote the set, or began to.
    pub(crate) command: String,
    pub(crate) state: State,
    pub(crate) files: BTreeMap<String, Entry>,
    /// Files of earlier runs, which the last one had no part in.
    pub(crate) earlier: BTreeMap<String, Digest>,
}

/// Whether all files of a set were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Incomplete,
    Complete,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) new: Digest,
    /// The old content, in an incomplete set.
    pub(crate) replaces: Option<Digest>,
}

impl Manifest {
    pub(crate) fn of_folder(folder: &Path) -> Result<Option<Self>, String> {
        let unreadable = |error: io::Error| format!("not readable: {error}");
        let Some(file) = open_entry(&folder.join(NAME)).map_err(unreadable)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("larger than {} MiB", MAX_BYTES >> 20));
        }
        Self::parse(&bytes).map(Some)
    }

    /// Returns whether a command has written this content of a file.
    pub(crate) fn has_written(&self, name: &str, content: Digest) -> bool {
        let of_set = |entry: &Entry| entry.new == content || entry.replaces == Some(content);
        self.files.get(name).is_some_and(of_set) || self.earlier.get(name) == Some(&content)
    }

    pub(crate) fn lists(&self, name: &str) -> bool {
        self.files.contains_key(name) || self.earlier.contains_key(name)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(bytes).map_err(|error| format!("not JSON: {error}"))?;
        match value.get("format").and_then(Value::as_str) {
            Some(FORMAT) => {}
            Some(other) if other.starts_with("qtdec-outputs/") => {
                return Err(format!("of the format `{other}`, which another version of qtdec wrote"));
            }
            _ => return Err(format!("not of the format `{FORMAT}`")),
        }
        let text = |key: &str| value.get(key).and_then(Value::as_str).ok_or(format!("without `{key}`"));
        let state = match text("state")? {
            "complete" => State::Complete,
            "incomplete" => State::Incomplete,
            other => return Err(format!("in the state `{other}`, which is not known")),
        };
        let files = entries(value.get("files").ok_or("without `files`")?)?;
        let earlier = value.get("earlier").map(entries).transpose()?.unwrap_or_default();
        let earlier = earlier.into_iter().map(|(name, entry)| (name, entry.new)).collect();
        Ok(Self { command: text("command")?.to_owned(), state, files, earlier })
    }

    pub(crate) fn to_json(&self) -> String {
        let files = self.files.iter().map(|(name, file)| {
            let file = match file.replaces {
                Some(old) => json!({ "sha256": file.new.to_string(), "replaces": old.to_string() }),
                None => json!({ "sha256": file.new.to_string() }),
            };
            (name.clone(), file)
        });
        let mut value = json!({
            "format": FORMAT,
            "made_by": concat!("qtdec ", env!("CARGO_PKG_VERSION")),
            "command": self.command,
            "state": match self.state { State::Incomplete => "incomplete", State::Complete => "complete" },
            "files": files.collect::<Value>(),
        });
        if !self.earlier.is_empty() {
            let earlier = self.earlier.iter();
            value["earlier"] =
                earlier.map(|(name, new)| (name.clone(), json!({ "sha256": new.to_string() }))).collect();
        }
        format!("{value:#}\n")
    }
}

/// Parses names of files and their hashes.
fn entries(value: &Value) -> Result<BTreeMap<String, Entry>, String> {
    let members = value.as_object().ok_or("without an object of files")?;
    let mut entries = BTreeMap::new();
    for (name, value) in members {
        if !is_file_name(name) {
            return Err(format!("with `{name}`, which is not the name of a file"));
        }
        let new = digest(name, value, "sha256")?.ok_or(format!("without a hash of `{name}`"))?;
        entries.insert(name.clone(), Entry { new, replaces: digest(name, value, "replaces")? });
    }
    Ok(entries)
}

fn digest(name: &str, value: &Value, key: &str) -> Result<Option<Digest>, String> {
    let Some(text) = value.get(key) else { return Ok(None) };
    let digest = text.as_str().and_then(Digest::parse);
    digest.map(Some).ok_or_else(|| format!("with a `{key}` of `{name}` that is no hash"))
}

/// Returns whether a name is that of a file in the folder itself.
fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let [new, old, earlier] = [b"new", b"old", b"ear"].map(|content| Digest::from_bytes(content));
        Manifest {
            command: "tune".to_owned(),
            state: State::Incomplete,
            files: [
                ("a.rs".to_owned(), Entry { new, replaces: Some(old) }),
                ("b.rs".to_owned(), Entry { new, replaces: None }),
            ]
            .into(),
            earlier: [("c.rs".to_owned(), earlier)].into(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for state in [State::Incomplete, State::Complete] {
            let manifest = Manifest { state, ..manifest() };
            assert_eq!(Manifest::parse(manifest.to_json().as_bytes()), Ok(manifest));
        }
    }

    #[test]
    fn old_new_and_earlier_contents_are_those_of_commands() {
        let manifest = manifest();
        let is_own = |name, content| manifest.has_written(name, Digest::from_bytes(content));
        assert!(is_own("a.rs", b"new") && is_own("a.rs", b"old") && is_own("b.rs", b"new"));
        assert!(is_own("c.rs", b"ear"));
        assert!(!is_own("b.rs", b"old") && !is_own("c.rs", b"new") && !is_own("d.rs", b"new"));
        assert!(manifest.lists("c.rs") && !manifest.lists("d.rs"));
    }

    #[test]
    fn other_files_are_no_lists() {
        let good = manifest().to_json();
        for (from, to, said) in [
            ("{", "", "not JSON"),
            ("qtdec-outputs/1", "qtdec-outputs/2", "another version"),
            ("qtdec-outputs/1", "qtdec-map/1", "not of the format"),
            ("incomplete", "begun", "in the state `begun`"),
            ("\"files\"", "\"fils\"", "without `files`"),
            ("\"command\"", "\"comand\"", "without `command`"),
            ("a.rs", "../a.rs", "not the name of a file"),
            ("a.rs", "a/", "not the name of a file"),
            ("a.rs", ".", "not the name of a file"),
            ("\"sha256\": \"", "\"sha256\": \"0", "is no hash"),
            ("\"replaces\": \"", "\"replaces\": \"0", "is no hash"),
            ("\"sha256\"", "\"sha\"", "without a hash"),
        ] {
            let wrong = good.replacen(from, to, 1);
            let error = Manifest::parse(wrong.as_bytes()).unwrap_err();
            assert!(error.contains(said), "{wrong}: {error}");
        }
        for wrong in ["", "[]", "{}", "1", "null", "{\"format\":1}"] {
            assert!(Manifest::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
