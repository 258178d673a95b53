//! Shell completions, loaded by the shells themselves, and manual pages. Every machine that runs these tests has
//! bash.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns both programs, with their names.
fn programs() -> [(&'static str, PathBuf); 2] {
    ["qtdec", "qtdec-mpi"].map(|name| (name, Path::new(qtdec_commands::qtdec()).with_file_name(name)))
}

fn completions(program: &Path, shell: &str) -> String {
    let run = Command::new(program).args(["completions", shell]).output();
    let run = run.expect("the command runs");
    assert!(run.status.success(), "{shell}");
    String::from_utf8(run.stdout).expect("it is text")
}

/// Returns the commands that the help page lists.
fn commands(program: &Path) -> Vec<String> {
    let help = Command::new(program).arg("--help").output().expect("the program runs");
    let help = String::from_utf8(help.stdout).expect("it is text");
    let (_, grouped) = help.split_once("Usage: ").expect("the help has a line of usage");
    let (grouped, _) = grouped.split_once("\nOptions:\n").expect("and options");
    let lines = grouped.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    lines.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    for (name, program) in programs() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let run = Command::new(&program).arg("man").arg(folder.path()).status();
        assert!(run.expect("the command runs").success());
        for command in commands(&program) {
            let page = std::fs::read_to_string(folder.path().join(format!("{name}-{command}.1")));
            let page = page.unwrap_or_else(|error| panic!("{command}: {error}"));
            assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{command}: {page:.80}");
            assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{command}");
        }
        assert!(folder.path().join(format!("{name}.1")).exists());
        let is_nested = folder.path().join("qtdec-mpi-network-show.1").exists();
        assert_eq!(is_nested, name == "qtdec-mpi");
    }
}

#[test]
fn every_shell_gets_every_command() {
    for (name, program) in programs() {
        let commands = commands(&program);
        assert!(commands.len() > 12, "{commands:?}");
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let script = completions(&program, shell);
            let words: HashSet<&str> =
                script.split(|end: char| !(end.is_alphanumeric() || end == '-')).collect();
            for command in &commands {
                assert!(words.contains(&**command), "{name}, {shell}: {command}");
            }
        }
    }
}

#[test]
fn bash_completes_options_and_their_values() {
    let ask = |words: &[&str]| {
        let last = words.len() - 1;
        let script = format!(
            "{}\nCOMP_WORDS=({}); COMP_CWORD={last}; _qtdec qtdec \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{}]}}\"; \
             echo \"${{COMPREPLY[*]}}\"",
            completions(Path::new(qtdec_commands::qtdec()), "bash"),
            words.join(" "),
            last - 1
        );
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-s"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut bash = bash.spawn().expect("bash runs");
        // The script is longer than an argument may be.
        bash.stdin.take().expect("it reads").write_all(script.as_bytes()).expect("it reads the script");
        let run = bash.wait_with_output().expect("bash ends");
        String::from_utf8(run.stdout).expect("it is text").trim().to_owned()
    };
    assert_eq!(ask(&["qtdec", "comb"]), "combine");
    assert_eq!(ask(&["qtdec", "map", "--elem"]), "--element-size");
    assert_eq!(ask(&["qtdec", "emit", "--target", "lookup-t"]), "lookup-table");
}
