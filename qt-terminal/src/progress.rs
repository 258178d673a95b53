//! The progress of a command, shown in a terminal.

use std::io::{IsTerminal, Read};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use qtdec_core::visible;

/// The number of steps and how many of them are complete, shown only in a terminal; it disappears when it is dropped.
pub struct Progress(ProgressBar, Option<DelayedMessage>);

/// The state of progress that is only shown after a while.
struct DelayedMessage {
    is_over: Arc<Mutex<bool>>,
    /// Wakes the thread that waits.
    _waiting: Sender<()>,
}

/// The time after which a progress message is shown.
const LATE: Duration = Duration::from_millis(500);

/// The time after which the progress of reading is shown.
const READING: Duration = Duration::from_secs(1);

impl Progress {
    /// Shows the number of steps, none of which is complete.
    pub fn new(steps: usize) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden(), None);
        }
        let style = ProgressStyle::with_template("{spinner} {pos} of {len}, {elapsed} {wide_msg}");
        let bar = ProgressBar::new(steps as u64)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar, None)
    }

    /// Shows a progress message if the work takes more than half a second.
    pub fn late(what: &str) -> Self {
        let bar = hidden("{spinner} {elapsed} {wide_msg}");
        bar.set_message(visible::line(what).into_owned());
        Self::delayed(bar, LATE)
    }

    /// Shows the number of bytes that were read, if reading takes more than a second.
    pub fn reading() -> Self {
        Self::delayed(hidden("{spinner} {bytes} at {bytes_per_sec} {wide_msg}"), READING)
    }

    /// Returns an input whose bytes are counted.
    pub fn read(&self, name: &str, input: Box<dyn Read>) -> Box<dyn Read> {
        self.begin(name);
        Box::new(self.0.wrap_read(input))
    }

    fn delayed(bar: ProgressBar, delay: Duration) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(bar, None);
        }
        let (waiting, wait) = mpsc::channel();
        let is_over = Arc::new(Mutex::new(false));
        let (shown, is_over_then) = (bar.clone(), Arc::clone(&is_over));
        thread::spawn(move || {
            if wait.recv_timeout(delay) == Err(RecvTimeoutError::Timeout)
                && let is_over = is_over_then.lock().unwrap_or_else(PoisonError::into_inner)
                && !*is_over
            {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(200));
            }
        });
        Self(bar, Some(DelayedMessage { is_over, _waiting: waiting }))
    }

    /// Shows the subject of the next step.
    pub fn begin(&self, what: &str) {
        self.0.set_message(visible::line(what).into_owned());
    }

    /// Shows that another step is complete.
    pub fn done(&self) {
        self.0.inc(1);
    }

    /// Hides the progress while something else is printed.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

/// Returns progress that is not shown yet.
fn hidden(template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style)
}

impl Drop for Progress {
    fn drop(&mut self) {
        let over = self.1.as_ref().map(|late| late.is_over.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(mut over) = over {
            *over = true;
        }
        self.0.finish_and_clear();
    }
}
