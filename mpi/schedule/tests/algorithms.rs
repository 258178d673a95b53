//! Every algorithm of the list, proved to conform to the standard.

use qtdec_mpi_schedule::{Algorithm, Clusters, Entry, Library, Request, Schedule, Variant, all};
use qtdec_testkit::sample::one_in;

/// Returns the communicator sizes of the samples: small ones, powers of two, and their neighbours.
fn comm_sizes() -> impl Iterator<Item = u32> {
    (1..=70).chain(127..=129)
}

/// Returns a segment size that gives at most this many segments, and at most 64.
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

/// Covers small communicators with every root, count and several segment sizes.
#[test]
fn small_communicators() {
    for entry in all() {
        for comm_size in (1..=6).step_by(one_in(2)) {
            for root in 0..comm_size {
                for count in [0, 1, u64::from(comm_size) - 1, u64::from(comm_size), 23] {
                    for segment in [None, Some(1), Some(7)] {
                        if segment.is_some() && !entry.is_segmented() {
                            continue;
                        }
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

/// Covers all communicator sizes, each with some of the roots, counts, element and segment sizes. These change in
/// different periods, so different pairs of them occur.
#[test]
fn samples_of_all_sizes() {
    for entry in all() {
        for (turn, comm_size) in comm_sizes().enumerate().step_by(one_in(7)) {
            let ranks = u64::from(comm_size);
            let root = [0, 1 % comm_size, comm_size - 1][turn % 3];
            let counts = [0, 1, ranks - 1, ranks, 1000, 65_537];
            let segments = if comm_size <= 33 { [1, 2, 3, 7, 64] } else { [1, 2, 3, 5, 8] }[turn % 5];
            let element_size = [1, 4, 8][turn / 3 % 3];
            // Sizes above 33 have one count each, which limits the time for large communicators.
            let tried = if comm_size <= 33 { 2 } else { 1 };
            for count in (0..tried).map(|step| counts[(turn + 3 * step) % 6]) {
                let request = Request::new(comm_size, count)
                    .and_then(|request| request.root(root))
                    .and_then(|request| request.element_size(element_size))
                    .and_then(|request| {
                        let segment = segment(count * element_size, segments);
                        request.segment(segment.map(|bytes| bytes.next_multiple_of(element_size)))
                    });
                prove(entry, &request.expect("a request"));
            }
        }
    }
}

/// Covers the variants of libraries, radices and numbers of chains, with operations that commute and that do not.
#[test]
fn variants() {
    let mut variants: Vec<Variant> = Vec::new();
    variants.extend(Library::ALL.map(|library| Variant { library: Some(library), ..Variant::default() }));
    variants.extend([2, 3, 5, 64].map(|radix| Variant { radix: Some(radix), ..Variant::default() }));
    variants.extend([1, 2, 3, 64].map(|chains| Variant { chains: Some(chains), ..Variant::default() }));
    for clusters in ["1+4", "3+4+1", "2x5+3", "8+1+8"] {
        variants.push(Variant { clusters: clusters.parse().ok(), ..Variant::default() });
    }
    let ranks = |variant: &Variant| variant.clusters.as_ref().map(Clusters::ranks);
    for entry in all() {
        for variant in &variants {
            for commutative in [true, false] {
                for comm_size in [1, 2, 5, 8, 13, 17] {
                    if ranks(variant).is_some_and(|ranks| ranks != u64::from(comm_size)) {
                        continue;
                    }
                    let request = Request::new(comm_size, 7)
                        .and_then(|request| request.root(comm_size / 2))
                        .and_then(|request| request.segment(Some(3)))
                        .and_then(|request| request.variant(variant.clone()))
                        .expect("a request")
                        .commutative(commutative);
                    if entry.accept(&request).is_ok() && (commutative || entry.keeps_order()) {
                        prove(entry, &request);
                    }
                }
            }
        }
    }
}
