//! Runs the body of a target on a range of inputs: `qtdec-fuzz-bodies TARGET FIRST COUNT FILE`.
//!
//! FILE holds the number of the current input, in case the process dies.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::panic;
use std::process::{ExitCode, exit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use qtdec_fuzz_bodies::BODIES;
use qtdec_fuzz_bodies::mutate::Seeds;

/// The time limit of an input.
const PATIENCE: Duration = Duration::from_secs(5);

static NUMBER: AtomicU64 = AtomicU64::new(u64::MAX);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [target, first, count, file] = &arguments[..] else { return usage() };
    let Some((name, body)) = BODIES.into_iter().find(|(name, _)| name == target) else { return usage() };
    let (Ok(first), Ok(count)) = (first.parse::<u64>(), count.parse::<u64>()) else { return usage() };
    let Ok(file) = File::create(file) else { return usage() };
    let seeds = Seeds::for_target(name);
    thread::spawn(watch);
    let (mut panics, mut slowest) = (0_u64, (Duration::ZERO, first));
    for number in first..first + count {
        let input = seeds.input(number);
        let _ = file.write_all_at(format!("{number:20}").as_bytes(), 0);
        let began = Instant::now();
        NUMBER.store(number, Ordering::Relaxed);
        if panic::catch_unwind(|| body(&input)).is_err() {
            eprintln!("{name}: input {number} panics");
            panics += 1;
        }
        slowest = slowest.max((began.elapsed(), number));
    }
    println!("{name} {count} {panics} {} {}", slowest.0.as_micros(), slowest.1);
    if panics == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Ends the process if an input takes too long.
fn watch() {
    let (mut last, mut since) = (u64::MAX, Instant::now());
    loop {
        thread::sleep(Duration::from_millis(100));
        let number = NUMBER.load(Ordering::Relaxed);
        if number != last {
            (last, since) = (number, Instant::now());
        } else if since.elapsed() > PATIENCE {
            eprintln!("input {number} takes more than {PATIENCE:?}");
            exit(2);
        }
    }
}

fn usage() -> ExitCode {
    let targets: Vec<&str> = BODIES.iter().map(|(name, _)| *name).collect();
    eprintln!("qtdec-fuzz-bodies TARGET FIRST COUNT FILE, where TARGET is one of {}", targets.join(", "));
    ExitCode::FAILURE
}
