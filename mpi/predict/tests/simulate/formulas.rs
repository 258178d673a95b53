//! Formulas compared with simulations of their schedules, with receive ports `fifo` and overheads `ignored`.

use qtdec_mpi_predict::models::{Call, Claim, Form, formula};
use qtdec_mpi_predict::network::{Description, Network, Overheads, Point, Unit, shipped};
use qtdec_mpi_predict::simulate;
use qtdec_mpi_predict::simulate::{Noise, Simulator};
use qtdec_mpi_schedule::{Action, RankSchedule, Schedule, Variant, find};
use qtdec_mpi_schedule::{Collective, Request};

/// Returns a network with `L = 50 µs, g = 30 + 0.08 m`, and one whose gap jumps, stays constant and falls.
pub(crate) fn networks() -> Vec<Network> {
    let point = |bytes, gap| Point { bytes, gap, send: 10.0, receive: 12.0 };
    let affine = vec![point(0, 30.0), point(1 << 20, 30.0 + 0.08 * f64::from(1 << 20))];
    let uneven = vec![
        point(1, 2.0),
        point(1000, 90.0),
        point(1024, 60.0),
        point(65_536, 60.0),
        point(1 << 20, 9000.0),
    ];
    let ignored = |latency, points| {
        let mut description = Description::new(Unit::Microseconds, latency, points);
        description.overheads = Overheads::Ignored;
        Network::new(description).unwrap()
    };
    vec![
        ignored(50.0, affine.clone()),
        ignored(0.0, affine.clone()),
        ignored(3000.0, affine),
        ignored(5.0, uneven),
    ]
}

/// Returns the tested numbers of ranks.
fn ranks() -> impl Iterator<Item = u32> {
    (2..=33).chain(63..=65)
}

fn request(ranks: u32, bytes: u64, segment: Option<u64>) -> Request {
    Request::new(ranks, bytes).unwrap().segment(segment).unwrap()
}

/// Returns the time of a schedule relative to the formula, for every number of ranks, network and size.
fn compare(
    network: &Network,
    collective: Collective,
    schedule: &str,
    row: &str,
    sizes: &[(u64, Option<u64>)],
    mut judge: impl FnMut(u32, Claim, f64),
) {
    compare_with_radix(network, collective, (schedule, row), None, sizes, &mut judge);
}

/// The same with a radix.
fn compare_with_radix(
    network: &Network,
    collective: Collective,
    (schedule, row): (&str, &str),
    radix: Option<u32>,
    sizes: &[(u64, Option<u64>)],
    mut judge: impl FnMut(u32, Claim, f64),
) {
    let (algorithm, row) = (find(collective, schedule).unwrap(), formula(collective, row).unwrap());
    let mut simulator = Simulator::new(network);
    for ranks in ranks() {
        for &(bytes, segment) in sizes {
            let request = request(ranks, bytes, segment).variant(Variant { radix, ..Variant::default() });
            let point = simulate::Point { algorithm, request: request.unwrap() };
            let simulated = simulator.time(&point, Noise::default()).unwrap().seconds();
            let call = Call::new(network, u64::from(ranks), bytes).segment(segment).with_radix(radix);
            let predicted = row.predict(Form::Exact, &call).unwrap();
            judge(ranks, predicted.claim, simulated / predicted.seconds);
        }
    }
}

const SIZES: [(u64, Option<u64>); 5] =
    [(1, None), (65_536, None), (65_536, Some(8192)), (65_537, Some(8192)), (20_000, Some(900))];

/// The tolerance: a picosecond of rounding in each of some hundred terms, relative to microseconds.
const EXACT: f64 = 1e-6;

#[test]
fn exact_broadcasts_take_what_their_schedules_take() {
    for network in networks() {
        for algorithm in ["linear", "pipeline", "binomial"] {
            // If the last segment takes longer than a full one, ranks wait in ways that no formula includes.
            let uneven = network.gap(1 << 17) < network.gap(1 << 16) * 1.5;
            let sizes = if uneven { &SIZES[..2] } else { &SIZES[..] };
            compare(&network, Collective::Bcast, algorithm, algorithm, sizes, |ranks, claim, ratio| {
                assert_eq!(claim, Claim::Exact);
                assert!((ratio - 1.0).abs() < EXACT, "{algorithm} {ranks}: {ratio}");
            });
        }
    }
}

/// Returns networks for which the formulas are exact: a start-up time and a rate.
fn affine() -> Vec<Network> {
    networks().into_iter().take(3).collect()
}

