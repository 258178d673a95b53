//! The trees of broadcasts, derived from their schedules, compared with those in papers.

use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Algorithm, DeliveryTree, Request, Schedule, all, find};

fn trees(name: &str, comm_size: u32, root: u32, bytes: u64, segment: Option<u64>) -> Vec<DeliveryTree> {
    let request = Request::new(comm_size, bytes)
        .and_then(|request| request.root(root))
        .and_then(|request| request.segment(segment))
        .expect("a request");
    let entry = find(Collective::Bcast, name).expect("an algorithm");
    let schedule = Schedule::build(entry, &request).expect("a small schedule");
    schedule.verify().expect("a right schedule").trees()
}

/// Returns the parents of ranks 1, 2, … in one tree.
fn parents(tree: &DeliveryTree) -> Vec<u32> {
    tree.arrivals[1..].iter().map(|arrival| arrival.expect("a parent").from).collect()
}

/// Chiba, Endo and Matsuoka: the children of an inner node Ai are the nodes of A numbered 2i and 2i + 1, those of the leaf
/// numbered n + i the nodes of B numbered 2i + 1 and 2i + 2; tree B likewise. Ranks 1 to 7 are A1 to A7, ranks 8 to 14 B1
/// to B7, n = 4.
#[test]
fn the_two_trees_of_the_multirail_paper() {
    let trees = trees("multirail", 15, 0, 1 << 20, Some(1 << 16));
    let [a, b] = trees.as_slice() else { panic!("two trees, not {}", trees.len()) };
    let (n, rank) = (4_u32, |is_a: bool, index: u32| if is_a { index } else { 7 + index });
    for (tree, is_a) in [(a, true), (b, false)] {
        let mut expected = [u32::MAX; 15];
        expected[rank(is_a, 1) as usize] = 0;
        for i in 1..n {
            expected[rank(is_a, 2 * i) as usize] = rank(is_a, i);
            expected[rank(is_a, 2 * i + 1) as usize] = rank(is_a, i);
        }
        for i in 0..n {
            for child in [2 * i + 1, 2 * i + 2].into_iter().filter(|child| *child < 2 * n) {
                expected[rank(!is_a, child) as usize] = rank(is_a, n + i);
            }
        }
        assert_eq!(parents(tree), expected[1..]);
        assert_eq!(tree.bytes(), 1 << 19);
        // A rank uses different rails for its two children.
        let rail = |rank: &u32| tree.arrivals[*rank as usize].expect("a parent").rail;
        for children in tree.children() {
            let rails: Vec<u32> = children.iter().map(rail).collect();
            assert!(!matches!(rails[..], [one, other] if one == other), "{children:?}");
        }
    }
    // The halves reach a rank on two rails.
    for (a, b) in a.arrivals.iter().zip(&b.arrivals) {
        assert_eq!(a.map(|a| a.rail), b.map(|b| 1 - b.rail));
    }
}

/// Sanders, Speck and Träff: seven ranks besides the root, the in-order tree and its cyclic shift.
#[test]
fn the_two_trees_in_rank_order() {
    let trees = trees("two_tree", 8, 0, 64, Some(8));
    let parents: Vec<_> = trees.iter().map(parents).collect();
    assert_eq!(parents, [[2, 4, 2, 0, 6, 4, 6], [7, 3, 5, 3, 0, 7, 5]]);
}

#[test]
fn plain_trees() {
    assert_eq!(trees("pipeline", 4, 0, 8, Some(1)).iter().map(parents).collect::<Vec<_>>(), [[0, 1, 2]]);
    let binomial = trees("binomial", 8, 0, 8, None);
    assert_eq!(binomial.iter().map(parents).collect::<Vec<_>>(), [[0, 0, 2, 0, 4, 4, 6]]);
    assert_eq!(binomial[0].children()[0], [4, 2, 1]);
    assert!(trees("binomial", 8, 0, 0, None).is_empty());
}

/// Every rank except the root has a parent in every tree, which had the bytes in an earlier step, and the trees
/// together cover the message.
#[test]
fn trees_span_all_ranks_and_bytes() {
    for entry in all().filter(|entry| entry.collective() == Collective::Bcast) {
        for comm_size in [1, 2, 3, 8, 13, 32] {
            let root = comm_size / 2;
            let trees = trees(entry.name(), comm_size, root, 1000, Some(100));
            assert_eq!(trees.iter().map(DeliveryTree::bytes).sum::<u64>(), 1000);
            for tree in trees {
                for (rank, arrival) in (0..).zip(&tree.arrivals) {
                    assert_eq!(rank == root, arrival.is_none(), "{} {comm_size}", entry.name());
                    let Some(arrival) = arrival else { continue };
                    let before = tree.arrivals[arrival.from as usize];
                    assert!(before.is_none_or(|before| before.step < arrival.step));
                }
            }
        }
    }
}
