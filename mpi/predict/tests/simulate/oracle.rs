//! A slow simulator, written from the rules alone: in every step it examines everything in progress, finds the first
//! event, and executes it.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use qtdec_mpi_predict::network::{Network, Overheads, Placement, ReceivePort};
use qtdec_mpi_predict::simulate::{Engine, Noise, Program, Skew};
use qtdec_mpi_schedule::{Action, Schedule};
use qtdec_testkit::sample::one_in;

use super::random::{networks, schedules};

/// A task in progress: it happens at a fixed time, or when a shared port has finished its remaining work.
#[derive(Clone, Debug)]
struct Task {
    what: What,
    op: usize,
    due: Due,
    number: usize,
}

#[derive(Clone, Copy, Debug)]
enum Due {
    At(f64),
    Work { port: usize, left: f64, channel: (usize, usize, u32) },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Complete,
    Leave,
    Reach(Cargo),
    Pass(Cargo),
    /// The rank of this number arrives.
    Begin,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Cargo {
    Data,
    Request,
    Reply,
}

struct Oracle<'a> {
    network: &'a Network,
    noise: Noise,
    /// Whether each rank has arrived, and when it does.
    present: Vec<bool>,
    arrivals: &'a [f64],
    actions: Vec<(usize, &'a Action)>,
    after: Vec<Vec<usize>>,
    /// The operation before this one with the same peer, rail and direction.
    before: Vec<Option<usize>>,
    other: Vec<Option<usize>>,
    posted: Vec<Option<f64>>,
    complete: Vec<Option<f64>>,
    passed: Vec<Option<f64>>,
    unexpected: Vec<bool>,
    requested: Vec<bool>,
    tasks: Vec<Task>,
    count: usize,
    out_free: HashMap<(bool, usize, u32), f64>,
    in_free: HashMap<(bool, usize, u32), f64>,
    ports: Vec<(bool, usize, u32)>,
    /// The time from which each processor is free, and the operations that wait for it.
    processor: Vec<f64>,
    waiting: Vec<Vec<usize>>,
}

const SECOND: f64 = 1e12;

impl<'a> Oracle<'a> {
    fn new(schedule: &'a Schedule, network: &'a Network, noise: Noise, arrivals: &'a [f64]) -> Self {
        let mut actions = Vec::new();
        let mut after = Vec::new();
        for (rank, list) in schedule.ranks.iter().enumerate() {
            let base = actions.len();
            for operation in &list.operations {
                actions.push((rank, &operation.action));
                after.push(operation.after.iter().map(|&index| base + index as usize).collect());
            }
        }
        let key = |op: usize| match actions[op] {
            (rank, Action::Send { peer, rail, .. }) => Some((true, rank, *peer as usize, *rail)),
            (rank, Action::Receive { peer, rail, .. }) => Some((false, *peer as usize, rank, *rail)),
            _ => None,
        };
        let count = actions.len();
        let before =
            (0..count).map(|op| (0..op).rev().find(|&earlier| key(op).is_some() && key(earlier) == key(op)));
        let before: Vec<Option<usize>> = before.collect();
        let nth = |op: usize| (0..op).filter(|&earlier| key(earlier) == key(op)).count();
        let other = (0..count).map(|op| {
            let (sends, from, to, rail) = key(op)?;
            (0..count).find(|&peer| key(peer) == Some((!sends, from, to, rail)) && nth(peer) == nth(op))
        });
        let other = other.collect();
        Self {
            network,
            noise,
            present: vec![false; schedule.ranks.len()],
            arrivals: &arrivals[..schedule.ranks.len()],
            after,
            before,
            other,
            posted: vec![None; count],
            complete: vec![None; count],
            passed: vec![None; count],
            unexpected: vec![false; count],
            requested: vec![false; count],
            tasks: Vec::new(),
            count: 0,
            out_free: HashMap::new(),
            in_free: HashMap::new(),
            ports: Vec::new(),
            processor: vec![0.0; schedule.ranks.len()],
            waiting: vec![Vec::new(); schedule.ranks.len()],
            actions,
        }
    }

    fn run(mut self) -> f64 {
        let mut now = 0.0;
        for (rank, at) in self.arrivals.iter().enumerate() {
            self.then(now, What::Begin, rank, *at);
        }
        loop {
            self.post_what_can_be(now);
            let first = self.first(now);
            // Operations that wait for a processor come after everything else at the same moment.
            if let Some((rank, at)) = self.first_free(now)
                && first.is_none_or(|(_, other)| at < other)
            {
                self.work_off(None, at - now);
                now = at;
                self.serve(now, rank);
                continue;
            }
            let Some((task, at)) = first else { break };
            self.work_off(Some(task), at - now);
            now = at;
            let Task { what, op, .. } = self.tasks.remove(task);
            self.happen(now, what, op);
        }
        assert!(self.complete.iter().all(Option::is_some), "the schedule is stuck");
        self.complete.into_iter().flatten().chain(self.arrivals.iter().copied()).fold(0.0, f64::max)
    }

