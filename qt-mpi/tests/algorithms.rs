//! Every algorithm of the list, proved to do what the standard says.

use qtdec_mpi::schedule::{Algorithm, Entry, Request, Schedule, all};

/// Communicator sizes of the samples: small ones, powers of two and their neighbours.
fn comm_sizes() -> impl Iterator<Item = u32> {
    (1..=70).chain(127..=129)
}

/// At most 64 segments a schedule.
fn segment(bytes: u64, segments: u64) -> Option<u64> {
    (bytes > 0).then(|| bytes.div_ceil(segments.min(64)).max(1))
}

fn prove(entry: &Entry, request: &Request) {
    let schedule =
        Schedule::build(entry, request).unwrap_or_else(|error| panic!("{}: {error}", entry.name()));
    if let Err(fault) = schedule.verify() {
        panic!("{} {} of {request:?}: {fault}", entry.collective(), entry.name());
    }
}

/// Small communicators with every root, count and several segment sizes.
#[test]
fn small_communicators() {
    for entry in all() {
        for comm_size in 1..=9 {
            for root in 0..comm_size {
                for count in [0, 1, u64::from(comm_size) - 1, u64::from(comm_size), 23] {
                    for segment in [None, Some(1), Some(4), Some(7)] {
                        let request = Request::new(comm_size, count).and_then(|request| request.root(root));
                        prove(
                            entry,
                            &request.and_then(|request| request.segment(segment)).expect("a request"),
                        );
                    }
                }
            }
        }
    }
}

/// All communicator sizes, each with some of the roots, counts and segment sizes, so that all pairs of them occur.
#[test]
fn samples_of_all_sizes() {
    for entry in all() {
        for comm_size in comm_sizes() {
            let ranks = u64::from(comm_size);
            let roots = [0, 1 % comm_size, comm_size - 1];
            let counts = [0, 1, ranks - 1, ranks, 1000, 65_537];
            let segments = [1, 2, 3, 7, 64];
            for (turn, &count) in counts.iter().enumerate() {
                let turn = turn + comm_size as usize;
                let element_size = [1, 4, 8][turn % 3];
                let pieces = if comm_size > 33 { segments[turn % 4] } else { segments[turn % 5] };
                let request = Request::new(comm_size, count)
                    .and_then(|request| request.root(roots[turn % 3]))
                    .and_then(|request| request.element_size(element_size))
                    .and_then(|request| {
                        let segment =
                            segment(count * element_size, pieces).map(|bytes| bytes.max(element_size));
                        request.segment(segment.map(|bytes| bytes.next_multiple_of(element_size)))
                    });
                prove(entry, &request.expect("a request"));
            }
        }
    }
}
