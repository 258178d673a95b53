//! The rules in the simulator's documentation, one at a time.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

use qtdec_mpi_predict::network::{
    Between, Description, Network, Overheads, Point, ReceivePort, Unit, shipped,
};
use qtdec_mpi_predict::simulate::Point as GridPoint;
use qtdec_mpi_predict::simulate::{
    Engine, Noise, Observer, Place, Program, SimulateError, Skew, Time, simulate, times,
};
use qtdec_mpi_schedule::{Action, Buffer, Operation, Part, RankSchedule, Schedule, algorithms};
use qtdec_mpi_schedule::{Collective, Request};

/// Returns a description with `L = 1000 ns, g = 100 + m, os = 10 + m/10, or = 20 + m/10 ns`.
fn description() -> Description {
    let point = |bytes: u64| {
        let m = bytes as f64;
        Point { bytes, gap: 100.0 + m, send: 10.0 + m / 10.0, receive: 20.0 + m / 10.0 }
    };
    Description::new(Unit::Nanoseconds, 1000.0, vec![point(0), point(1 << 20)])
}

fn network(change: impl FnOnce(&mut Description)) -> Network {
    let mut description = description();
    change(&mut description);
    Network::new(description).unwrap()
}

fn parts(bytes: u64) -> Vec<Part> {
    vec![Part { buffer: Buffer::Data, offset: 0, bytes }]
}

fn send(peer: u32, bytes: u64, after: &[u32]) -> Operation {
    Operation { action: Action::Send { peer, rail: 0, parts: parts(bytes) }, after: after.to_vec() }
}

fn receive(peer: u32, bytes: u64, after: &[u32]) -> Operation {
    Operation { action: Action::Receive { peer, rail: 0, parts: parts(bytes) }, after: after.to_vec() }
}

fn reduce(bytes: u64, after: &[u32]) -> Operation {
    let into = parts(bytes)[0];
    Operation { action: Action::Reduce { parts: parts(bytes), into }, after: after.to_vec() }
}

fn schedule(ranks: Vec<Vec<Operation>>) -> Schedule {
    let request = Request::new(ranks.len() as u32, 1).unwrap();
    let ranks = (0..).zip(ranks).map(|(rank, operations)| RankSchedule { rank, operations }).collect();
    Schedule { collective: Collective::Bcast, algorithm: "by hand".to_owned(), request, ranks }
}

/// Returns the time in nanoseconds.
fn nanoseconds(schedule: &Schedule, network: &Network) -> f64 {
    simulate(schedule, network).unwrap().picoseconds() as f64 / 1000.0
}

fn one_message(bytes: u64) -> Schedule {
    schedule(vec![vec![send(1, bytes, &[])], vec![receive(0, bytes, &[])]])
}

#[test]
fn one_message_takes_latency_and_gap_and_outside_the_overheads_too() {
    let of = |overheads| nanoseconds(&one_message(500), &network(|network| network.overheads = overheads));
    assert_eq!(of(Overheads::Ignored), 1600.0);
    assert_eq!(of(Overheads::Inside), 1600.0);
    assert_eq!(of(Overheads::Outside), 60.0 + 1600.0 + 70.0);
}

#[test]
fn headers_and_factors_change_a_message() {
    let of = |change: fn(&mut Description)| nanoseconds(&one_message(500), &network(change));
    assert_eq!(of(|network| network.header_bytes = 16), 1616.0);
    let factor = |bytes| qtdec_mpi_predict::network::SizeFactor { bytes, latency: 2.0, gap: 1.5 };
    let network = network(|network| network.size_factors = vec![factor(500)]);
    assert_eq!(nanoseconds(&one_message(500), &network), 2900.0);
    assert_eq!(nanoseconds(&one_message(499), &network), 1599.0);
}

#[test]
fn a_handshake_takes_two_bytes_and_two_latencies() {
    let network = network(|network| network.eager_limit = Some(499));
    assert_eq!(nanoseconds(&one_message(499), &network), 1599.0);
    assert_eq!(nanoseconds(&one_message(500), &network), 2.0 * 1101.0 + 1600.0);
}

