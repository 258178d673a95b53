//! The smoke test of deployed files, whose script `qtdec-mpi tune` writes among them, and whose result stands beside them.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use qtdec_study::readers::open_entry;
use sha2::{Digest, Sha256};

use super::list::List;
use crate::destination::folder as containing;

/// The script, which is written with the files, and its result.
pub const SMOKE_TEST: &str = "smoke.sh";
const RESULT: &str = "smoke.txt";

/// The script of files without anything to test. It replaces one of an earlier run.
pub const NOTHING_TO_TEST: &str = "#!/bin/sh\n\
    echo 'nothing to test: no rule forces an algorithm'\n";

/// The number of bytes of a result that are read.
const MAX_BYTES: u64 = 64 << 10;

/// The number of bytes of a file that are read. No command writes a larger one.
const MAX_FILE: u64 = 256 << 20;

/// Returns what is to be said of the smoke test of a deployed tree or folder: why it does not speak for the files as they are. Returns
/// `None` if it accepted them, or if nothing is to be tested.
pub fn untested(deployed: &str) -> Option<String> {
    let path = Path::new(deployed);
    let folder = if path.is_dir() { path } else { containing(path) };
    let list = List::of_folder(folder).ok()??;
    if !list.files.contains(SMOKE_TEST) || content(folder, SMOKE_TEST)? == NOTHING_TO_TEST.as_bytes() {
        return None;
    }
    let mut result = String::new();
    let opened = open_entry(&folder.join(RESULT)).ok().flatten();
    let read = opened.map(|file| file.take(MAX_BYTES).read_to_string(&mut result));
    let mut lines = result.lines();
    let (said, tested) =
        (lines.next().unwrap_or_default(), lines.next().and_then(|line| line.split_once(' ')));
    let is_tested = |(name, hash): (&str, &str)| {
        list.files.contains(name) && content(folder, name).is_some_and(|bytes| self::hash(&bytes) == hash)
    };
    let what = match (read, tested) {
        (None | Some(Err(_)), _) => "has not run".to_owned(),
        (_, None) => "did not end".to_owned(),
        (_, Some(tested)) if !is_tested(tested) => "was of another tuning file".to_owned(),
        _ if said.starts_with("accepted") => return None,
        _ => said.to_owned(),
    };
    let script = folder.join(SMOKE_TEST).display().to_string();
    let script = shlex::try_quote(&script).unwrap_or_default();
    Some(format!(
        "the smoke test of the files in `{}` {what}: sh {script} LAUNCHER qtdec-bench",
        folder.display()
    ))
}

/// Returns the SHA-256 hash of a content, written as in the output of `sha256sum`.
pub fn hash(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Returns the content of a regular file in a folder.
fn content(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open_entry(&folder.join(name)).ok()??.take(MAX_FILE).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::{NOTHING_TO_TEST, RESULT, hash, untested};
    use crate::destination::Outputs;
    use crate::folder::{FileSet, ForceArgument};

    #[derive(Parser)]
    struct Force {
        #[command(flatten)]
        force: ForceArgument,
    }

    #[test]
    fn a_test_speaks_for_the_files_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().to_str().unwrap();
        let mut set = FileSet::new("tune");
        set.add("rules.conf", "1\n");
        set.add("bcast.tree.json", "{}");
        let write = |set: &FileSet| {
            set.write(name, Outputs::new([]), Some(&Force::parse_from(["x"]).force)).unwrap();
        };
        write(&set);
        assert_eq!(untested(name), None, "no script was written");
        let mut nothing = FileSet::new("tune");
        nothing.add("rules.conf", "1\n");
        nothing.add("smoke.sh", NOTHING_TO_TEST);
        write(&nothing);
        assert_eq!(untested(name), None, "nothing is to be tested");
        set.add("smoke.sh", "#!/bin/sh\n");
        write(&set);
        let tree = format!("{name}/bcast.tree.json");
        let said = |result: &str| {
            fs::write(folder.path().join(RESULT), result).unwrap();
            assert_eq!(untested(name), untested(&tree));
            untested(name).map(|said| said.replace(name, "FOLDER"))
        };
        let remark = |what: &str| {
            Some(format!(
                "the smoke test of the files in `FOLDER` {what}: sh FOLDER/smoke.sh LAUNCHER qtdec-bench"
            ))
        };
        assert_eq!(untested(name).map(|said| said.replace(name, "FOLDER")), remark("has not run"));
        assert_eq!(said("the start of MPI\n"), remark("did not end"));
        let hash = hash(b"1\n");
        assert_eq!(said(&format!("accepted, 4 calls right\nrules.conf {hash}\n")), None);
        assert_eq!(said(&format!("failed: bcast\nrules.conf {hash}\n")), remark("failed: bcast"));
        assert_eq!(said(&format!("accepted\n../rules.conf {hash}\n")), remark("was of another tuning file"));
        fs::write(folder.path().join("rules.conf"), "2\n").unwrap();
        assert_eq!(said(&format!("accepted\nrules.conf {hash}\n")), remark("was of another tuning file"));
    }
}
