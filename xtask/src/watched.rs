//! Commands whose time and memory are measured.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

use crate::outcome::{Outcome, REASON, SKIPPED};

/// The resources that a command and its children used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    /// The time that passed.
    pub wall: Duration,
    /// The processor time, of users and of the system.
    pub processor: Duration,
    /// The memory of the largest process, in bytes.
    pub peak: u64,
}

/// Runs a command and passes each line that it prints to `see`. A command that ends with the code [`SKIPPED`] was skipped.
pub fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> (Result<Outcome, String>, Used) {
    let start = Instant::now();
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return (Err(format!("{command:?}: {error}")), Used::default()),
    };
    let mut last = String::new();
    let printed = child.stdout.take().map(|printed| BufReader::new(printed).lines());
    for line in printed.into_iter().flatten().map_while(Result::ok) {
        see(&line);
        last = line;
    }
    let ended = match child.wait4() {
        Ok(ended) => ended,
        Err(error) => return (Err(format!("{command:?}: {error}")), Used::default()),
    };
    let processor = ended.rusage.utime + ended.rusage.stime;
    let used = Used { wall: start.elapsed(), processor, peak: ended.rusage.maxrss };
    let result = match (ended.status.code(), last.strip_prefix(REASON)) {
        (Some(0), _) => Ok(Outcome::Held(String::new())),
        (Some(code), Some(why)) if code == i32::from(SKIPPED) => Ok(Outcome::Skipped(why.to_owned())),
        _ => Err(ended.status.to_string()),
    };
    (result, used)
}

/// Runs a command that prints its own result.
///
/// # Errors
///
/// Returns how it failed.
pub fn run(command: &mut Command) -> Result<Outcome, String> {
    watch(command, |line| println!("{line}")).0
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{Outcome, watch};

    fn shell(script: &str) -> Result<Outcome, String> {
        watch(Command::new("sh").args(["-c", script]), |_| ()).0
    }

    #[test]
    fn the_exit_code_and_the_last_line_are_the_result() {
        assert_eq!(shell("echo done"), Ok(Outcome::Held(String::new())));
        assert_eq!(shell("echo skipped: no disk; exit 77"), Ok(Outcome::Skipped("no disk".to_owned())));
        assert_eq!(shell("exit 77"), Err("exit status: 77".to_owned()), "a reason is required");
        assert_eq!(shell("echo skipped: no; exit 1"), Err("exit status: 1".to_owned()));
    }

    #[test]
    fn time_and_memory_are_those_of_all_processes() {
        let mut seen = Vec::new();
        let (result, used) = watch(
            Command::new("sh")
                .args(["-c", "head -c 20000000 /dev/zero | tail -c 20000000 | wc -c; echo end"]),
            |line| seen.push(line.trim().to_owned()),
        );
        assert_eq!(
            (result, seen),
            (Ok(Outcome::Held(String::new())), vec!["20000000".to_owned(), "end".to_owned()])
        );
        assert!(used.peak > 20_000_000 && used.processor.as_micros() > 0, "{used:?}");
    }
}
