//! Programs that use a library's own code: they read queries from standard input, and answer each with a line.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

/// Returns the answers of a program to its queries, one for each of `count`.
pub(super) fn answers(program: &mut Command, queries: &str, count: usize) -> Result<Vec<String>, String> {
    let mut child =
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("it is piped");
    let (written, output) = thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.write_all(queries.as_bytes()));
        let output = child.wait_with_output();
        (writer.join(), output)
    });
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() || !matches!(written, Ok(Ok(()))) {
        return Err(format!("the probe ended with {}", output.status));
    }
    let answers: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    if answers.len() != count {
        return Err(format!("{} answers to {count} questions", answers.len()));
    }
    Ok(answers)
}
