//! GOAL text: its messages and their order, with the comments, are the whole schedule.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_mpi_schedule::{Action, Buffer, Operation, Part, RankSchedule, Schedule, all};

use crate::json::request;

/// An order of two operations of a rank: the later one, the earlier one, and whether that one must be complete.
type Order = (u32, u32, bool);

/// Reads what is written, which has its operations on lines of their own behind their comments.
fn read(text: &str) -> (Schedule, Vec<BTreeSet<Order>>) {
    let mut lines = text.lines();
    let call = lines.next().and_then(|line| line.strip_prefix("// qtdec-schedule/1 ")).expect("the call");
    let call = call.strip_suffix('}').expect("an object");
    let mut schedule = Schedule::from_json(&format!("{call}, \"ranks\": []}}")).expect("a call");
    let ranks = lines.next().and_then(|line| line.strip_prefix("num_ranks ")).expect("the number of ranks");
    let mut orders = Vec::new();
    let mut comment = "";
    for line in lines.filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split(' ').collect();
        let of_rank = schedule.ranks.last_mut();
        match (&words[..], of_rank) {
            (["rank", rank, "{"], _) => {
                schedule.ranks.push(RankSchedule { rank: number(rank), operations: Vec::new() });
                orders.push(BTreeSet::new());
            }
            (["}"], _) => {}
            (["//", ..], _) => comment = &line[3..],
            ([later, word @ ("requires" | "irequires"), earlier], Some(of_rank)) => {
                let (later, earlier, is_complete) = (label(later), label(earlier), *word == "requires");
                orders.last_mut().expect("a rank").insert((later, earlier, is_complete));
                if is_complete {
                    of_rank.operations[later as usize].after.push(earlier);
                }
            }
            ([name, words @ ..], Some(of_rank)) => {
                let name = name.strip_suffix(':').expect("a label");
                assert_eq!(label(name) as usize, of_rank.operations.len(), "{line}");
                let action = action(words, comment);
                of_rank.operations.push(Operation { action, after: Vec::new() });
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(number(ranks) as usize, schedule.ranks.len());
    (schedule, orders)
}

fn number(text: &str) -> u32 {
    text.parse().expect("a number")
}

fn label(text: &str) -> u32 {
    text.strip_prefix('l').map(number).expect("a label")
}

fn action(words: &[&str], comment: &str) -> Action {
    let (parts, into) = comment.split_once(" into ").unzip();
    let parts = parts.unwrap_or(comment);
    let (action, bytes) = match *words {
        ["calc", bytes] => {
            let (verb, parts) = parts.split_once(' ').expect("operands");
            let (parts, into) = (self::parts(parts), part(into.expect("a result")));
            match verb {
                "reduce" => (Action::Reduce { parts, into }, bytes),
                "copy" => (Action::Copy { parts, into }, bytes),
                _ => panic!("{comment}"),
            }
        }
        ["send", bytes, "to", peer, "tag", rail] => {
            let (peer, rail, parts) = (number(peer), number(rail), self::parts(parts));
            (Action::Send { peer, rail, parts }, bytes.strip_suffix('b').expect("bytes"))
        }
        ["recv", bytes, "from", peer, "tag", rail] => {
            let (peer, rail, parts) = (number(peer), number(rail), self::parts(parts));
            (Action::Receive { peer, rail, parts }, bytes.strip_suffix('b').expect("bytes"))
        }
        _ => panic!("{words:?}"),
    };
    assert_eq!(bytes, action.bytes().to_string(), "{words:?}: {comment}");
    action
}

fn parts(text: &str) -> Vec<Part> {
    if text == "no bytes" { Vec::new() } else { text.split(' ').map(part).collect() }
}

/// Reads a part such as `receive[0..8]`.
fn part(text: &str) -> Part {
    let (name, range) = text.strip_suffix(']').and_then(|text| text.split_once('[')).expect("a part");
    let (from, to) = range.split_once("..").expect("a range");
    let (offset, end): (u64, u64) = (from.parse().expect("a number"), to.parse().expect("a number"));
    let buffer = Buffer::ALL.into_iter().find(|buffer| buffer.name() == name).expect("a buffer");
    Part { buffer, offset, bytes: end - offset }
}

/// Returns the orders of a rank: what operations wait for, and pairs of the same peer, rail and direction.
fn orders(rank: &RankSchedule) -> BTreeSet<Order> {
    let mut orders = BTreeSet::new();
    let mut last = BTreeMap::new();
    for (index, operation) in (0..).zip(&rank.operations) {
        orders.extend(operation.after.iter().map(|&after| (index, after, true)));
        let channel = match operation.action {
            Action::Send { peer, rail, .. } => (true, peer, rail),
            Action::Receive { peer, rail, .. } => (false, peer, rail),
            Action::Reduce { .. } | Action::Copy { .. } => continue,
        };
        orders.extend(last.insert(channel, index).map(|before| (index, before, false)));
    }
    orders
}

#[test]
fn what_is_written_is_the_schedule() {
    for entry in all() {
        for comm_size in [1, 2, 5, 8] {
            let schedule = Schedule::build(entry, &request(comm_size)).expect("a small schedule");
            let text = schedule.verify().expect("a right schedule").goal().to_string();
            let (read, found) = read(&text);
            assert_eq!(read, schedule, "{text}");
            let expected: Vec<BTreeSet<Order>> = schedule.ranks.iter().map(orders).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