    fn post_what_can_be(&mut self, now: f64) {
        while let Some(op) = (0..self.actions.len()).find(|&op| {
            self.posted[op].is_none()
                && self.present[self.actions[op].0]
                && self.after[op].iter().all(|&earlier| self.complete[earlier].is_some_and(|at| at <= now))
                && self.before[op].is_none_or(|earlier| self.posted[earlier].is_some())
        }) {
            self.posted[op] = Some(now);
            self.post(now, op);
        }
    }

    /// Returns the first task with its time; of simultaneous tasks, the one that began first.
    fn first(&self, now: f64) -> Option<(usize, f64)> {
        let at = |task: &Task| match task.due {
            Due::At(at) => at,
            Due::Work { left, .. } if self.is_served(task) => {
                now + (left * self.served(task) as f64).max(0.0).round()
            }
            Due::Work { .. } => f64::INFINITY,
        };
        let times = self.tasks.iter().enumerate().map(|(index, task)| (index, at(task), task.number));
        let first = times.min_by(|one, other| one.1.total_cmp(&other.1).then(one.2.cmp(&other.2)));
        first.map(|(index, at, _)| (index, at))
    }

    fn is_served(&self, task: &Task) -> bool {
        let Due::Work { port, channel, .. } = task.due else { return false };
        !self.tasks.iter().any(|other| match other.due {
            Due::Work { port: its, channel: of, .. } => {
                its == port && of == channel && other.number < task.number
            }
            Due::At(_) => false,
        })
    }

    /// Returns the number of channels that share the port of a task.
    fn served(&self, task: &Task) -> usize {
        let Due::Work { port, .. } = task.due else { return 1 };
        let mut channels: Vec<_> = self
            .tasks
            .iter()
            .filter_map(|other| match other.due {
                Due::Work { port: its, channel, .. } if its == port => Some(channel),
                _ => None,
            })
            .collect();
        channels.sort_unstable();
        channels.dedup();
        channels.len()
    }

    /// Subtracts the time from the remaining work of messages in shared ports. Moments are whole picoseconds, so
    /// messages that share the port of a finished message get the same time as that.
    fn work_off(&mut self, through: Option<usize>, time: f64) {
        let through = through.map(|task| self.tasks[task].due);
        let share = |task: &Task| match (task.due, through) {
            (Due::Work { port, .. }, Some(Due::Work { port: its, left, .. })) if port == its => left,
            _ => time / self.served(task) as f64,
        };
        let shares: Vec<f64> =
            self.tasks.iter().map(|task| if self.is_served(task) { share(task) } else { 0.0 }).collect();
        for (task, share) in self.tasks.iter_mut().zip(shares) {
            if let Due::Work { left, .. } = &mut task.due {
                *left -= share;
            }
        }
    }

    /// Schedules something, or executes it immediately if its time is now.
    fn then(&mut self, now: f64, what: What, op: usize, at: f64) {
        if at == now { self.happen(now, what, op) } else { self.begin(what, op, Due::At(at)) }
    }

    fn begin(&mut self, what: What, op: usize, due: Due) {
        self.tasks.push(Task { what, op, due, number: self.count });
        self.count += 1;
    }

    fn peer(&self, op: usize) -> usize {
        self.actions[self.other[op].unwrap()].0
    }

    /// Returns the latency, the gap and the overheads of an operation's message, in picoseconds.
    ///
    /// The noise of the gap is that of the sending operation, which is the other one for a receive.
    fn cost(&self, op: usize, cargo: Cargo, sends: bool) -> [f64; 4] {
        let level = self.network.level(self.place(self.actions[op].0), self.place(self.peer(op)));
        let bytes = if cargo == Cargo::Data { self.actions[op].1.bytes() } else { 1 };
        let cost = self.network.cost(level, bytes);
        let [latency, gap, send, receive] =
            [cost.latency, cost.gap, cost.send, cost.receive].map(|seconds| (seconds * SECOND).round());
        let sender = if sends { op } else { self.other[op].unwrap() };
        [latency, (gap * self.noise.message_factor(sender as u32)).round(), send, receive]
    }

    /// Returns the place of a rank node by node.
    fn place(&self, rank: usize) -> u64 {
        let description = self.network.description();
        let (rank, per_node) = (rank as u64, description.ranks_per_node);
        let nodes = (self.present.len() as u64).div_ceil(per_node);
        match description.placement {
            Placement::Consecutive => rank,
            Placement::Cyclic => {
                (0..rank).filter(|other| other % nodes == rank % nodes).count() as u64
                    + rank % nodes * per_node
            }
        }
    }

