//! Names of columns that hold rates, or other numbers that are not times.
//!
//! A rate that is read as a time turns every choice upside down, so no column with such a name is accepted as one.

use crate::readers::has;
use crate::size::is_digits;

/// Returns whether a column with this name holds rates, or other numbers of which the greater are the better ones.
///
/// The unit in brackets decides first, then a fraction such as `ops_per_second`, then the last word that tells times from rates:
/// `bw_test_us` holds times, `latency_throughput` rates.
pub(in crate::readers) fn is_rate(name: &str) -> bool {
    let (bare, unit) = bracketed(name);
    if let Some(of_unit) = unit.and_then(|unit| kind(unit, true)) {
        return of_unit == Kind::Rate;
    }
    kind(bare, false) == Some(Kind::Rate)
}

/// Returns whether this is a unit of rates: `GB/s`, `items/s`.
pub(super) fn is_unit_of_rates(unit: &str) -> bool {
    kind(unit, true) == Some(Kind::Rate)
}

/// Returns whether a column with this name may hold times, as far as the name tells.
pub(super) fn may_be_time(name: &str) -> bool {
    const OTHERS: &str = "error errors err wrong correct valid std stddev stdev sd dev deviation var variance cv ci mad \
        iqr stderr outliers count counts samples iterations iters reps repetitions warmup id rank seed \
        confidence root";
    // `Time (%)` is a share of the time.
    let of_unit = bracketed(name).1.is_some_and(|unit| unit.contains('%'));
    !is_rate(name) && !of_unit && !words(name).iter().any(|word| has(OTHERS, word))
}

/// Returns whether the name of a column tells that it holds times.
pub(in crate::readers) fn is_time(name: &str) -> bool {
    let (bare, unit) = bracketed(name);
    let is = |text: &str, is_unit| kind(text, is_unit) == Some(Kind::Time);
    may_be_time(name) && (unit.is_some_and(|unit| is(unit, true)) || is(bare, false))
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Time,
    Rate,
}

/// Units of time; the first two are too short to tell anything outside of a unit.
const TIME_UNITS: &str = "s h sec secs second seconds ms msec msecs millisecond milliseconds us usec usecs µs μs \
    microsecond microseconds ns nsec nsecs nanosecond nanoseconds min minute minutes";

const TIMES: &str = "time times timing timings latency latencies lat duration durations elapsed runtime walltime \
    wall cputime delay t";

/// Words for statistics, which may stand before a unit: `median/us`.
const STATISTICS: &str = "mean avg average median max maximum minimum lowest highest value";

/// Words for rates, and for other numbers of which the greater are the better ones.
const RATES: &str = "rate rates bandwidth bandwidths bandwith bw algbw busbw throughput throughputs thruput thrpt \
    tput thpt goodput speed speedup speedups flops flop iops mops gops kops qps tps rps frequency \
    freq hz khz mhz ghz efficiency utilization utilisation performance teps lups mlups glups ips";

/// Words for what is counted in each second.
const COUNTED: &str = "b byte bytes bit bits op ops operation operations msg msgs message messages call calls iter \
    iters iteration iterations item items element elements request requests elem";

fn kind(text: &str, is_unit: bool) -> Option<Kind> {
    let words = words(text);
    let is_time_unit = |word: &str| has(TIME_UNITS, word);
    // `ops/s`, `messages per second`, `1/s`; but `time/s` names the unit after the stroke, and `s/op` is a time.
    for (at, word) in words.iter().enumerate() {
        if !has("/ per", word) {
            continue;
        }
        let (Some(before), Some(after)) = (at.checked_sub(1).map(|at| &*words[at]), words.get(at + 1)) else {
            continue;
        };
        if is_time_unit(before) {
            return Some(Kind::Time);
        }
        if is_time_unit(after) || has("cycle tick clock", after) {
            // `p99/ms`
            let is_percentile = before.strip_prefix('p').is_some_and(is_digits);
            let labels = has(TIMES, before) || has(STATISTICS, before) || is_percentile;
            return Some(if labels { Kind::Time } else { Kind::Rate });
        }
    }
    // `MB_s`, `ops_sec`
    if let [.., counted, unit] = &words[..]
        && has("s sec second seconds", unit)
        && (is_data(counted) || has(COUNTED, counted))
    {
        return Some(Kind::Rate);
    }
    if is_unit && words.len() == 1 && is_time_unit(&words[0]) {
        return Some(Kind::Time);
    }
    words.iter().rev().find_map(|word| {
        let tells = word.chars().count() > 1 && *word != "min" && is_time_unit(word);
        match &**word {
            word if has(RATES, word) || is_rate_unit(word) || (words.len() == 1 && word == "ops") => {
                Some(Kind::Rate)
            }
            word if tells || has(TIMES, word) => Some(Kind::Time),
            _ => None,
        }
    })
}