#[test]
fn binary_trees_are_exact_when_whole_and_bounded_when_cut() {
    for network in affine() {
        let mut closest = 0.0_f64;
        compare(&network, Collective::Bcast, "binary", "binary", &SIZES, |ranks, claim, ratio| match claim {
            Claim::Exact => assert!((ratio - 1.0).abs() < EXACT, "{ranks}: {ratio}"),
            _ => {
                assert!(ratio < 1.0 + EXACT, "{ranks}: {ratio}");
                closest = closest.max(ratio);
            }
        });
        assert!(closest > 0.99, "the bound is met by some tree: {closest}");
    }
}

#[test]
fn trees_of_every_radix_are_exact_when_whole_and_no_later_than_stated_when_cut() {
    for network in affine() {
        for radix in [None, Some(2), Some(3), Some(5), Some(100)] {
            let knomial = ("knomial", "knomial");
            compare_with_radix(&network, Collective::Bcast, knomial, radix, &SIZES, |ranks, claim, ratio| {
                assert_eq!(claim, Claim::Exact);
                assert!((ratio - 1.0).abs() < EXACT, "{ranks} {radix:?}: {ratio}");
            });
            let mut closest = 0.0_f64;
            let dary = ("dary", "dary");
            compare_with_radix(&network, Collective::Bcast, dary, radix, &SIZES, |ranks, claim, ratio| {
                match claim {
                    Claim::Exact => assert!((ratio - 1.0).abs() < EXACT, "{ranks} {radix:?}: {ratio}"),
                    _ => {
                        assert!(ratio < 1.0 + EXACT, "{ranks} {radix:?}: {ratio}");
                        closest = closest.max(ratio);
                    }
                }
            });
            assert!(closest > 0.99, "some tree meets the bound: {closest}");
        }
    }
}

/// The trees of radix 2, of as many ranks as there are and of one less have names of their own.
#[test]
fn special_radices_are_other_trees() {
    let network = &affine()[0];
    let mut simulator = Simulator::new(network);
    for ranks in ranks() {
        let mut time = |name: &str, radix: Option<u32>| {
            let variant = Variant { radix, ..Variant::default() };
            let request = request(ranks, 20_000, Some(900)).variant(variant).unwrap();
            let point = simulate::Point { algorithm: find(Collective::Bcast, name).unwrap(), request };
            simulator.time(&point, Noise::default()).unwrap()
        };
        assert_eq!(time("dary", Some(2)), time("binary", None));
        assert_eq!(time("knomial", Some(2)), time("binomial", None));
        let linear = time("linear", None);
        assert_eq!(time("dary", Some(ranks.max(3) - 1)), linear);
        assert_eq!(time("knomial", Some(ranks)), linear);
    }
}

#[test]
fn split_binary_trees_may_take_one_half_longer_than_estimated() {
    for network in affine() {
        for (bytes, segment) in SIZES {
            let half = network.gap(bytes.div_ceil(2));
            compare(
                &network,
                Collective::Bcast,
                "split_binary",
                "split_binary",
                &[(bytes, segment)],
                |ranks, claim, ratio| {
                    assert_eq!(claim, Claim::Estimate);
                    let call = Call::new(&network, u64::from(ranks), bytes).segment(segment);
                    let row = formula(Collective::Bcast, "split_binary").unwrap();
                    let predicted = row.predict(Form::Exact, &call).unwrap().seconds;
                    assert!((ratio - 1.0) * predicted < half * (1.0 + EXACT), "{ranks} {bytes}: {ratio}");
                    assert!(ratio > 0.4, "{ranks} {bytes}: {ratio}");
                },
            );
        }
    }
}

#[test]
fn broadcasts_by_scatter_and_allgather() {
    for network in affine() {
        let sizes = [(1 << 16, None), (1 << 20, None), (99_991, None)];
        for algorithm in ["scatter_allgather", "scatter_allgather_ring"] {
            compare(&network, Collective::Bcast, algorithm, algorithm, &sizes, |ranks, claim, ratio| {
                match claim {
                    Claim::Exact => assert!((ratio - 1.0).abs() < EXACT, "{algorithm} {ranks}: {ratio}"),
                    Claim::AtMost => assert!(ratio < 1.0 + EXACT, "{algorithm} {ranks}: {ratio}"),
                    Claim::Estimate => assert!((0.5..2.0).contains(&ratio), "{algorithm} {ranks}: {ratio}"),
                }
            });
        }
    }
}