    /// Returns whether the port belongs to a rank, the number of its rank or node, and the rail.
    fn port(&self, op: usize) -> (bool, usize, u32) {
        let description = self.network.description();
        let node = |rank: usize| (self.place(rank) / description.ranks_per_node) as usize;
        let rank = self.actions[op].0;
        let rail = match self.actions[op].1 {
            Action::Send { rail, .. } | Action::Receive { rail, .. } => rail % description.rails,
            _ => 0,
        };
        if description.ranks_per_node > 1 && node(rank) == node(self.peer(op)) {
            (true, rank, 0)
        } else {
            (false, node(rank), rail)
        }
    }

    /// Returns the first processor that is free for a waiting operation, with the time.
    fn first_free(&self, now: f64) -> Option<(usize, f64)> {
        let ranks = (0..self.waiting.len()).filter(|&rank| !self.waiting[rank].is_empty());
        let times = ranks.map(|rank| (rank, self.processor[rank].max(now)));
        times.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    fn serve(&mut self, now: f64, rank: usize) {
        let first = self.waiting[rank].iter().copied().min().unwrap();
        self.waiting[rank].retain(|&op| op != first);
        self.start(now, first);
    }

    /// Gives an operation its processor when that is free.
    fn claim(&mut self, now: f64, op: usize) {
        let rank = self.actions[op].0;
        if self.duration(op) == 0.0 || (self.processor[rank] <= now && self.waiting[rank].is_empty()) {
            self.start(now, op);
        } else {
            self.waiting[rank].push(op);
        }
    }

    fn duration(&self, op: usize) -> f64 {
        let action = self.actions[op].1;
        let factor = if self.network.description().overheads == Overheads::Ignored { 0.0 } else { 1.0 };
        let copy = (self.network.copy(action.bytes()) * SECOND).round();
        match action {
            Action::Send { .. } => factor * self.cost(op, Cargo::Data, true)[2],
            Action::Receive { .. } => {
                let copied = if self.unexpected[op] { copy } else { 0.0 };
                factor * self.cost(op, Cargo::Data, false)[3] + copied
            }
            Action::Reduce { .. } => (self.network.reduce(action.bytes()) * SECOND).round(),
            Action::Copy { .. } => copy,
        }
    }

    fn start(&mut self, now: f64, op: usize) {
        let ((rank, action), duration) = (self.actions[op], self.duration(op));
        let inside = self.network.description().overheads == Overheads::Inside;
        let end = match action {
            Action::Receive { .. } if inside && !self.unexpected[op] => {
                let passed = self.passed[op].unwrap();
                let begin = (passed - duration).max(self.posted[op].unwrap()).max(self.processor[rank]);
                now.max(begin + duration)
            }
            _ => now + duration,
        };
        if duration > 0.0 {
            self.processor[rank] = end;
        }
        match action {
            Action::Send { .. } => self.then(now, What::Leave, op, if inside { now } else { end }),
            _ => self.then(now, What::Complete, op, end),
        }
    }

    fn post(&mut self, now: f64, op: usize) {
        let action = self.actions[op].1;
        let limit = self.network.description().eager_limit;
        match action {
            Action::Send { .. } if limit.is_some_and(|limit| action.bytes() > limit) => {
                self.put(now, op, Cargo::Request);
            }
            Action::Receive { .. } => {
                if self.passed[op].is_some() {
                    self.unexpected[op] = true;
                    self.claim(now, op);
                } else if self.requested[op] {
                    self.put(now, op, Cargo::Reply);
                }
            }
            _ => self.claim(now, op),
        }
    }

    /// Puts a message into the queue of the send port; returns the time at which it has left.
    fn put(&mut self, now: f64, op: usize, cargo: Cargo) -> f64 {
        let [latency, gap, ..] = self.cost(op, cargo, true);
        let free = self.out_free.entry(self.port(op)).or_insert(0.0);
        let start = now.max(*free);
        *free = start + gap;
        self.begin(What::Reach(cargo), self.other[op].unwrap(), Due::At(start + latency));
        start + gap
    }

    fn happen(&mut self, now: f64, what: What, op: usize) {
        match what {
            What::Complete => self.complete[op] = Some(now),
            What::Begin => self.present[op] = true,
            What::Leave => {
                let gone = self.put(now, op, Cargo::Data);
                self.begin(What::Complete, op, Due::At(gone));
            }
            What::Reach(cargo) => {
                let [_, gap, ..] = self.cost(op, cargo, false);
                let port = self.port(op);
                let due = match self.network.description().receive {
                    ReceivePort::Fifo => {
                        let free = self.in_free.entry(port).or_insert(0.0);
                        *free = now.max(*free) + gap;
                        Due::At(*free)
                    }
                    ReceivePort::Shared => {
                        let known = self.ports.iter().position(|known| *known == port);
                        let port = known.unwrap_or_else(|| {
                            self.ports.push(port);
                            self.ports.len() - 1
                        });
                        let rail = match self.actions[op].1 {
                            Action::Send { rail, .. } | Action::Receive { rail, .. } => *rail,
                            _ => 0,
                        };
                        Due::Work { port, left: gap, channel: self.channel(op, rail) }
                    }
                    port => panic!("the oracle does not know {port:?}"),
                };
                self.begin(What::Pass(cargo), op, due);
            }
            What::Pass(Cargo::Data) => {
                self.passed[op] = Some(now);
                if self.posted[op].is_some() {
                    self.claim(now, op);
                }
            }
            What::Pass(Cargo::Request) if self.posted[op].is_some() => {
                self.put(now, op, Cargo::Reply);
            }
            What::Pass(Cargo::Request) => self.requested[op] = true,
            What::Pass(Cargo::Reply) => self.claim(now, op),
        }
    }

    /// Returns the sender, the receiver and the rail of an operation's message.
    fn channel(&self, op: usize, rail: u32) -> (usize, usize, u32) {
        let (rank, peer) = (self.actions[op].0, self.peer(op));
        if matches!(self.actions[op].1, Action::Send { .. }) {
            (rank, peer, rail)
        } else {
            (peer, rank, rail)
        }
    }
}

/// Returns the pattern of these arrivals in picoseconds.
fn skew(arrivals: &[f64]) -> Skew {
    let text: Vec<String> = arrivals.iter().map(|arrival| (arrival / 1e6).to_string()).collect();
    Skew::of_ranks(&text.join("\n")).unwrap()
}

/// Returns when each rank arrives, in picoseconds; some ranks are punctual.
fn arrivals() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((0..2_u8, 0..300_000_u32).prop_map(|(late, at)| f64::from(u32::from(late) * at)), 5)
}

/// Returns the times of both simulators, in picoseconds.
fn both(schedule: &Schedule, network: &Network, seed: u64, arrivals: &[f64]) -> (f64, f64) {
    // Every message takes a different time, so few moments coincide: the start, and sums of reductions and copies.
    let noise = Noise { seed, messages: 0.2, runs: 0.0 };
    let program = Program::new(schedule).unwrap();
    let fast = Engine::with_skew(skew(arrivals)).run(&program, network, noise, &mut ()).unwrap();
    (fast.seconds() * SECOND, Oracle::new(schedule, network, noise, arrivals).run())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000 / one_in::<u32>(8)))]

    #[test]
    fn both_simulators_agree_where_arrivals_queue(
        schedule in schedules(),
        network in networks(ReceivePort::Fifo),
        seed in any::<u64>(),
        arrivals in arrivals(),
    ) {
        let (fast, slow) = both(&schedule, &network, seed, &arrivals);
        prop_assert!((fast - slow).abs() < 0.5, "{fast} against {slow}");
    }
}

