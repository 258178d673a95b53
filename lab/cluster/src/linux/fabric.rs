//! When frames arrive: ports that serialise, a constant latency, and a link that sites share.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::topology::Topology;
use crate::units::Rate;

/// Frames on their way. Times are in nanoseconds.
///
/// A frame leaves its sender's port after the frames before it, travels, and enters its receiver's port when the frames that
/// arrived before it have entered. The receiver's port is assigned at the arrival, not earlier, so that frames of several senders
/// enter in the order in which they arrive. Idle ports earn no credit, and no frame is lost.
#[derive(Debug)]
pub(crate) struct Fabric {
    topology: Topology,
    ports: Vec<Port>,
    /// Frames that travel, by their time of arrival and then by the order in which they were sent.
    travelling: BinaryHeap<Reverse<(u64, u64, Travelling)>>,
    /// Each direction of the link between the sites is free from this time on.
    link: [u64; 2],
    sent: u64,
}

#[derive(Debug, Default)]
struct Port {
    /// The time when the port has sent all frames.
    out: u64,
    /// The time when it has received all frames that arrived.
    into: u64,
    /// Frames to deliver, with their times.
    due: VecDeque<(u64, Vec<u8>)>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Travelling {
    from: usize,
    to: usize,
    crosses: bool,
    frame: Vec<u8>,
}

impl Fabric {
    /// Creates a fabric without frames.
    pub(crate) fn new(topology: &Topology) -> Self {
        let ports = (0..topology.all_ports()).map(|_| Port::default()).collect();
        Self { topology: topology.clone(), ports, travelling: BinaryHeap::new(), link: [0; 2], sent: 0 }
    }

    /// Changes the rate of all ports, for frames that are sent or arrive from now on.
    pub(crate) fn set_rate(&mut self, rate: Rate) {
        self.topology.rate = rate;
    }

    /// Takes a frame that a port sends now to another one.
    pub(crate) fn send(&mut self, now: u64, from: usize, to: usize, frame: Vec<u8>) {
        let is_local = self.topology.is_head(from) || self.topology.is_head(to);
        let arrival = if is_local {
            now
        } else {
            let start = now.max(self.ports[from].out);
            self.ports[from].out = start + self.topology.rate.nanoseconds(frame.len());
            start + self.topology.latency.nanoseconds()
        };
        let crosses = !is_local && self.topology.site(from) != self.topology.site(to);
        self.sent += 1;
        self.travelling.push(Reverse((arrival, self.sent, Travelling { from, to, crosses, frame })));
    }

    /// Assigns ports to the frames that have arrived by now.
    pub(crate) fn advance(&mut self, now: u64) {
        while self.travelling.peek().is_some_and(|Reverse((arrival, ..))| *arrival <= now) {
            let Some(Reverse((arrival, order, mut travelling))) = self.travelling.pop() else { return };
            let own = self.topology.rate.nanoseconds(travelling.frame.len());
            if std::mem::take(&mut travelling.crosses) {
                let linked = self.topology.link.nanoseconds(travelling.frame.len());
                let free = &mut self.link[usize::from(self.topology.site(travelling.to))];
                let end = arrival.max(*free) + linked;
                *free = end;
                // The last byte leaves the link at the end, so a faster port cannot begin before.
                let arrival = end + self.topology.link_latency.nanoseconds() - own.min(linked);
                self.travelling.push(Reverse((arrival, order, travelling)));
                continue;
            }
            let is_local = self.topology.is_head(travelling.from) || self.topology.is_head(travelling.to);
            let port = &mut self.ports[travelling.to];
            let due = if is_local {
                arrival
            } else {
                port.into = arrival.max(port.into) + own;
                port.into
            };
            port.due.push_back((due, travelling.frame));
        }
    }

    /// Returns the next frame of a port, if it is due by now.
    pub(crate) fn due(&mut self, now: u64, port: usize) -> Option<&[u8]> {
        let (due, frame) = self.ports[port].due.front()?;
        (*due <= now).then_some(frame)
    }

    /// Removes the next frame of a port, which was delivered, and returns the time when it was due.
    pub(crate) fn delivered(&mut self, port: usize) -> Option<u64> {
        self.ports[port].due.pop_front().map(|(due, _)| due)
    }

    /// Returns the time when something happens next, if nothing is sent before.
    pub(crate) fn next(&self) -> Option<u64> {
        let arrival = self.travelling.peek().map(|Reverse((arrival, ..))| *arrival);
        let due = self.ports.iter().filter_map(|port| port.due.front().map(|(due, _)| *due));
        due.chain(arrival).min()
    }

    /// Returns the number of frames on their way.
    pub(crate) fn len(&self) -> usize {
        self.travelling.len() + self.ports.iter().map(|port| port.due.len()).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Fabric, Topology};

