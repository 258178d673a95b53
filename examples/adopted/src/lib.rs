//! What the measurements of decisions in published crates have in common.

use std::process::ExitCode;
use std::time::Duration;

use qtdec_measure::{Benchmark, Clock, Error, Statistic};

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// The samples, from which the decision is made.
    First,
    /// The samples again, in another process.
    Second,
    /// Sizes between the samples.
    Between,
    /// A program that uses the operation: its present form, and the one with the decision.
    Program,
}

impl Run {
    const ALL: [(&str, Self); 4] = [
        ("first", Self::First),
        ("second", Self::Second),
        ("between", Self::Between),
        ("program", Self::Program),
    ];
}

/// The name of the method that decides by the compiled function.
pub const DECIDED: &str = "decided";

/// Measures a benchmark as the arguments say: the run, the seconds that it takes, and the file for the canonical times.
///
/// Times are the processor time of the thread. The least one needs little warming up, which takes as long as several repeats. Only the first run drops slow methods early: the minimum of fewer repeats would be worse.
pub fn measure(benchmark: impl Fn(Run) -> Benchmark<'static>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, seconds, times] = &arguments[..] else {
        return failed("usage: RUN SECONDS TIMES");
    };
    let run = Run::ALL.into_iter().find_map(|(name, known)| (name == run).then_some(known));
    let (Some(run), Ok(seconds)) = (run, seconds.parse()) else {
        return failed("RUN is first, second, between or program, and SECONDS a number");
    };
    let benchmark = benchmark(run)
        .clock(Clock::Processor)
        .statistic(Statistic::Min)
        .rounds(usize::MAX)
        .warm_up(Duration::from_millis(1))
        .race(run == Run::First)
        .time_budget(Duration::from_secs(seconds));
    let written: Result<(), Error> = benchmark.measure().and_then(|measured| measured.write_times(times));
    written.map_or_else(|error| failed(&error.to_string()), |()| ExitCode::SUCCESS)
}

fn failed(reason: &str) -> ExitCode {
    eprintln!("{reason}");
    ExitCode::FAILURE
}
