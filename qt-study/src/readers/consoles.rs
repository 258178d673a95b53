//! What benchmarks print for people, and for other programs than this one: each is named with what to measure or give instead.

use std::sync::LazyLock;

use qtdec_core::{Place, Problem};
use regex_lite::Regex;

use super::advice;

/// A form of output: its name, a pattern of one of its lines, and what to give instead.
type Console = (&'static str, &'static str, &'static str);

const CONSOLES: [Console; 10] = [
    (
        "Google Benchmark's output for the console",
        r"^\S.*\s[\d.e+]+ (ns|us|ms|s)\s+[\d.e+]+ (ns|us|ms|s)\s+\d+(\s|$)",
        advice::GOOGLE_BENCHMARK_JSON,
    ),
    (
        "Google Benchmark's CSV",
        r"^name,iterations,real_time,cpu_time,time_unit",
        advice::GOOGLE_BENCHMARK_JSON,
    ),
    (
        "criterion's output for the console",
        r"\btime:\s+\[[\d.]+ \S+ [\d.]+ \S+ [\d.]+ \S+\]",
        advice::CRITERION_FOLDER,
    ),
    ("the output of `go test -bench`", r"^Benchmark\S+\s+\d+\s+[\d.]+ ns/op", advice::TABLE_OF_GO),
    (
        "pytest-benchmark's output for the console",
        r"^Name \(time in \S+\)\s+Min\s+Max\s+Mean",
        advice::PYTEST_JSON,
    ),
    ("pytest-benchmark's CSV", r"^name,.*\bmin,max,mean,stddev,", advice::PYTEST_JSON),
    (
        "the output of BenchmarkTools",
        r"BenchmarkTools\.Trial|^\s*[\d.]+ (ns|μs|µs|ms|s) \(\d+ allocations?: ",
        advice::TABLE_OF_JULIA,
    ),
    (
        "JMH's output for the console",
        r"^Benchmark\s+(\(\S+\)\s+)*Mode\s+(Cnt|Samples)\s+Score",
        advice::JMH_CSV,
    ),
    ("JMH's JSON", r#""jmhVersion"\s*:"#, advice::JMH_CSV),
    ("hyperfine's output for the console", r"^\s*Time \(mean ± σ\):", advice::HYPERFINE_JSON),
];

static LINES: LazyLock<Vec<(&Console, Regex)>> = LazyLock::new(|| {
    let pattern = |console: &'static Console| Some((console, Regex::new(console.1).ok()?));
    CONSOLES.iter().filter_map(pattern).collect()
});

/// Returns the fault of a file that begins with what a benchmark prints for people.
pub(super) fn fault(head: &str) -> Option<Problem> {
    let lines = (1..).zip(head.lines());
    let named = lines.filter_map(|(line, text)| {
        let (console, _) = LINES.iter().find(|(_, pattern)| pattern.is_match(text))?;
        Some((line, console))
    });
    let (line, (name, _, help)) = named.into_iter().next()?;
    Some(Problem::new(Place::Line(line), format!("this is {name}, which is not read")).help(*help))
}