#[test]
fn a_late_receive_copies_an_early_message_and_holds_up_a_handshake() {
    // The receive is posted when 10 000 bytes have been combined.
    let late = schedule(vec![vec![send(1, 500, &[])], vec![reduce(10_000, &[]), receive(0, 500, &[0])]]);
    let with = |eager_limit| {
        network(|network| {
            network.overheads = Overheads::Ignored;
            network.reduce_per_byte = 1.0;
            network.copy_per_byte = 0.5;
            network.eager_limit = eager_limit;
        })
    };
    assert_eq!(nanoseconds(&late, &with(None)), 10_000.0 + 250.0);
    // The request has arrived, but the reply and the message have not.
    assert_eq!(nanoseconds(&late, &with(Some(0))), 10_000.0 + 1101.0 + 1600.0);
}

#[test]
fn operations_that_wait_for_a_processor_come_after_everything_else_of_the_moment() {
    // Both senders have combined 300 bytes at 300 ns. The second one's send has waited since 0 ns, and leaves after the first's.
    let schedule = schedule(vec![
        vec![reduce(100, &[]), reduce(200, &[0]), send(2, 400, &[1])],
        vec![reduce(300, &[]), send(2, 500, &[])],
        vec![receive(0, 400, &[]), receive(1, 500, &[0])],
    ]);
    let network = network(|network| network.reduce_per_byte = 1.0);
    assert_eq!(nanoseconds(&schedule, &network), 300.0 + 1000.0 + 500.0 + 600.0);
}

#[test]
fn with_one_processor_a_pipeline_takes_the_longer_of_gap_and_overheads() {
    // 40 segments of 100 bytes over 3 ranks: g = 200, os = 20 and or = 30, or ten times as much.
    let request = Request::new(3, 4000).unwrap().segment(Some(100)).unwrap();
    let algorithm = qtdec_mpi_schedule::find(Collective::Bcast, "pipeline").unwrap();
    let schedule = Schedule::build(algorithm, &request).unwrap();
    let slow = |factor: f64| {
        network(|network| {
            for point in &mut network.points {
                point.send *= factor;
                point.receive *= factor;
            }
        })
    };
    let steady = |network: &Network| {
        let longer = Schedule::build(algorithm, &Request::new(3, 8000).unwrap().segment(Some(100)).unwrap());
        (nanoseconds(&longer.unwrap(), network) - nanoseconds(&schedule, network)) / 40.0
    };
    assert_eq!(steady(&slow(1.0)), 200.0);
    assert_eq!(steady(&slow(10.0)), 500.0);
}

/// Returns a schedule in which three ranks send to the first at once.
fn gather(bytes: u64) -> Schedule {
    let from = |rank| receive(rank, bytes, &[]);
    let to = || vec![send(0, bytes, &[])];
    schedule(vec![vec![from(1), from(2), from(3)], to(), to(), to()])
}

#[test]
fn arrivals_queue_or_share_the_port() {
    let first = |receive| {
        let network = network(|network| {
            network.receive = receive;
            network.overheads = Overheads::Ignored;
        });
        let mut seen = Finished::default();
        let program = Program::new(&gather(500)).unwrap();
        Engine::default().run(&program, &network, Noise::default(), &mut seen).unwrap();
        seen.0
    };
    assert_eq!(first(ReceivePort::Fifo), [1600.0, 2200.0, 2800.0]);
    assert_eq!(first(ReceivePort::Shared), [2800.0, 2800.0, 2800.0]);
}

