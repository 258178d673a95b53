//! Times the decisions of the forms below.

use std::hint::black_box;
use std::time::Instant;

type Decide = fn(u64, u64) -> u32;
type Query = (u64, u64, u32);

/// The number of bytes that evict the second-level cache.
const SWEEP: usize = 6 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [mode, name, file] if mode == "count" => count(name, file),
        [mode, rounds, files @ ..] if mode == "time" => {
            time(rounds.parse().unwrap(), files);
        }
        _ => panic!("count FORM FILE, or time ROUNDS FILE…"),
    }
}

fn queries(file: &str) -> Vec<Query> {
    let bytes = std::fs::read(file).unwrap();
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    bytes
        .chunks(24)
        .map(|query| (number(&query[..8]), number(&query[8..16]), number(&query[16..]) as u32))
        .collect()
}

fn count(name: &str, file: &str) {
    let queries = queries(file);
    let (_, decide) = FORMS.iter().find(|(form, _)| *form == name).unwrap();
    let decide = black_box(*decide);
    let mut sum = 0;
    for (comm_size, msg_size, _) in queries {
        sum += decide(comm_size, msg_size);
    }
    black_box(sum);
}

/// The number of decisions in a portion, which is timed separately. It is much shorter than a time slice, or every long form
/// would be interrupted.
const PORTION: usize = 4096;

/// The measurements of one form on one distribution: for each portion, the times of all rounds.
#[derive(Clone)]
struct Measured {
    throughput: Vec<Vec<f64>>,
    latency: Vec<Vec<f64>>,
    cold: Vec<Vec<f64>>,
}

impl Measured {
    fn new(queries: &[Query]) -> Self {
        let portions = vec![Vec::new(); queries.len().div_ceil(PORTION)];
        Self { throughput: portions.clone(), latency: portions, cold: vec![Vec::new()] }
    }
}

/// Returns the median, as the mean over the portions.
fn median(portions: Vec<Vec<f64>>) -> f64 {
    let count = portions.len() as f64;
    let medians = portions.into_iter().map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    medians.sum::<f64>() / count
}

/// Times all forms and distributions in turn, in another order in each round, so that a lasting disturbance affects them equally.
fn time(rounds: usize, files: &[String]) {
    let requested: Vec<Vec<Query>> = files.iter().map(|file| queries(file)).collect();
    let mut measured: Vec<Vec<Measured>> =
        requested.iter().map(|queries| vec![Measured::new(queries); FORMS.len()]).collect();
    let mut swept = vec![0_u8; SWEEP];
    for round in 0..rounds {
        for (queries, measured) in requested.iter().zip(&mut measured) {
            for turn in 0..FORMS.len() {
                let form = (turn + round) % FORMS.len();
                let decide = black_box(FORMS[form].1);
                for (portion, queries) in queries.chunks(PORTION).enumerate() {
                    measured[form].throughput[portion].push(independent(decide, queries));
                }
                for (portion, queries) in queries.chunks(PORTION).enumerate() {
                    measured[form].latency[portion].push(dependent(decide, queries));
                }
            }
            for again in 0..4 {
                let query = queries[((4 * round + again) * 4099) % queries.len()];
                for ((_, decide), measured) in FORMS.iter().zip(&mut *measured) {
                    measured.cold[0].push(alone(black_box(*decide), query, &mut swept));
                }
            }
        }
    }
    for ((file, queries), measured) in files.iter().zip(&requested).zip(measured) {
        let name = std::path::Path::new(file).file_name().unwrap().to_str().unwrap();
        for ((form, decide), Measured { throughput, latency, cold }) in FORMS.iter().zip(measured) {
            let wrong = queries
                .iter()
                .filter(|(comm_size, msg_size, answer)| decide(*comm_size, *msg_size) != *answer);
            let wrong = wrong.count();
            let times = [throughput, latency, cold].map(|portions| format!("{:.4}", median(portions)));
            println!("{form} {name} {wrong} {}", times.join(" "));
        }
    }
}

/// Returns nanoseconds per decision, for independent decisions.
fn independent(decide: Decide, queries: &[Query]) -> f64 {
    let start = Instant::now();
    let mut sum = 0_u32;
    for &(comm_size, msg_size, _) in queries {
        sum = sum.wrapping_add(decide(comm_size, msg_size));
    }
    black_box(sum);
    start.elapsed().as_nanos() as f64 / queries.len() as f64
}

/// Returns nanoseconds per decision, for decisions whose sizes depend on the previous one.
fn dependent(decide: Decide, queries: &[Query]) -> f64 {
    let nothing = black_box(0_u64);
    let start = Instant::now();
    let mut last = 0_u64;
    for &(comm_size, msg_size, _) in queries {
        let wait = last & nothing;
        last = u64::from(decide(comm_size + wait, msg_size + wait));
    }
    black_box(last);
    start.elapsed().as_nanos() as f64 / queries.len() as f64
}

/// Returns nanoseconds of one decision with cold caches, including the reading of the clock.
fn alone(decide: Decide, (comm_size, msg_size, _): Query, swept: &mut [u8]) -> f64 {
    for byte in swept.iter_mut().step_by(64) {
        *byte = byte.wrapping_add(1);
    }
    black_box(&swept);
    let start = Instant::now();
    black_box(decide(comm_size, msg_size));
    start.elapsed().as_nanos() as f64
}