proptest! {
    // The cases are fixed: where rounding decides which of two messages is first, both simulators may be right.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::with_cases(1000 / one_in::<u32>(8)) })]

    #[test]
    fn both_simulators_agree_where_arrivals_share_a_port(
        schedule in schedules(),
        network in networks(ReceivePort::Shared),
        seed in any::<u64>(),
        arrivals in arrivals(),
    ) {
        let (fast, slow) = both(&schedule, &network, seed, &arrivals);
        let operations = schedule.ranks.iter().flat_map(|rank| &rank.operations);
        let messages = operations.filter(|operation| matches!(operation.action, Action::Send { .. })).count();
        // Each of a message's up to three passings (request, reply, data) is rounded to a picosecond, for each rank that shares the port.
        let rounding = (3 * messages * schedule.ranks.len()) as f64;
        prop_assert!((fast - slow).abs() < rounding.max(0.5), "{fast} against {slow}");
    }
}

proptest! {
    /// Where all ranks arrive late by the same amount, so does the end; 0 is no delay at all.
    #[test]
    fn a_delay_of_all_ranks_delays_the_end_by_exactly_as_much(
        schedule in schedules(),
        network in any::<bool>().prop_flat_map(|is_shared| networks(if is_shared { ReceivePort::Shared } else { ReceivePort::Fifo })),
        delay in prop_oneof![Just(0), 1..300_000_u32],
    ) {
        let program = Program::new(&schedule).unwrap();
        let time = |mut engine: Engine| engine.run(&program, &network, Noise::default(), &mut ()).unwrap().picoseconds();
        let late = Engine::with_skew(skew(&[f64::from(delay); 5]));
        prop_assert_eq!(time(late), time(Engine::default()) + u64::from(delay));
    }
}
