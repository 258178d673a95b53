//! Results of checks that not every machine can run.

use std::process::ExitCode;

/// The result of a check that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The check passed, with a description of what was checked.
    Held(String),
    /// The check could not run, with the reason.
    Skipped(String),
}

/// The exit code of a program whose check was skipped, as in Automake.
pub const SKIPPED: u8 = 77;

/// What the last line of such a program begins with.
pub const REASON: &str = "skipped: ";

/// Returns the outcome of a check that says itself what it did.
pub fn held((): ()) -> Outcome {
    Outcome::Held(String::new())
}

/// Prints the result of a program's only check, and returns its exit code.
pub fn report(result: Result<Outcome, String>) -> ExitCode {
    match result {
        Ok(Outcome::Held(what)) => {
            if !what.is_empty() {
                println!("{what}");
            }
            ExitCode::SUCCESS
        }
        Ok(Outcome::Skipped(why)) => {
            println!("{REASON}{}", why.replace('\n', " "));
            ExitCode::from(SKIPPED)
        }
        Err(reason) => {
            eprintln!("\n{reason}");
            ExitCode::FAILURE
        }
    }
}
