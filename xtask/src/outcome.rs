//! Results of checks that not every machine can run.

use std::io;
use std::panic::{self, PanicHookInfo};
use std::process::{self, ExitCode};

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

/// The exit code that shells report for a program that `SIGPIPE` ended.
const UNREAD: i32 = 141;

/// What the last line of such a program begins with.
pub const REASON: &str = "skipped: ";

/// Returns the outcome of a check that says itself what it did.
pub fn held((): ()) -> Outcome {
    Outcome::Held(String::new())
}

/// Ends the process quietly when nobody reads its output any more, as after `| head`; `print!` would panic.
pub fn end_with_the_reader() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if is_unread(info) {
            process::exit(UNREAD);
        }
        others(info);
    }));
}

/// Returns whether a panic is that of `print!` with a broken pipe.
fn is_unread(info: &PanicHookInfo<'_>) -> bool {
    let text = info.payload().downcast_ref::<String>().map_or("", String::as_str);
    let broken = io::Error::from(io::ErrorKind::BrokenPipe).to_string();
    text.strip_prefix("failed printing to stdout: ")
        .is_some_and(|error| error.to_lowercase().starts_with(&broken))
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