#[test]
fn late_ranks_send_later_and_find_what_has_arrived() {
    let network = network(|network| {
        network.overheads = Overheads::Ignored;
        network.copy_per_byte = 0.5;
    });
    let program = Program::new(&gather(500)).unwrap();
    let of = |skew| Engine::with_skew(skew).run(&program, &network, Noise::default(), &mut ());
    let named = |text| of(Skew::named(text).unwrap()).unwrap().picoseconds() / 1000;
    // Three messages queue for 600 ns each, after 1000 ns. The last one may come 1200 ns later; then it alone is late.
    assert_eq!((named("last:0"), named("last:1.2"), named("last:10")), (2800, 2800, 10_000 + 1600));
    // The senders begin after 1000, 2000 and 3000 ns, so that none of them waits.
    assert_eq!(named("ascending:3"), 3000 + 1600);
    // All messages were there, and are copied one after the other.
    assert_eq!(named("first:10"), 10_000 + 3 * 250);
    // The receiver arrives at 3000 ns and copies the messages of 0 and 1000 ns, before that of 2000 ns is there.
    assert_eq!(named("descending:3"), 2000 + 1600);
    let three = Skew::of_ranks("0\n0\n0").unwrap();
    assert_eq!(of(three), Err(SimulateError::TooFewDelays { delays: 3, comm_size: 4 }));
}

/// The times at which the operations of rank 0 were complete, in nanoseconds.
#[derive(Default)]
struct Finished(Vec<f64>);

impl Observer for Finished {
    fn completed(&mut self, operation: Place, at: Time) {
        if operation.rank == 0 {
            self.0.push(at.picoseconds() as f64 / 1000.0);
        }
    }
}

#[test]
fn ranks_of_a_node_share_its_ports_but_not_for_messages_within_it() {
    let of = |ranks_per_node, schedule: &Schedule| {
        nanoseconds(
            schedule,
            &network(|network| {
                network.ranks_per_node = ranks_per_node;
                network.overheads = Overheads::Ignored;
            }),
        )
    };
    // Two ranks of one node send to two of the other.
    let across = schedule(vec![
        vec![send(2, 500, &[])],
        vec![send(3, 500, &[])],
        vec![receive(0, 500, &[])],
        vec![receive(1, 500, &[])],
    ]);
    assert_eq!((of(1, &across), of(2, &across)), (1600.0, 2200.0));
    // One message leaves the node, the other does not.
    let within = schedule(vec![
        vec![send(1, 500, &[])],
        vec![receive(0, 500, &[]), send(2, 500, &[])],
        vec![receive(1, 500, &[])],
    ]);
    assert_eq!((of(1, &within), of(2, &within)), (1600.0, 1600.0));
}

#[test]
fn rails_carry_messages_at_once_and_clusters_are_further_apart() {
    let two = |first: u32, second: u32| {
        let on = |rail, peer, sends| {
            let action = if sends {
                Action::Send { peer, rail, parts: parts(500) }
            } else {
                Action::Receive { peer, rail, parts: parts(500) }
            };
            Operation { action, after: Vec::new() }
        };
        schedule(vec![
            vec![on(first, 1, true), on(second, 1, true)],
            vec![on(first, 0, false), on(second, 0, false)],
        ])
    };
    let with = |rails| {
        network(|network| {
            network.rails = rails;
            network.overheads = Overheads::Ignored;
        })
    };
    assert_eq!(nanoseconds(&two(0, 0), &with(2)), 2200.0);
    assert_eq!(nanoseconds(&two(0, 1), &with(2)), 1600.0);
    // Rail 1 of a network of one rail is rail 0.
    assert_eq!(nanoseconds(&two(0, 1), &with(1)), 2200.0);
    let far = network(|network| {
        let points = network.points.clone();
        network.between = Some(Between { cluster_sizes: vec![1], latency: 50_000.0, points });
        network.overheads = Overheads::Ignored;
    });
    assert_eq!(nanoseconds(&one_message(500), &far), 50_600.0);
}

