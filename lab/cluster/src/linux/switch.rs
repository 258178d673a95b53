//! The switch: frames from the interfaces of the nodes, and to them when they are due.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::environment::RATE;
use super::fabric::Fabric;
use super::kernel::{enter_network, tap};
use crate::topology::Topology;

/// What the switch prints when the interfaces exist.
pub(crate) const READY: &str = "ready";

/// The largest frame: an Ethernet header and 1500 bytes.
const FRAME: usize = 1514;

/// The maximum number of frames on their way. TCP has far fewer; a flood of others is dropped.
const MAX_FRAMES: usize = 1 << 16;

/// The number of frames that are read from one interface before the others have their turn.
const TURN: usize = 32;

/// How often a file is looked for with another rate of all ports, in nanoseconds.
const LOOK: u64 = 10_000_000;

/// Forwards frames until the process is killed.
pub(crate) fn run(topology: &Topology) -> Result<(), String> {
    let mut taps = Vec::new();
    for name in topology.names() {
        for port in 0..topology.ports {
            let tap = enter_network(&name).and_then(|()| tap(port));
            taps.push(tap.map_err(|error| format!("interface {port} of {name}: {error}"))?);
        }
    }
    println!("{READY}");
    forward(topology, &taps).map_err(|error| format!("the switch: {error}"))
}

fn forward(topology: &Topology, taps: &[File]) -> std::io::Result<()> {
    // By default, a sleeping process may wake 50 µs late.
    rustix::thread::set_current_timer_slack(NonZeroU64::new(1))?;
    let mut polled: Vec<PollFd<'_>> = taps.iter().map(|tap| PollFd::new(tap, PollFlags::IN)).collect();
    let began = Instant::now();
    let now = || began.elapsed().as_nanos() as u64;
    let mut fabric = Fabric::new(topology);
    let mut buffer = [0; FRAME + 86];
    let mut look = 0;
    loop {
        if now() >= look {
            look = now() + LOOK;
            // A part of a file is no rate, and is read again.
            if let Some(rate) =
                fs::read_to_string(RATE).ok().and_then(|text| text.strip_suffix('\n')?.parse().ok())
            {
                fabric.set_rate(rate);
            }
        }
        fabric.advance(now());
        for (port, mut tap) in taps.iter().enumerate() {
            while let Some(frame) = fabric.due(now(), port) {
                match tap.write(frame) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // An interface that is down takes no frames.
                    _ => fabric.delivered(port),
                };
            }
        }
        let wait = fabric.next().map(|next| Duration::from_nanos(next.saturating_sub(now())));
        let wait = wait.and_then(|wait| Timespec::try_from(wait).ok());
        // Unlike `epoll_wait`, this sleeps for nanoseconds, not for whole milliseconds.
        match poll(&mut polled, wait.as_ref()) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        for (from, mut tap) in taps.iter().enumerate() {
            if polled[from].revents().is_empty() {
                continue;
            }
            for _ in 0..TURN {
                let length = match tap.read(&mut buffer) {
                    Ok(length) => length,
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // The interface is not up yet.
                    Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => break,
                    Err(error) => return Err(error),
                };
                if let Some(to) = receiver(topology, &buffer[..length])
                    && fabric.len() < MAX_FRAMES
                {
                    fabric.send(now(), from, to, buffer[..length].to_vec());
                }
            }
        }
    }
}

/// Returns the port of a frame's receiver. Neighbours are known, so nothing is broadcast but what no node needs.
fn receiver(topology: &Topology, frame: &[u8]) -> Option<usize> {
    let [0x02, 0x77, 0, 0, port, octet] = *frame.first_chunk()? else { return None };
    let index = (0..=usize::from(topology.nodes)).find(|&index| topology.octet(index) == octet)?;
    (port < topology.ports).then(|| topology.port(index, port))
}
