//! The list of the files that commands have written to a folder, `qtdec-outputs/1`.
//!
//! ```json
//! {
//!   "format": "qtdec-outputs/1",
//!   "made_by": "qtdec 0.1.0",
//!   "command": "tune",
//!   "state": "complete",
//!   "run": "5f0c2b7a91d3e846",
//!   "files": ["bcast.rs"],
//!   "earlier": ["allreduce.rs"]
//! }
//! ```
//!
//! While the files are replaced, `state` is `incomplete`. `run` is different in each run. `earlier` names files of earlier runs that are
//! not part of the set any more.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Component, Path};

use qtdec_study::readers::open_entry;
use serde_json::{Value, json};

pub(crate) const NAME: &str = "qtdec-outputs.json";

const FORMAT: &str = "qtdec-outputs/1";

/// The maximum size of a list, far more than that of one with all files of any command.
const MAX_BYTES: u64 = 4 << 20;

/// The files that commands have written to a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The command that wrote the set, or began to.
    pub(crate) command: String,
    /// Whether all files of the set were written.
    pub(crate) is_complete: bool,
    pub(crate) run: String,
    pub(crate) files: BTreeSet<String>,
    /// Files of earlier runs, which the last one had no part in.
    pub(crate) earlier: BTreeSet<String>,
}

impl List {
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

    /// Returns whether a command has written a file of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.contains(name) || self.earlier.contains(name)
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
        let is_complete = match text("state")? {
            "complete" => true,
            "incomplete" => false,
            other => return Err(format!("in the state `{other}`, which is not known")),
        };
        let files = names(value.get("files"))?.ok_or("without `files`")?;
        let earlier = names(value.get("earlier"))?.unwrap_or_default();
        let (command, run) = (text("command")?.to_owned(), text("run")?.to_owned());
        Ok(Self { command, is_complete, run, files, earlier })
    }

    pub(crate) fn to_json(&self) -> String {
        let mut value = json!({
            "format": FORMAT,
            "made_by": concat!("qtdec ", env!("CARGO_PKG_VERSION")),
            "command": self.command,
            "state": if self.is_complete { "complete" } else { "incomplete" },
            "run": self.run,
            "files": self.files,
        });
        if !self.earlier.is_empty() {
            value["earlier"] = json!(self.earlier);
        }
        format!("{value:#}\n")
    }
}

/// Parses an array of names of files.
fn names(value: Option<&Value>) -> Result<Option<BTreeSet<String>>, String> {
    let Some(value) = value else { return Ok(None) };
    let names = value.as_array().ok_or("without an array of names")?;
    let name = |name: &Value| match name.as_str() {
        Some(text) if is_file_name(text) => Ok(text.to_owned()),
        _ => Err(format!("with `{name}`, which is not the name of a file")),
    };
    names.iter().map(name).collect::<Result<_, _>>().map(Some)
}

/// Returns whether a name is that of a file in the folder itself.
fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> List {
        List {
            command: "tune".to_owned(),
            is_complete: false,
            run: "1".to_owned(),
            files: ["a.rs".to_owned(), "b.rs".to_owned()].into(),
            earlier: ["c.rs".to_owned()].into(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for is_complete in [false, true] {
            let list = List { is_complete, ..list() };
            assert_eq!(List::parse(list.to_json().as_bytes()), Ok(list));
        }
    }

    #[test]
    fn other_files_are_no_lists() {
        let good = list().to_json();
        for (from, to, said) in [
            ("{", "", "not JSON"),
            ("qtdec-outputs/1", "qtdec-outputs/2", "another version"),
            ("qtdec-outputs/1", "qtdec-map/1", "not of the format"),
            ("incomplete", "begun", "in the state `begun`"),
            ("\"files\"", "\"fils\"", "without `files`"),
            ("\"command\"", "\"comand\"", "without `command`"),
            ("\"run\"", "\"ran\"", "without `run`"),
            ("a.rs", "../a.rs", "not the name of a file"),
            ("a.rs", "a/", "not the name of a file"),
            ("a.rs", ".", "not the name of a file"),
            ("\"a.rs\"", "1", "not the name of a file"),
        ] {
            let wrong = good.replacen(from, to, 1);
            let error = List::parse(wrong.as_bytes()).unwrap_err();
            assert!(error.contains(said), "{wrong}: {error}");
        }
        for wrong in ["", "[]", "{}", "1", "null", "{\"format\":1}"] {
            assert!(List::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
