//! The commands of the guide's chapter "In your program", run as they are printed under Debian's Open MPI.

use std::env;
use std::fs;
use std::process::Command;

use super::super::preloaded::{self, LIBRARIES, build_qtdec};
use xtask::machine;
use xtask::run::{root, target};

const CHAPTER: &str = "guide/src/your-program.md";

/// What a machine needs that has fewer cores than the chapter has ranks, or whose user is root, as in containers.
const SETTINGS: [(&str, &str); 3] = [
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
];

/// What the commands leave in their folder.
const FILES: [&str; 6] = [
    "profile.csv",
    "weighed.json",
    "tuned/allreduce.tree.json",
    "trace.txt",
    "observed.csv",
    "with.times.csv",
];

/// Ensures that the commands of the chapter are those of Debian's Open MPI.
pub(in super::super) fn available() -> Result<(), String> {
    preloaded::available()?;
    let said = |name: &str| {
        let output = Command::new(name).arg("--version").output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    if said("mpicc").is_none() || !said("mpirun").is_some_and(|said| said.contains("Open MPI")) {
        return Err(format!("mpirun is not that of Open MPI: install {}", LIBRARIES[0].ending));
    }
    machine::command("lmp")
}

/// Runs all commands in one shell, in an empty folder.
pub(in super::super) fn follow() -> Result<String, String> {
    build_qtdec()?;
    let text = fs::read_to_string(root().join(CHAPTER)).map_err(|error| format!("{CHAPTER}: {error}"))?;
    let (commands, blocks) = script(&text);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = [target().join("debug")].into_iter().chain(env::split_paths(&path));
    let path = env::join_paths(path).map_err(|error| error.to_string())?;
    let mut shell = Command::new("bash");
    shell.args(["-e", "-x", "-c", &commands]).current_dir(folder.path()).env("PATH", path).envs(SETTINGS);
    let output = shell.output().map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stderr);
    // The last command ends with 3 where the program is slower with the interposer, which is no fault of the chapter.
    let has_ended = matches!(output.status.code(), Some(0 | 3));
    let missing = FILES.iter().find(|file| !folder.path().join(file).exists());
    if has_ended && missing.is_none() && !told.contains("all collectives are left to the MPI library") {
        return Ok(format!("the commands of {blocks} blocks of {CHAPTER} run as printed"));
    }
    let end: Vec<&str> = told.lines().rev().take(12).collect();
    let end = end.into_iter().rev().collect::<Vec<_>>().join("\n");
    Err(format!("{CHAPTER}: ended with {}, without {missing:?}\n{end}", output.status))
}

/// Returns the text of all blocks of the shell, and their number.
fn script(chapter: &str) -> (String, usize) {
    let (mut text, mut blocks, mut is_shell) = (String::new(), 0, false);
    for line in chapter.lines() {
        if let Some(language) = line.strip_prefix("```") {
            is_shell = !is_shell && language == "sh";
            blocks += usize::from(is_shell);
        } else if is_shell {
            text += line;
            text.push('\n');
        }
    }
    (text, blocks)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{CHAPTER, root, script};

    #[test]
    fn the_blocks_of_the_shell_are_one_script() {
        let text = "text\n```sh\none\n```\n```csv\na,b\n```\n```sh\ntwo\n```\n";
        assert_eq!(script(text), ("one\ntwo\n".to_owned(), 2));
        let (commands, blocks) = script(&fs::read_to_string(root().join(CHAPTER)).unwrap());
        assert!(blocks == 4 && commands.contains("qtdec verify") && !commands.contains('…'));
    }
}
