//! Asks forms for decisions; the forms stand below.

use std::hint::black_box;
use std::time::Instant;

type Decide = fn(u64, u64) -> u32;
type Query = (u64, u64, u32);

/// As many bytes as push the second-level cache out.
const SWEEP: usize = 6 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [mode, name, file] if mode == "count" => count(name, file),
        [mode, rounds, files @ ..] if mode == "time" => {
            files.iter().for_each(|file| time(rounds.parse().unwrap(), file));
        }
        _ => panic!("count FORM FILE, or time ROUNDS FILE…"),
    }
}

fn queries(file: &str) -> Vec<Query> {
    let bytes = std::fs::read(file).unwrap();
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    bytes.chunks(24).map(|query| (number(&query[..8]), number(&query[8..16]), number(&query[16..]) as u32)).collect()
}

/// The first call is not counted: it may load what is looked up.
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

fn time(rounds: usize, file: &str) {
    let queries = queries(file);
    let name = std::path::Path::new(file).file_name().unwrap().to_str().unwrap();
    let mut throughput = vec![Vec::new(); FORMS.len()];
    let mut latency = vec![Vec::new(); FORMS.len()];
    for round in 0..rounds {
        for turn in 0..FORMS.len() {
            let form = (turn + round) % FORMS.len();
            let decide = black_box(FORMS[form].1);
            throughput[form].push(independent(decide, &queries));
            latency[form].push(dependent(decide, &queries));
        }
    }
    let mut swept = vec![0_u8; SWEEP];
    let mut cold = vec![Vec::new(); FORMS.len()];
    for round in 0..8 * rounds {
        for (form, (_, decide)) in FORMS.iter().enumerate() {
            let query = queries[(round * 4099) % queries.len()];
            cold[form].push(alone(black_box(*decide), query, &mut swept));
        }
    }
    for (form, (form_name, decide)) in FORMS.iter().enumerate() {
        let wrong = queries.iter().filter(|(comm_size, msg_size, answer)| decide(*comm_size, *msg_size) != *answer);
        let wrong = wrong.count();
        let [through, late, alone] = [&mut throughput, &mut latency, &mut cold].map(|times| {
            let times = &mut times[form];
            times.sort_by(f64::total_cmp);
            [times[times.len() / 10], times[times.len() / 2], times[times.len() * 9 / 10]]
        });
        let numbers = [through, late, alone].concat().iter().map(|time| format!("{time:.4}")).collect::<Vec<_>>();
        println!("{form_name} {name} {wrong} {}", numbers.join(" "));
    }
}

/// Nanoseconds for each of decisions that do not wait for each other.
fn independent(decide: Decide, queries: &[Query]) -> f64 {
    let start = Instant::now();
    let mut sum = 0_u32;
    for &(comm_size, msg_size, _) in queries {
        sum = sum.wrapping_add(decide(comm_size, msg_size));
    }
    black_box(sum);
    start.elapsed().as_nanos() as f64 / queries.len() as f64
}

/// Nanoseconds for each of decisions whose sizes are known only when the one before is made.
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

/// Nanoseconds of one decision whose code and data lie in no near cache, the reading of the clock included.
fn alone(decide: Decide, (comm_size, msg_size, _): Query, swept: &mut [u8]) -> f64 {
    for byte in swept.iter_mut().step_by(64) {
        *byte = byte.wrapping_add(1);
    }
    black_box(&swept);
    let start = Instant::now();
    black_box(decide(comm_size, msg_size));
    start.elapsed().as_nanos() as f64
}
