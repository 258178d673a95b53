//! Shell completions, loaded by the shells themselves, and manual pages. Every machine that runs these tests has
//! bash.

use std::collections::HashSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

fn completions(shell: &str) -> String {
    let run = Command::new(qtdec_commands::qtdec()).args(["completions", shell]).output();
    let run = run.expect("the command runs");
    assert!(run.status.success(), "{shell}");
    String::from_utf8(run.stdout).expect("it is text")
}

/// Returns the subcommands that the help lists.
fn commands() -> Vec<String> {
    let help = Command::new(qtdec_commands::qtdec()).arg("--help").output().expect("the command runs");
    let help = String::from_utf8(help.stdout).expect("it is text");
    let (_, commands) = help.split_once("Commands:\n").expect("the help lists them");
    let lines = commands.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    lines.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let run = Command::new(qtdec_commands::qtdec()).arg("man").arg(folder.path()).status();
    assert!(run.expect("the command runs").success());
    for command in commands().iter().filter(|command| *command != "help") {
        let page = std::fs::read_to_string(folder.path().join(format!("qtdec-{command}.1")));
        let page = page.unwrap_or_else(|error| panic!("{command}: {error}"));
        assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{command}: {page:.80}");
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{command}");
    }
    assert!(folder.path().join("qtdec.1").exists());
    assert!(folder.path().join("qtdec-network-show.1").exists());
}

#[test]
fn every_shell_gets_every_command() {
    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = completions(shell);
        let words: HashSet<&str> = script.split(|end: char| !(end.is_alphanumeric() || end == '-')).collect();
        for command in &commands {
            assert!(words.contains(&**command), "{shell}: {command}");
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
            completions("bash"),
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
    assert_eq!(ask(&["qtdec", "imp"]), "import");
    assert_eq!(ask(&["qtdec", "map", "--elem"]), "--element-size");
    assert_eq!(ask(&["qtdec", "emit", "--target", "lookup-t"]), "lookup-table");
}