#[test]
fn scatters_gathers_and_all_to_alls() {
    let sizes = [(1, None), (1000, None), (65_536, None)];
    for network in affine() {
        for (collective, algorithm) in [
            (Collective::Scatter, "linear"),
            (Collective::Scatter, "chain"),
            (Collective::Scatter, "binomial"),
            (Collective::Gather, "linear"),
            (Collective::Gather, "chain"),
            (Collective::Alltoall, "rotated"),
        ] {
            compare(&network, collective, algorithm, algorithm, &sizes, |ranks, claim, ratio| {
                assert_eq!(claim, Claim::Exact);
                assert!((ratio - 1.0).abs() < EXACT, "{collective} {algorithm} {ranks}: {ratio}");
            });
        }
        let estimates = [(Collective::Gather, "binomial"), (Collective::Alltoall, "linear")];
        for (collective, algorithm) in estimates {
            compare(&network, collective, algorithm, algorithm, &sizes, |ranks, claim, ratio| {
                assert_eq!(claim, Claim::Estimate);
                assert!((0.8..1.2).contains(&ratio), "{collective} {algorithm} {ranks}: {ratio}");
            });
        }
    }
}

#[test]
fn reductions_cost_what_broadcasts_do() {
    for network in affine() {
        for (algorithm, most) in [("linear", 1.0), ("pipeline", 1.0), ("binomial", 1.2), ("binary", 1.4)] {
            compare(&network, Collective::Reduce, algorithm, algorithm, &SIZES, |ranks, claim, ratio| {
                assert_eq!(claim, Claim::Estimate);
                assert!(ratio < most + EXACT, "{algorithm} {ranks}: {ratio}");
            });
        }
    }
}

/// Returns the network with a handshake for every message.
fn with_handshakes(network: &Network) -> Network {
    Network::new(Description { eager_limit: Some(0), ..network.description().clone() }).unwrap()
}

#[test]
fn handshakes_take_the_time_of_the_rows() {
    for network in networks().iter().map(with_handshakes) {
        let sizes = [(1, None), (65_536, None)];
        for (algorithm, row) in [("linear", "linear_rendezvous"), ("pipeline", "pipeline_rendezvous")] {
            compare(&network, Collective::Bcast, algorithm, row, &sizes, |ranks, claim, ratio| {
                assert_eq!(claim, Claim::Exact);
                assert!((ratio - 1.0).abs() < EXACT, "{row} {ranks}: {ratio}");
            });
        }
    }
}

#[test]
fn sequential_handshakes_take_the_time_of_the_binomial_row() {
    let row = formula(Collective::Bcast, "binomial_rendezvous").unwrap();
    for network in networks().iter().map(with_handshakes) {
        for ranks in ranks() {
            for bytes in [1, 65_536] {
                let algorithm = find(Collective::Bcast, "binomial").unwrap();
                let mut schedule = Schedule::build(algorithm, &request(ranks, bytes, None)).unwrap();
                schedule.ranks.iter_mut().for_each(one_send_at_a_time);
                let simulated = simulate(&schedule, &network).unwrap().seconds();
                let call = Call::new(&network, u64::from(ranks), bytes);
                let predicted = row.predict(Form::Exact, &call).unwrap();
                let ratio = simulated / predicted.seconds;
                assert!((ratio - 1.0).abs() < EXACT, "{ranks} {bytes}: {ratio}");
            }
        }
    }
}

/// Makes every send wait for the previous one, like a program with blocking calls.
fn one_send_at_a_time(list: &mut RankSchedule) {
    let mut before = None;
    for (index, operation) in (0..).zip(&mut list.operations) {
        if matches!(operation.action, Action::Send { .. }) {
            operation.after.extend(before);
            before = Some(index);
        }
    }
}

#[test]
fn the_printed_binomial_row_is_right_for_powers_of_two_and_half_for_three_ranks() {
    let network = shipped("icluster-2").unwrap();
    let row = formula(Collective::Bcast, "binomial").unwrap();
    let both = |ranks, bytes| {
        let call = Call::new(&network, ranks, bytes);
        [Form::Printed, Form::Exact].map(|form| row.predict(form, &call).unwrap().seconds)
    };
    for ranks in [2, 4, 8, 16, 32, 64] {
        let [printed, exact] = both(ranks, 65_536);
        assert!((printed / exact - 1.0).abs() < 1e-12);
    }
    let [printed, exact] = both(3, 1 << 20);
    assert!((0.5..0.51).contains(&(printed / exact)));
}