/// Returns whether a word is a unit of data with a prefix: `mb`, `gib`, `kbytes`.
fn is_data(word: &str) -> bool {
    let rest = word.strip_prefix(['k', 'm', 'g', 't', 'p']);
    rest.is_some_and(|rest| {
        let rest = rest.strip_prefix('i').unwrap_or(rest);
        has("b byte bytes bit bits", rest)
    })
}

/// Returns whether a word is a unit of rates: `mbps`, `gibps`, `bps`, `gflops`, `mops`.
fn is_rate_unit(word: &str) -> bool {
    let of_data = |rest: &str| has("b bit bits byte bytes", rest) || is_data(rest);
    let of_work = |rest: &str| has("flops flop flip ops iops lups teps ips", rest);
    let prefixed = word.strip_prefix(['k', 'm', 'g', 't', 'p', 'e', 'z']);
    word.strip_suffix("ps").is_some_and(of_data) || prefixed.is_some_and(of_work)
}

/// Splits a name into its bare part and the unit in brackets at its end.
pub(super) fn bracketed(name: &str) -> (&str, Option<&str>) {
    let name = name.trim();
    let split = |(open, close)| name.strip_suffix::<char>(close)?.rsplit_once::<char>(open);
    match [('(', ')'), ('[', ']')].into_iter().find_map(split) {
        Some((bare, unit)) => (bare, Some(unit.trim())),
        None => (name, None),
    }
}

/// Returns the words of a name in lower case, with `/` as a word of its own. A capital after a small letter begins a word.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for character in name.chars() {
        let begins = before.is_lowercase() && character.is_uppercase();
        if character == '/' {
            words.extend(["/".to_owned(), String::new()]);
        } else if !character.is_alphanumeric() {
            words.push(String::new());
        } else {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        before = character;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_told_from_times() {
        for rate in
            "ops_per_second, throughput_MBps, ops/s, GB/s, bandwidth, Bandwidth (MB/s), algbw, busbw, \
             bw, bw_avg, MB/s, MB_s, mb_per_sec, MiBps, throughputMBps, opsPerSec, GFLOPS, gflops, \
             Gflop/s, flops/cycle, IOPS, iops_mean, rate, Message Rate, msgs_per_us, messages/s, \
             Throughput (ops/s), time (1/s), time [ops/s], Gbps, speed, speedup, qps, mean (GB/s), \
             ops, Mops, calls_per_ms, frequency, latency_throughput, bytes_per_second, \
             items_per_second, req/s, 1/s, bps, time_MBps, performance"
                .split(", ")
        {
            assert!(is_rate(rate) && !is_time(rate) && !may_be_time(rate), "{rate}");
        }
        for time in "time, latency_us, s/op, ns/iter, seconds_per_op, time_per_s, time/s, latency / us, \
             Avg_Latency(us), time [ms], us, ns_per_byte, bw_test_us, throughput_test_time, median/us, \
             p99/ms, Time (s), t_ns, t, elapsed, runtime_s, time_per_op, time per call, \
             latency (us/op), rate (s), usec, real_time, cpu_time, seconds, max/s, time_avg"
            .split(", ")
        {
            assert!(!is_rate(time) && is_time(time), "{time}");
        }
        for neither in
            "score, cost, bytes, mean, median, operations, iterate, crates, separate, cycles, value, \
             min, 4"
                .split(", ")
        {
            assert!(!is_rate(neither) && !is_time(neither) && may_be_time(neither), "{neither}");
        }
    }

    #[test]
    fn errors_and_counts_are_no_times() {
        for name in ["error", "#wrong", "stddev_us", "std (us)", "samples", "Time (%)", "rel_err", "root"] {
            assert!(!may_be_time(name) && !is_rate(name), "{name}");
        }
    }
}
