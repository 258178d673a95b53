//! Progress on standard error.

use std::io::{IsTerminal, Write as _, stderr};
use std::time::Duration;

/// Shows where a measurement stands: in a terminal each point, elsewhere nothing but the end.
pub(crate) struct Progress {
    is_shown: bool,
    is_terminal: bool,
}

impl Progress {
    pub(crate) fn new(is_shown: bool) -> Self {
        Self { is_shown, is_terminal: stderr().is_terminal() }
    }

    pub(crate) fn point(&self, round: usize, rounds: usize, described: &str) {
        if self.is_shown && self.is_terminal {
            self.write(&format!("\r\x1b[2Kround {} of {rounds}: {described}", round + 1));
        }
    }

    pub(crate) fn end(&self, rounds: usize, points: usize, methods: usize, elapsed: Duration) {
        let clear = if self.is_terminal { "\r\x1b[2K" } else { "" };
        let seconds = elapsed.as_secs_f64();
        self.write(&format!(
            "{clear}measured {methods} methods at {points} points in {rounds} rounds and {seconds:.1} s\n"
        ));
    }

    /// Writes a line that is of interest in any case.
    pub(crate) fn line(&self, line: &str) {
        self.write(&format!("{line}\n"));
    }

    fn write(&self, text: &str) {
        if self.is_shown {
            let mut stderr = stderr().lock();
            // A benchmark goes on without its progress.
            let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
        }
    }
}
