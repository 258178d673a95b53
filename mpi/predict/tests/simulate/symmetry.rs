//! Simulations of the ranks that stand for all others, compared with those of all ranks.

use super::random::networks;
use proptest::prelude::*;
use qtdec_mpi_predict::network::{
    Between, Description, Network, Overheads, Point as Sample, ReceivePort, Unit,
};
use qtdec_mpi_predict::simulate::{Engine, Noise, Point, Program, Simulator};
use qtdec_mpi_schedule::{
    Algorithm, Clusters, Collective, Request, Schedule, TwoLevel, Variant, algorithms, all,
};

prop_compose! {
    /// Returns networks whose few times are so small that many events are simultaneous.
    fn coarse_networks()(
        (latency, gap, slope, send, receive) in (0..4_u8, 1..4_u8, 0..2_u8, 0..3_u8, 0..3_u8),
        (shared, overheads, rails, ranks_per_node) in (any::<bool>(), 0..3_usize, 1..3_u32, 1..5_u64),
        (eager_limit, reduce, copy) in (prop::option::of(0..9_u64), 0..3_u8, 0..3_u8),
        between in prop::option::of((0..4_u8, 1..3_u64)),
    ) -> Network {
        let sample = |bytes: u64| Sample {
            bytes,
            gap: f64::from(gap) + bytes as f64 * f64::from(slope),
            send: send.into(),
            receive: receive.into(),
        };
        let points = vec![sample(0), sample(16)];
        let between = between.map(|(latency, nodes)| Between {
            cluster_sizes: vec![nodes * ranks_per_node],
            latency: latency.into(),
            points: points.clone(),
        });
        Network::new(Description {
            receive: if shared { ReceivePort::Shared } else { ReceivePort::Fifo },
            overheads: [Overheads::Ignored, Overheads::Inside, Overheads::Outside][overheads],
            rails,
            ranks_per_node,
            eager_limit,
            reduce_per_byte: reduce.into(),
            copy_per_byte: copy.into(),
            between,
            ..Description::new(Unit::Microseconds, latency.into(), points)
        })
        .unwrap()
    }
}

fn any_network() -> impl Strategy<Value = Network> {
    prop_oneof![coarse_networks(), networks(ReceivePort::Fifo), networks(ReceivePort::Shared)]
}

/// Checks the time of a request against that of all its ranks.
fn check(algorithm: &(dyn Algorithm + Sync), request: &Request, network: &Network) {
    let Ok(schedule) = Schedule::build(algorithm, request) else { return };
    let program = Program::new(&schedule).unwrap();
    let all = Engine::default().run(&program, network, Noise::default(), &mut ());
    let time = Simulator::new(network).time(&Point { algorithm, request: request.clone() }, Noise::default());
    assert_eq!(time, all, "{} {} {request:?} {network:?}", algorithm.collective(), algorithm.name());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_few_ranks_take_the_time_of_all(network in any_network(), ranks in 2..25_u32, bytes in 0..9_u64, whole in any::<bool>()) {
        let bytes = if whole { bytes * u64::from(ranks) } else { bytes };
        for entry in all() {
            check(entry, &Request::new(ranks, bytes).unwrap(), &network);
        }
    }

    #[test]
    fn a_few_nodes_take_the_time_of_all(network in any_network(), (nodes, size) in (2..9_u32, 1..6_u32), bytes in 0..9_u64) {
        for collective in [Collective::Allreduce, Collective::Allgather, Collective::Barrier] {
            let names = || algorithms(collective).map(Algorithm::name);
            for (inter, intra) in names().flat_map(|inter| names().map(move |intra| (inter, intra))) {
                let composed = TwoLevel::named(collective, &format!("{}:inter={inter}:intra={intra}", TwoLevel::PREFIX)).unwrap().unwrap();
                let clusters = Some(Clusters::new([(nodes, size)]).unwrap());
                let request = Request::new(nodes * size, bytes);
                let request = request.and_then(|request| request.variant(Variant { clusters, ..Variant::default() }));
                check(&composed, &request.unwrap(), &network);
            }
        }
    }
}

/// One node stands for thousands where it can; otherwise the call is refused before anything is built.
#[test]
fn compositions_of_a_quarter_of_a_million_ranks_are_simulated_or_refused() {
    let points =
        [(1, 0.53), (1 << 20, 154.71)].map(|(bytes, gap)| Sample { bytes, gap, send: 0.11, receive: 0.13 });
    let between = Between { cluster_sizes: vec![32], latency: 1.7, points: points.to_vec() };
    let description = Description::new(Unit::Microseconds, 0.31, points.to_vec());
    let network =
        Network::new(Description { ranks_per_node: 32, between: Some(between), ..description }).unwrap();
    let time = |nodes, collective, name: &str| {
        let composed = TwoLevel::named(collective, &format!("{}:{name}", TwoLevel::PREFIX)).unwrap().unwrap();
        let clusters = Some(Clusters::new([(nodes, 32)]).unwrap());
        let request = Request::new(nodes * 32, 1024);
        let request =
            request.and_then(|request| request.variant(Variant { clusters, ..Variant::default() })).unwrap();
        Simulator::new(&network).time(&Point { algorithm: &composed, request }, Noise::default())
    };
    let doubling = "inter=recursive_doubling:intra=recursive_doubling";
    assert!(time(8192, Collective::Allreduce, doubling).is_ok());
    assert!(time(8192, Collective::Barrier, doubling).is_ok());
    assert!(time(7813, Collective::Barrier, "inter=dissemination:intra=tree").is_ok());
    let refused = time(7813, Collective::Allgather, doubling).unwrap_err().to_string();
    assert!(refused.contains("steps to build"), "{refused}");
}
