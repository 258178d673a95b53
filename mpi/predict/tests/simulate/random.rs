//! Random schedules and networks.

use proptest::prelude::*;
use qtdec_mpi_predict::network::{
    Between, Description, Network, Overheads, Placement, Point, ReceivePort, Unit, WithinNode,
};
use qtdec_mpi_schedule::{Action, Buffer, Operation, Part, RankSchedule, Schedule};
use qtdec_mpi_schedule::{Collective, Request};

/// Returns a part. Sizes are distinct, so no two messages take the same time; only sums of reductions and copies coincide.
fn part(number: usize) -> Part {
    Part { buffer: Buffer::Data, offset: 0, bytes: 10 + 7 * number as u64 + (number as u64).pow(2) % 5 }
}

prop_compose! {
    /// Returns messages, reductions and copies between ranks, each of which waits for some earlier ones.
    pub(crate) fn schedules()(
        ranks in 2..6_u32,
        steps in prop::collection::vec((any::<u32>(), any::<u32>(), 0..3_u32, any::<u64>(), 0..8_u8), 1..30),
    ) -> Schedule {
        let mut lists: Vec<RankSchedule> =
            (0..ranks).map(|rank| RankSchedule { rank, operations: Vec::new() }).collect();
        for (number, (one, other, rail, waits, kind)) in steps.into_iter().enumerate() {
            let from = one % ranks;
            let to = (from + 1 + other % (ranks - 1)) % ranks;
            let parts = vec![part(number)];
            let after = |list: &RankSchedule, bits: u64| {
                let chosen = |index: &u32| (bits >> (index % 61)).trailing_zeros() >= 2;
                (0..list.operations.len() as u32).filter(chosen).collect::<Vec<_>>()
            };
            let actions = match kind {
                0 => vec![(from, Action::Reduce { parts, into: part(number) })],
                1 => vec![(from, Action::Copy { parts, into: part(number) })],
                _ => vec![
                    (from, Action::Send { peer: to, rail, parts: parts.clone() }),
                    (to, Action::Receive { peer: from, rail, parts }),
                ],
            };
            for (rank, action) in actions {
                let list = &mut lists[rank as usize];
                let after = after(list, waits.rotate_left(rank * 7));
                list.operations.push(Operation { action, after });
            }
        }
        let request = Request::new(ranks, 1).unwrap();
        Schedule { collective: Collective::Bcast, algorithm: "random".to_owned(), request, ranks: lists }
    }
}

prop_compose! {
    /// Returns networks with this receive port and of every other kind, whose times are whole picoseconds.
    pub(crate) fn networks(receive: ReceivePort)(
        (latency, gap, slope) in (1_000..100_000_u32, 1_000..100_000_u32, 1..2_000_u32),
        (send, overhead) in (0..30_000_u32, 0..30_000_u32),
        (overheads, rails, ranks_per_node, is_cyclic) in (0..3_usize, 1..4_u32, 1..3_u64, any::<bool>()),
        (eager_limit, header_bytes, reduce, copy) in (prop::option::of(0..200_u64), 0..20_u64, 0..3_u8, 0..3_u8),
        cluster_sizes in prop::option::of(prop::collection::vec(1..4_u64, 1..4)),
        has_node_level in any::<bool>(),
    ) -> Network {
        let point = |bytes: u64| Point {
            bytes,
            gap: (f64::from(gap) + bytes as f64 * f64::from(slope)) / 1000.0,
            send: (f64::from(send) + bytes as f64) / 1000.0,
            receive: f64::from(overhead) / 1000.0,
        };
        let points = vec![point(0), point(1 << 20)];
        Network::new(Description {
            rails,
            receive,
            overheads: [Overheads::Ignored, Overheads::Inside, Overheads::Outside][overheads],
            eager_limit,
            header_bytes,
            ranks_per_node,
            placement: if is_cyclic { Placement::Cyclic } else { Placement::Consecutive },
            reduce_per_byte: f64::from(reduce) * 0.25,
            copy_per_byte: f64::from(copy) * 0.125,
            within_node: has_node_level.then(|| WithinNode {
                latency: f64::from(latency / 3) / 1000.0,
                points: vec![point(200), point(1 << 22)],
            }),
            between: cluster_sizes.map(|cluster_sizes| Between {
                cluster_sizes: cluster_sizes.into_iter().map(|nodes| nodes * ranks_per_node).collect(),
                latency: 7.0 * f64::from(latency) / 1000.0,
                points: vec![point(100), point(1 << 21)],
            }),
            ..Description::new(Unit::Nanoseconds, f64::from(latency) / 1000.0, points)
        })
        .unwrap()
    }
}
