//! Space-time diagrams, compared with their schedules.

use std::collections::HashSet;

use qtdec_mpi::pictures::SpaceTime;
use qtdec_mpi_schedule::{Request, Schedule, all};

#[test]
fn every_message_is_drawn_once() {
    for entry in all() {
        for comm_size in [1, 2, 7, 32] {
            let request = Request::new(comm_size, 64).and_then(|request| request.segment(Some(16)));
            let schedule = Schedule::build(entry, &request.expect("a request")).expect("a small schedule");
            let verified = schedule.verify().expect("a right schedule");
            let diagram = SpaceTime::from_schedule(&verified).expect("a small diagram");
            assert_eq!(diagram.messages.len() as u64, verified.counts().messages);
            // With one port, at most one line begins and one ends at a rank in a step.
            let mut ends = HashSet::new();
            for (passage, color) in &diagram.messages {
                assert!(ends.insert((passage.step, "from", passage.from)), "{passage:?}");
                assert!(ends.insert((passage.step, "to", passage.to)), "{passage:?}");
                assert!(diagram.legend.iter().any(|entry| entry.color == *color));
            }
            let svg = diagram.svg();
            // Each message is a line and a dot; rank numbers are 18 pixels apart, and their letters 11 high.
            assert_eq!(svg.matches("<circle").count(), diagram.messages.len());
            let texts: HashSet<&str> = svg.lines().map(str::trim).collect();
            assert!((0..comm_size).all(|rank| texts.contains(&*rank.to_string())), "{svg}");
        }
    }
}

#[test]
fn colours_are_rails_or_segments() {
    let legend = |name: &str, segment: u64| {
        let entry =
            qtdec_mpi_schedule::find(qtdec_mpi_schedule::Collective::Bcast, name).expect("an algorithm");
        let request =
            Request::new(8, 64).and_then(|request| request.segment(Some(segment))).expect("a request");
        let schedule = Schedule::build(entry, &request).expect("a small schedule");
        let diagram =
            SpaceTime::from_schedule(&schedule.verify().expect("a right schedule")).expect("a small diagram");
        diagram.legend.into_iter().map(|entry| entry.text).collect::<Vec<_>>()
    };
    assert_eq!(legend("multirail", 8), ["rail 0", "rail 1"]);
    assert_eq!(legend("pipeline", 32), ["from byte 0", "from byte 32"]);
    // There are more segments than colours, so neighbouring segments share one.
    assert_eq!(legend("pipeline", 8), ["from byte 0", "from byte 16", "from byte 32", "from byte 48"]);
}

#[test]
fn too_many_messages_are_refused() {
    let entry =
        qtdec_mpi_schedule::find(qtdec_mpi_schedule::Collective::Bcast, "pipeline").expect("an algorithm");
    let request = Request::new(33, 1000).and_then(|request| request.segment(Some(1))).expect("a request");
    let schedule = Schedule::build(entry, &request).expect("a schedule");
    let verified = schedule.verify().expect("a right schedule");
    assert_eq!(SpaceTime::from_schedule(&verified).err(), Some(SpaceTime::too_many_messages()));
}
