//! The parameters of the network between two ranks: pLogP's latency, gaps and overheads (Kielmann, Bal and Verstoep, "Fast
//! Measurement of LogP Parameters for Message Passing Platforms", 2000), and the largest message without a handshake.

use std::time::Duration;

use qtdec_mpi_predict::Network;
use qtdec_mpi_predict::network::{Description, Point, Unit};

use super::arguments::Arguments;
use super::clock::local;
use crate::mpi::{CONTROL, Mpi};

/// The sizes of messages, in bytes: a factor of two apart.
const SIZES: std::ops::RangeInclusive<u32> = 0..=18;

const TAG: u32 = 78;

/// Measures with the first two ranks, and writes the network file.
pub(crate) fn measure(mpi: Mpi<'_>, arguments: &Arguments) -> Result<(), String> {
    if mpi.size < 2 {
        return Err("a network has at least 2 ranks: mpirun -np 2".to_owned());
    }
    if mpi.rank < 2 {
        let pair = Pair { mpi };
        let mut points = Vec::new();
        let mut ones = Vec::new();
        for exponent in SIZES {
            let bytes = 1_usize << exponent;
            let one = pair.one_way(bytes, repeats(bytes))?;
            let gap = pair.gap(bytes)?;
            let (send, receive) = pair.overheads(bytes, one)?;
            ones.push((one, gap));
            let (gap, send, receive) = (us(gap), us(send.min(gap)), us(receive.min(gap)));
            points.push(Point { bytes: bytes as u64, gap, send, receive });
            if mpi.is_first() {
                let one = us(one);
                eprintln!(
                    "{bytes} bytes: one way {one} us, gap {gap} us, send {send} us, receive {receive} us"
                );
            }
        }
        // The smallest message alone takes the latency and its gap.
        let latency = (ones[0].0 - ones[0].1).max(0.0);
        let eager = pair.eager_limit(&ones, latency)?;
        // The calls of larger messages wait for the handshake, during which the processor is free.
        let is_eager = |point: &Point| eager.is_none_or(|limit| point.bytes <= limit);
        let last = points.iter().rev().find(|point| is_eager(point)).map(|point| (point.send, point.receive));
        for point in points.iter_mut().filter(|point| !is_eager(point)) {
            (point.send, point.receive) = last.unwrap_or((point.send, point.receive));
        }
        if mpi.is_first() {
            write(mpi, arguments, latency, points, eager)?;
        }
    }
    mpi.barrier(CONTROL)
}

fn write(
    mpi: Mpi<'_>,
    arguments: &Arguments,
    latency: f64,
    points: Vec<Point>,
    eager: Option<u64>,
) -> Result<(), String> {
    let mut description = Description::new(Unit::Microseconds, us(latency), points);
    description.eager_limit = eager;
    let source = format!(
        "measured by qtdec-bench {} between two ranks of {}",
        env!("CARGO_PKG_VERSION"),
        mpi.version()
    );
    description.source = Some(format!("{{\"network\": \"{}\"}}", source.replace(['"', '\\'], "'")));
    let network = Network::new(description)
        .map_err(|problems| format!("the parameters are not those of a network: {problems}"))?;
    for warning in network.warnings() {
        eprintln!("warning: {warning}");
    }
    let path = &arguments.output;
    std::fs::write(path, network.to_json()).map_err(|error| format!("{}: {error}", path.display()))?;
    let eager = eager.map_or("no eager limit seen".to_owned(), |limit| format!("eager up to {limit} bytes"));
    eprintln!("{}: latency {:.1} us, {eager}", path.display(), latency / 1e3);
    Ok(())
}

/// Returns microseconds with two digits.
fn us(nanoseconds: f64) -> f64 {
    (nanoseconds / 10.0).round() / 100.0
}

fn repeats(bytes: usize) -> usize {
    match bytes {
        ..=8192 => 31,
        8193..=65536 => 15,
        _ => 9,
    }
}

#[derive(Clone, Copy)]
struct Pair<'t> {
    mpi: Mpi<'t>,
}

