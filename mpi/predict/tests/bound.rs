//! Lower bounds: no algorithm is faster on any network, and some reach them.

use proptest::prelude::*;
use qtdec_mpi_predict::models::Form;
use qtdec_mpi_predict::network::{
    Between, Description, Network, Point, ReceivePort, Unit, shipped, shipped_names,
};
use qtdec_mpi_predict::predict::{Predictor, Size, Term, TimeSource, bound};
use qtdec_mpi_predict::simulate::{Engine, Noise, Program, Skew};
use qtdec_mpi_schedule::{Action, Buffer, Operation, Part, RankSchedule, Schedule};
use qtdec_mpi_schedule::{Collective, Request};
use qtdec_testkit::sample::one_in;

use crate::simulate::random::networks;

/// Fails if an algorithm is faster than the bound.
fn none_is_faster(
    network: &Network,
    source: TimeSource,
    collective: Collective,
    size: Size,
    segments: &[u64],
) {
    for skew in if source == TimeSource::Simulated { &["0", "random:0.2"][..] } else { &["0"] } {
        let Ok(mut predictor) = Predictor::new(network, collective, source, &[]) else { return };
        predictor.arrivals = Skew::named(skew).unwrap().into();
        let least = predictor.bound(size);
        for found in predictor.ranking(size, segments) {
            let tolerance = 1e-12 + 1e-9 * least.seconds;
            assert!(
                found.seconds + tolerance >= least.seconds,
                "{collective} {size:?} {found:?} is faster than {least:?} on {network:?}, skew {skew}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60 / one_in::<u32>(8)))]

    #[test]
    fn no_simulated_algorithm_is_faster(
        fifo in networks(ReceivePort::Fifo),
        shared in networks(ReceivePort::Shared),
        comm_size in 1..20_u32,
        msg_size in 0..5000_u64,
        segment in 1..3000_u64,
    ) {
        for network in [fifo, shared] {
            for collective in Collective::ALL {
                let size = Size { comm_size, msg_size };
                none_is_faster(&network, TimeSource::Simulated, collective, size, &[segment]);
            }
        }
    }
}

#[test]
fn no_algorithm_is_faster_on_shipped_networks() {
    for name in shipped_names().step_by(one_in(3)) {
        let network = shipped(name).expect("a shipped network");
        for source in [TimeSource::Simulated, TimeSource::Formula(Form::Exact)] {
            for collective in Collective::ALL {
                for comm_size in [2, 3, 8, 13, 16] {
                    for msg_size in [1, 1000, 65_536, 1 << 20] {
                        let size = Size { comm_size, msg_size };
                        none_is_faster(&network, source, collective, size, &[8192, 65_536]);
                    }
                }
            }
        }
    }
}

/// A latency of 10, a gap of 2 and 1 for each byte, in microseconds, and 4 for each byte that is combined.
fn plain() -> Network {
    combining(4.0)
}

fn combining(reduce_per_byte: f64) -> Network {
    let point = |bytes: u64| Point { bytes, gap: 2.0 + bytes as f64, send: 0.0, receive: 0.0 };
    let description = Description::new(Unit::Microseconds, 10.0, vec![point(1), point(1001)]);
    Network::new(Description { reduce_per_byte, ..description }).expect("a network")
}

/// Values worked out by hand.
#[test]
fn bounds_by_hand() {
    let network = plain();
    let of = |collective, comm_size, msg_size| {
        let found = bound(&network, collective, Size { comm_size, msg_size });
        ((found.seconds * 1e6 * 100.0).round() / 100.0, found.term)
    };
    // The smallest gap is 3: two ranks after 10 + 3; the next sends begin at 3, 6, … and arrive 13 later.
    assert_eq!(of(Collective::Bcast, 2, 1), (13.0, Term::Latency));
    assert_eq!(of(Collective::Bcast, 4, 1), (19.0, Term::Latency));
    // A byte costs at least 1 (beyond the last point), and one latency is always there.
    // The last of four ranks begins to receive at 6 + 10.
    assert_eq!(of(Collective::Bcast, 2, 1000), (1010.0, Term::Bandwidth));
    assert_eq!(of(Collective::Bcast, 4, 1000), (1016.0, Term::Bandwidth));
    assert_eq!(of(Collective::Alltoall, 4, 1000), (3010.0, Term::Bandwidth));
    assert_eq!(of(Collective::Allreduce, 4, 1000), (1510.0, Term::Bandwidth));
    // A message has arrived at 13 before anything is combined.
    assert_eq!(of(Collective::ReduceScatterBlock, 2, 1000), (4013.0, Term::Computation));
    // The root combines one byte itself, or x of 1000 with 13 + 4 x = 13 + 4 (1000 - x) / 3 + 13, so x = 252.4375.
    assert_eq!(of(Collective::Reduce, 2, 1), (17.0, Term::Computation));
    assert_eq!(of(Collective::Reduce, 4, 1000), (1022.75, Term::Computation));
    assert_eq!(of(Collective::Barrier, 2, 0), (13.0, Term::Latency));
    assert_eq!(of(Collective::Bcast, 1, 1000), (0.0, Term::Latency));
    assert_eq!(of(Collective::Bcast, 4, 0), (0.0, Term::Latency));
}

/// Clusters of two ranks, 1000 µs apart: nothing reaches the other one sooner.
#[test]
fn clusters_are_far_apart() {
    let description = plain().description().clone();
    let points = description.points.clone();
    let between = Some(Between { cluster_sizes: vec![2, 1], latency: 1000.0, points });
    let network =
        Network::new(Description { between, reduce_per_byte: 0.0, ..description }).expect("a network");
    let of = |collective, comm_size, msg_size| {
        let found = bound(&network, collective, Size { comm_size, msg_size });
        ((found.seconds * 1e6 * 100.0).round() / 100.0, found.term)
    };
    assert_eq!(of(Collective::Bcast, 2, 1), (13.0, Term::Latency));
    assert_eq!(of(Collective::Bcast, 3, 1), (1003.0, Term::Latency));
    assert_eq!(of(Collective::Barrier, 4, 0), (1003.0, Term::Latency));
    assert_eq!(of(Collective::Bcast, 3, 1000), (2000.0, Term::Bandwidth));
}

/// Chan et al. bound the computation of an allreduce by (p - 1) / p of the bytes, in operations of two operands. Each of four ranks
/// combines a quarter of all inputs at once, and the others receive it.
#[test]
fn operations_of_many_operands_beat_the_bound_of_chan() {
    const RANKS: u32 = 4;
    const BLOCK: u64 = 250;
    let part = |buffer, block: u32| Part { buffer, offset: u64::from(block) * BLOCK, bytes: BLOCK };
    let of_rank = |rank: u32| {
        let others = || (0..RANKS).filter(move |other| *other != rank);
        let mut operations = Vec::new();
        let mut add = |action, after: Vec<u32>| operations.push(Operation { action, after });
        for peer in others() {
            add(Action::Send { peer, rail: 0, parts: vec![part(Buffer::Send, peer)] }, Vec::new());
        }
        for peer in others() {
            add(Action::Receive { peer, rail: 0, parts: vec![part(Buffer::Scratch, peer)] }, Vec::new());
        }
        let own = |source: u32| part(if source == rank { Buffer::Send } else { Buffer::Scratch }, source);
        let into = part(Buffer::Receive, rank);
        add(Action::Reduce { parts: (0..RANKS).map(own).collect(), into }, vec![3, 4, 5]);
        for peer in others() {
            add(Action::Send { peer, rail: 0, parts: vec![into] }, vec![6]);
        }
        for peer in others() {
            add(Action::Receive { peer, rail: 0, parts: vec![part(Buffer::Receive, peer)] }, Vec::new());
        }
        RankSchedule { rank, operations }
    };
    let schedule = Schedule {
        collective: Collective::Allreduce,
        algorithm: "direct".to_owned(),
        request: Request::new(RANKS, u64::from(RANKS) * BLOCK).expect("a request"),
        ranks: (0..RANKS).map(of_rank).collect(),
    };
    schedule.verify().expect("a right schedule");
    let network = combining(40.0);
    let mut engine = Engine::default();
    let program = Program::new(&schedule).expect("a small schedule");
    engine.run(&program, &network, Noise::default(), &mut ()).expect("a simulation");
    let took = engine.finish().iter().map(|time| time.seconds()).fold(0.0, f64::max);
    let bytes = f64::from(RANKS) * BLOCK as f64;
    let of_chan = 40e-6 * bytes * f64::from(RANKS - 1) / f64::from(RANKS);
    let least = bound(&network, Collective::Allreduce, Size { comm_size: RANKS, msg_size: bytes as u64 });
    assert!(least.seconds < took && took < of_chan, "{least:?} {took} {of_chan}");
}

/// Two ranks exchange a message: the bound is the time.
#[test]
fn a_bound_that_is_reached() {
    let network = plain();
    let predictor =
        Predictor::new(&network, Collective::Bcast, TimeSource::Simulated, &["linear".to_owned()]);
    let predictor = predictor.expect("an algorithm");
    let size = Size { comm_size: 2, msg_size: 1 };
    assert_eq!(predictor.ranking(size, &[])[0].seconds, 13e-6);
    assert!((predictor.bound(size).seconds - 13e-6).abs() < 2e-12);
}
