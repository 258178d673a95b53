//! Pictures of trees, compared with their schedules.

use qtdec_mpi::pictures::Trees;
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Algorithm, Request, Schedule, all, find};

fn schedule(collective: Collective, name: &str, comm_size: u32, bytes: u64) -> Schedule {
    let request = Request::new(comm_size, bytes).and_then(|request| request.segment(Some(16)));
    let entry = find(collective, name).expect("an algorithm");
    Schedule::build(entry, &request.expect("a request")).expect("a small schedule")
}

/// Ranks are circles 22 pixels wide with their numbers inside, which must not touch.
#[test]
fn ranks_keep_apart_and_every_link_is_a_message() {
    for entry in all().filter(|entry| entry.collective() == Collective::Bcast) {
        for comm_size in [1, 2, 7, 32, 128] {
            let schedule = schedule(Collective::Bcast, entry.name(), comm_size, 256);
            let verified = schedule.verify().expect("a right schedule");
            let passages = verified.passages();
            let trees = Trees::from_schedule(&verified).expect("a small picture");
            assert_eq!(trees.panels.len(), verified.trees().len().min(8));
            for panel in &trees.panels {
                assert_eq!(panel.nodes.len(), comm_size as usize);
                for (rank, one) in panel.nodes.iter().enumerate() {
                    for other in &panel.nodes[..rank] {
                        let (x, y) = (one.at.0 - other.at.0, one.at.1 - other.at.1);
                        assert!(x * x + y * y > 22 * 22, "{} {comm_size}: {one:?} {other:?}", entry.name());
                    }
                }
                assert_eq!(panel.edges.len(), comm_size as usize - 1);
                for (from, to, _) in &panel.edges {
                    assert!(passages.iter().any(|passage| (passage.from, passage.to) == (*from, *to)));
                }
            }
            let svg = trees.svg();
            let circles = trees.panels.len() * comm_size as usize + trees.legend.len();
            assert_eq!(svg.matches("<circle").count(), circles);
        }
    }
}

/// Every rank except the root passes on one half, so it has the same colour in both trees.
#[test]
fn colours_are_halves_and_rails() {
    let schedule = schedule(Collective::Bcast, "multirail", 15, 256);
    let trees = Trees::from_schedule(&schedule.verify().expect("a right schedule")).expect("a small picture");
    let [a, b] = trees.panels.as_slice() else { panic!("two trees") };
    let colors =
        |nodes: &[qtdec_mpi::pictures::TreeNode]| nodes.iter().map(|node| node.color).collect::<Vec<_>>();
    assert_eq!(colors(&a.nodes), colors(&b.nodes));
    let legend: Vec<&str> = trees.legend.iter().map(|entry| entry.text.as_str()).collect();
    let halves = ["inner rank of the first tree", "inner rank of the second tree"];
    assert_eq!(legend, ["root", halves[0], halves[1], "link on rail 0", "link on rail 1"]);
}

#[test]
fn what_has_no_tree_is_refused() {
    let refused =
        |schedule: &Schedule| Trees::from_schedule(&schedule.verify().expect("a right schedule")).err();
    let reduce = schedule(Collective::Reduce, "binomial", 4, 64);
    let empty = schedule(Collective::Bcast, "binomial", 4, 0);
    let large = schedule(Collective::Bcast, "binomial", 129, 64);
    for (schedule, reason) in
        [(reduce, "only a bcast"), (empty, "an empty message"), (large, "a tree of 129 ranks")]
    {
        assert!(refused(&schedule).is_some_and(|refused| refused.starts_with(reason)), "{reason}");
    }
}
