//! The messages of new commits: a subject that fits in one line of a list, and a body that says why.

use std::process::Command;

use xtask::outcome::Outcome;
use xtask::run::{printed, root};

/// The maximum length of a subject, in characters.
const SUBJECT: usize = 72;

/// Commits by their range.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The commits, as `git log` takes them, such as `origin/main..HEAD`
    range: String,
}

/// Checks the message of each commit of a range, except merges.
pub(crate) fn commits(arguments: &Arguments) -> Result<Outcome, String> {
    let mut git = Command::new("git");
    git.args([
        "-c",
        "safe.directory=*",
        "log",
        "--no-merges",
        "-z",
        "--format=%h%n%B",
        &arguments.range,
        "--",
    ]);
    let text = printed(git.current_dir(root()))?;
    let commits: Vec<(&str, &str)> = text.split('\0').filter_map(|commit| commit.split_once('\n')).collect();
    let faults: Vec<String> = commits
        .iter()
        .flat_map(|(name, message)| faults(message).into_iter().map(move |fault| format!("{name}: {fault}")))
        .collect();
    if faults.is_empty() {
        Ok(Outcome::Held(format!("{} commits say what they do and why", commits.len())))
    } else {
        Err(faults.join("\n"))
    }
}

fn faults(message: &str) -> Vec<String> {
    let mut lines = message.trim_end().lines();
    let subject = lines.next().unwrap_or_default();
    let mut faults = Vec::new();
    let length = subject.chars().count();
    if length > SUBJECT {
        faults.push(format!("the subject has {length} characters, and {SUBJECT} are allowed: {subject}"));
    }
    match lines.next() {
        None => faults.push(format!("a body that says why is missing: {subject}")),
        Some("") => {}
        Some(_) => faults.push(format!("an empty line is missing after the subject: {subject}")),
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn a_message_has_a_short_subject_and_a_body() {
        assert_eq!(faults("Mend it\n\nIt was broken.\n"), [""; 0]);
        assert_eq!(faults("Mend it\n"), ["a body that says why is missing: Mend it"]);
        assert_eq!(
            faults("Mend it\nIt was broken.\n"),
            ["an empty line is missing after the subject: Mend it"]
        );
        let long = "ä".repeat(73);
        let said = format!("the subject has 73 characters, and 72 are allowed: {long}");
        assert_eq!(faults(&format!("{long}\n\nWhy.\n")), [said]);
        assert_eq!(faults(&format!("{}\n\nWhy.\n", "ä".repeat(72))), [""; 0]);
    }
}
