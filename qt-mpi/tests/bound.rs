//! Lower bounds: no algorithm is faster on any network, and some reach them.

use proptest::prelude::*;
use qtdec_mpi::Collective;
use qtdec_mpi::models::Form;
use qtdec_mpi::network::{Description, Network, Point, ReceivePort, Unit, shipped, shipped_names};
use qtdec_mpi::predict::{Predictor, Size, Term, TimeSource, bound};

use crate::simulate::random::networks;

/// Fails if an algorithm is faster than the bound.
fn none_is_faster(
    network: &Network,
    source: TimeSource,
    collective: Collective,
    size: Size,
    segments: &[u64],
) {
    let Ok(predictor) = Predictor::new(network, collective, source, &[]) else { return };
    let least = predictor.bound(size);
    for found in predictor.ranking(size, segments) {
        let tolerance = 1e-12 + 1e-9 * least.seconds;
        assert!(
            found.seconds + tolerance >= least.seconds,
            "{collective} {size:?} {found:?} is faster than {least:?} on {network:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

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
    for name in shipped_names() {
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
    let point = |bytes: u64| Point { bytes, gap: 2.0 + bytes as f64, send: 0.0, receive: 0.0 };
    let description = Description::new(Unit::Microseconds, 10.0, vec![point(1), point(1001)]);
    Network::new(Description { reduce_per_byte: 4.0, ..description }).expect("a network")
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
    assert_eq!(of(Collective::Bcast, 4, 1000), (1010.0, Term::Bandwidth));
    assert_eq!(of(Collective::Alltoall, 4, 1000), (3010.0, Term::Bandwidth));
    assert_eq!(of(Collective::Allreduce, 4, 1000), (1510.0, Term::Bandwidth));
    assert_eq!(of(Collective::ReduceScatterBlock, 2, 1000), (4000.0, Term::Computation));
    assert_eq!(of(Collective::Barrier, 2, 0), (13.0, Term::Latency));
    assert_eq!(of(Collective::Bcast, 1, 1000), (0.0, Term::Latency));
    assert_eq!(of(Collective::Bcast, 4, 0), (0.0, Term::Latency));
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