#[test]
fn unsound_schedules_are_refused_and_named() {
    let network = network(|_| ());
    let place = |rank, operation| Place { rank, operation };
    let cases = [
        (vec![vec![send(1, 5, &[])], vec![]], SimulateError::Unmatched(place(0, 0))),
        (vec![vec![send(7, 5, &[])], vec![]], SimulateError::Unmatched(place(0, 0))),
        (vec![vec![send(0, 5, &[])]], SimulateError::Unmatched(place(0, 0))),
        (vec![vec![], vec![receive(0, 5, &[]), receive(0, 5, &[])]], SimulateError::Unmatched(place(1, 0))),
        (
            vec![vec![send(1, 5, &[])], vec![receive(0, 5, &[]), receive(0, 5, &[])]],
            SimulateError::Unmatched(place(1, 1)),
        ),
        (
            vec![vec![send(1, 5, &[])], vec![receive(0, 6, &[])]],
            SimulateError::SizesDiffer(place(0, 0), place(1, 0)),
        ),
        (vec![vec![reduce(5, &[0])]], SimulateError::WaitsForLater(place(0, 0))),
        (
            vec![vec![receive(1, 5, &[]), send(1, 5, &[0])], vec![receive(0, 5, &[]), send(0, 5, &[0])]],
            SimulateError::Stuck(place(0, 0)),
        ),
    ];
    for (ranks, error) in cases {
        assert_eq!(simulate(&schedule(ranks), &network), Err(error));
    }
    let endless = Network::new(Description { latency: 1e30, ..description() }).unwrap();
    assert_eq!(simulate(&one_message(1), &endless), Err(SimulateError::TooLong));
}

#[test]
fn a_sendless_schedule_takes_no_time() {
    assert_eq!(simulate(&schedule(vec![vec![]]), &network(|_| ())), Ok(Time::ZERO));
}

fn grid() -> Vec<GridPoint<'static>> {
    let mut points = Vec::new();
    for collective in Collective::ALL {
        for algorithm in algorithms(collective) {
            for ranks in [2, 7, 16] {
                for bytes in [1, 5000] {
                    points.push(GridPoint { algorithm, request: Request::new(ranks, bytes).unwrap() });
                }
            }
        }
    }
    points
}

#[test]
fn any_number_of_threads_gives_the_same_times() {
    let network = shipped("grig").unwrap();
    let points = grid();
    let noise = Noise { seed: 3, messages: 0.05, runs: 0.02 };
    let of = |threads| {
        let done = AtomicUsize::new(0);
        let threads = NonZero::new(threads).unwrap();
        let found = times(&network, &points, noise, threads, || {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), points.len());
        found
    };
    let alone = of(1);
    assert_eq!(alone.len(), points.len());
    for threads in [2, 3, 64] {
        assert_eq!(of(threads), alone, "{threads}");
    }
}

#[test]
fn every_algorithm_runs_on_every_shipped_network() {
    for name in qtdec_mpi_predict::network::shipped_names() {
        let network = shipped(name).unwrap();
        let points = grid();
        let found = times(&network, &points, Noise::default(), NonZero::new(2).unwrap(), || ());
        let mut served = 0;
        for (point, time) in points.iter().zip(found) {
            match time {
                Ok(time) => {
                    served += 1;
                    assert!(time > Time::ZERO, "{name} {} {:?}", point.algorithm.name(), point.request);
                }
                // Some algorithms only serve powers of two or even numbers of ranks.
                Err(SimulateError::Schedule(_)) => {}
                Err(error) => panic!("{name} {}: {error}", point.algorithm.name()),
            }
        }
        assert!(served > points.len() * 9 / 10, "{served} of {}", points.len());
    }
}

#[test]
fn noise_depends_on_its_seed_and_run_and_is_right_on_average() {
    let network = shipped("grig").unwrap();
    let program = Program::new(&gather(500)).unwrap();
    let mut engine = Engine::default();
    let mut time = |noise| engine.run(&program, &network, noise, &mut ()).unwrap().seconds();
    let quiet = time(Noise::default());
    let noise = Noise { seed: 1, messages: 0.0, runs: 0.1 };
    assert_eq!(time(noise), time(noise));
    let logs: Vec<f64> = (0..400).map(|run| (time(noise.of_run(run)) / quiet).ln()).collect();
    let mean = logs.iter().sum::<f64>() / 400.0;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / 400.0;
    // Three standard errors: 0.1 / 20, and 7 % of the deviation.
    assert!(mean.abs() < 0.015 && (variance.sqrt() / 0.1 - 1.0).abs() < 0.11, "{mean} {variance}");
}