impl Pair<'_> {
    fn peer(self) -> u32 {
        1 - self.mpi.rank
    }

    fn send(self, data: &[u8]) -> Result<(), String> {
        self.mpi.send(CONTROL, data, self.peer(), TAG)
    }

    fn receive(self, data: &mut [u8]) -> Result<(), String> {
        self.mpi.receive(CONTROL, data, self.peer(), TAG)
    }

    /// Gives both ranks a value of one of them.
    fn value_of(self, rank: u32, value: f64) -> Result<f64, String> {
        let mut bytes = value.to_ne_bytes();
        if self.mpi.rank == rank {
            self.send(&bytes)?;
        } else {
            self.receive(&mut bytes)?;
        }
        Ok(f64::from_ne_bytes(bytes))
    }

    /// Returns the time of one message, half of a round trip.
    fn one_way(self, bytes: usize, repeats: usize) -> Result<f64, String> {
        let mut data = vec![0; bytes];
        let mut times = Vec::new();
        for _ in 0..=repeats {
            let began = local();
            if self.mpi.is_first() {
                self.send(&data)?;
                self.receive(&mut data)?;
            } else {
                self.receive(&mut data)?;
                self.send(&data)?;
            }
            times.push((local() - began) / 2.0);
        }
        self.value_of(0, median(&times[1..]))
    }

    /// Returns the time between messages of a long row. The difference of two rows is free of what begins and ends them.
    fn gap(self, bytes: usize) -> Result<f64, String> {
        let (short, long, repeats) = if bytes <= 8192 { (8, 40, 9) } else { (2, 8, 7) };
        let mut gaps = Vec::new();
        for _ in 0..repeats {
            gaps.push((self.row(bytes, long)? - self.row(bytes, short)?) / f64::from(long - short));
        }
        // A disturbed short row could take longer than a long one.
        self.value_of(0, median(&gaps).max(10.0))
    }

    fn row(self, bytes: usize, messages: i32) -> Result<f64, String> {
        let data = vec![0; bytes * messages as usize];
        // Messages of an earlier row must not wait for the receives of this one.
        self.value_of(0, 0.0)?;
        let began = local();
        let row = self.mpi.on(CONTROL).row(data, bytes, (self.peer(), TAG), self.mpi.is_first());
        let _data = row.map_err(|failure| self.mpi.reason(failure))?;
        let mut end = [0];
        if self.mpi.is_first() {
            self.receive(&mut end)?;
        } else {
            self.send(&end)?;
        }
        Ok(local() - began)
    }

    /// Returns the time in the calls that send, and that receive a message which is already there.
    fn overheads(self, bytes: usize, one: f64) -> Result<(f64, f64), String> {
        let mut data = vec![0; bytes];
        let mut times = Vec::new();
        for _ in 0..7 {
            let mut end = [0];
            if self.mpi.is_first() {
                self.receive(&mut end)?;
                let began = local();
                self.send(&data)?;
                times.push(local() - began);
            } else {
                self.send(&end)?;
                std::thread::sleep(Duration::from_nanos((3.0 * one) as u64 + 1_000_000));
                let began = local();
                self.receive(&mut data)?;
                times.push(local() - began);
            }
        }
        let mine = median(&times);
        Ok((self.value_of(0, mine)?, self.value_of(1, mine)?))
    }

    /// Returns the largest message that is sent without a handshake, if there is a step: a message that waits for an answer takes
    /// at least a latency longer than its gap explains.
    fn eager_limit(self, ones: &[(f64, f64)], latency: f64) -> Result<Option<u64>, String> {
        let step = ones.windows(2).position(|pair| {
            let [(one, gap), (next, next_gap)] = [pair[0], pair[1]];
            (next - one) - (next_gap - gap) > latency
        });
        let Some(step) = step else { return Ok(None) };
        let (mut low, mut high) = (1_usize << step, 2_usize << step);
        let ((one, gap), (_, next_gap)) = (ones[step], ones[step + 1]);
        let per_byte = (next_gap - gap) / (high - low) as f64;
        let base = (one, low);
        while high - low > (low / 128).max(1) {
            let middle = usize::midpoint(low, high);
            let time = self.one_way(middle, 7)?;
            let handshake = time - base.0 - per_byte * (middle - base.1) as f64 > latency;
            *(if handshake { &mut high } else { &mut low }) = middle;
        }
        Ok(Some(low as u64))
    }
}

/// Returns the median of at least one time.
fn median(times: &[f64]) -> f64 {
    qtdec_core::median(times).unwrap_or(f64::NAN)
}