    /// Ports of 8 ns a byte, and a latency of 10 µs.
    fn fabric(sites: u8) -> Fabric {
        Fabric::new(&Topology {
            nodes: 4,
            ports: 1,
            rate: "1Gbit".parse().unwrap(),
            latency: "10us".parse().unwrap(),
            ranks_per_node: 1,
            sites,
            link: "100Mbit".parse().unwrap(),
            link_latency: "1ms".parse().unwrap(),
        })
    }

    /// Returns when each frame is delivered: times, ports and first bytes.
    fn deliveries(fabric: &mut Fabric) -> Vec<(u64, usize, u8)> {
        let mut seen = Vec::new();
        while let Some(now) = fabric.next() {
            fabric.advance(now);
            for port in 0..fabric.ports.len() {
                while let Some(first) = fabric.due(now, port).map(|frame| frame[0]) {
                    seen.push((fabric.delivered(port).unwrap(), port, first));
                }
            }
        }
        assert_eq!(fabric.len(), 0);
        seen
    }

    #[test]
    fn a_sender_s_port_serialises() {
        let mut fabric = fabric(1);
        fabric.send(0, 0, 1, vec![1; 1000]);
        fabric.send(0, 0, 2, vec![2; 1000]);
        assert_eq!(deliveries(&mut fabric), [(18_000, 1, 1), (26_000, 2, 2)]);
    }

    #[test]
    fn frames_enter_a_receiver_s_port_in_the_order_of_their_arrival() {
        let mut fabric = fabric(1);
        fabric.send(0, 0, 3, vec![1; 1000]);
        fabric.send(0, 0, 3, vec![2; 1000]);
        fabric.send(4000, 1, 3, vec![3; 1000]);
        // The first two leave at 0 and 8 µs and arrive 10 µs later; the third arrives at 14 µs, between them.
        assert_eq!(deliveries(&mut fabric), [(18_000, 3, 1), (26_000, 3, 3), (34_000, 3, 2)]);
    }

    #[test]
    fn idle_ports_earn_no_credit() {
        let mut fabric = fabric(1);
        fabric.send(1_000_000, 0, 1, vec![1; 1000]);
        fabric.send(1_000_000, 0, 1, vec![2; 1000]);
        assert_eq!(deliveries(&mut fabric), [(1_018_000, 1, 1), (1_026_000, 1, 2)]);
    }

    #[test]
    fn sites_share_the_link_in_each_direction() {
        let mut fabric = fabric(2);
        fabric.send(0, 0, 2, vec![1; 1000]);
        fabric.send(0, 1, 3, vec![2; 1000]);
        fabric.send(0, 2, 0, vec![3; 1000]);
        fabric.send(0, 0, 1, vec![4; 1000]);
        // 80 µs on the link, after 10 µs to it; the port overlaps with it. The last frame leaves after the first.
        let seen = deliveries(&mut fabric);
        assert_eq!(seen, [(26_000, 1, 4), (1_090_000, 0, 3), (1_090_000, 2, 1), (1_170_000, 3, 2)]);
    }

    #[test]
    fn a_rate_changes_for_frames_that_come_later() {
        let mut fabric = fabric(1);
        fabric.send(0, 0, 1, vec![1; 1000]);
        fabric.set_rate("500Mbit".parse().unwrap());
        fabric.send(0, 0, 2, vec![2; 1000]);
        // The first is sent in 8 µs and received in 16 µs, as the second, which is sent in 16 µs too.
        assert_eq!(deliveries(&mut fabric), [(26_000, 1, 1), (34_000, 2, 2)]);
    }

    #[test]
    fn the_head_has_no_limit() {
        let mut fabric = fabric(1);
        fabric.send(5, 4, 0, vec![1; 1000]);
        fabric.send(6, 0, 4, vec![2; 1000]);
        assert_eq!(deliveries(&mut fabric), [(5, 0, 1), (6, 4, 2)]);
    }

    #[test]
    fn the_ports_of_a_node_are_free_of_each_other() {
        let topology = Topology { ports: 2, ..fabric(2).topology };
        let [sender, other, head] = [topology.port(0, 0), topology.port(0, 1), topology.port(4, 1)];
        assert!((topology.is_head(head), topology.all_ports()) == (true, 10) && !topology.is_head(head - 2));
        assert_eq!([0, 3, 4, 7].map(|port| topology.site(port)), [0, 0, 1, 1]);
        let mut fabric = Fabric::new(&topology);
        fabric.send(0, sender, topology.port(1, 0), vec![1; 1000]);
        fabric.send(0, other, topology.port(1, 1), vec![2; 1000]);
        assert_eq!(deliveries(&mut fabric), [(18_000, 2, 1), (18_000, 3, 2)]);
    }
}
