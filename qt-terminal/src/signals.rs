//! Signals that end the process: something can be done first, and the exit status stays that of the signal.

use std::ffi::c_int;
use std::sync::{Once, mpsc};
use std::{fs, thread};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

const ENDING: [c_int; 3] = [SIGHUP, SIGINT, SIGTERM];

/// Begins to watch for signals, once for each process. Before one of them ends the process, `prepare` is called, whose result is
/// kept until the end.
///
/// If no thread can be started, signals end the process at once.
pub(crate) fn watch<T: 'static>(prepare: fn() -> T) {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        let (began, beginning) = mpsc::channel();
        let watching = thread::Builder::new().name("signals".to_owned()).spawn(move || {
            // The thread that acts on signals exists before the first of them is caught.
            let signals = Signals::new(ENDING.into_iter().filter(|signal| !is_ignored(*signal)));
            let _ = began.send(());
            if let Ok(mut signals) = signals {
                signals.forever().for_each(|signal| end(signal, prepare));
            }
        });
        if watching.is_ok() {
            let _ = beginning.recv();
        }
    });
}

/// Ends the process as a signal does that nobody watches for.
fn end<T>(signal: c_int, prepare: fn() -> T) {
    let _kept = prepare();
    let _ = emulate_default_handler(signal);
}

/// Returns whether the process was started with a signal ignored, as `nohup` does: catching it would end the process.
fn is_ignored(signal: c_int) -> bool {
    match fs::read_to_string("/proc/self/status") {
        Ok(status) => is_in_ignored(&status, signal),
        // Where this is not known, a hangup is left as it is.
        Err(_) => signal == SIGHUP,
    }
}

/// Returns whether a signal is in the mask of ignored signals of Linux's description of a process.
fn is_in_ignored(status: &str, signal: c_int) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| (mask >> (signal - 1)) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_their_mask() {
        let status = "Name:\tqtdec\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert_eq!(ENDING.map(|signal| is_in_ignored(status, signal)), [true, false, false]);
        assert!(!is_in_ignored("", SIGINT));
    }
}
