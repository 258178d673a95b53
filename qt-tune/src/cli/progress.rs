//! How far a command has come, shown where somebody watches.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use qtdec_core::visible;

/// A number of steps and how many of them are done, on a terminal alone; it vanishes when it is dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Shows that none of so many steps is done.
    pub(super) fn of(steps: usize) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{spinner} {pos} of {len}, {elapsed} {wide_msg}");
        let bar = ProgressBar::new(steps as u64)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Shows what the next step is about.
    pub(super) fn begin(&self, what: &str) {
        self.0.set_message(visible::line(what).into_owned());
    }

    /// Shows that another step is done.
    pub(super) fn done(&self) {
        self.0.inc(1);
    }

    /// Takes what is shown away while something else is printed.
    pub(super) fn aside(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
