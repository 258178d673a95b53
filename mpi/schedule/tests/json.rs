//! The file format of schedules: written files can be read again, and the schema agrees with the reader.

use std::fs;

use jsonschema::Validator;
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Request, Schedule, Times, all, find};
use serde_json::{Value, json};

fn schema() -> Validator {
    let text = fs::read_to_string("schema/qtdec-schedule-1.schema.json").expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).expect("a schema")
}

fn value(schedule: &Schedule) -> Value {
    serde_json::from_str(&schedule.verify().expect("a right schedule").to_json()).expect("JSON")
}

/// Returns a call of 9 elements of 4 bytes in segments of two, whose root is the last rank.
pub(crate) fn request(comm_size: u32) -> Request {
    Request::new(comm_size, 9)
        .and_then(|request| request.root(comm_size - 1))
        .and_then(|request| request.element_size(4))
        .and_then(|request| request.segment(Some(8)))
        .expect("a request")
}

#[test]
fn what_is_written_is_read_again() {
    let schema = schema();
    for entry in all() {
        for comm_size in [1, 2, 5, 8] {
            let request = request(comm_size).commutative(!entry.keeps_order());
            let schedule = Schedule::build(entry, &request).expect("a small schedule");
            let text = schedule.verify().expect("a right schedule").to_json();
            assert!(schema.is_valid(&serde_json::from_str(&text).expect("JSON")), "{text}");
            let read = Schedule::from_json(&text).expect("what was written");
            assert_eq!(read, schedule);
        }
    }
}

#[test]
fn a_file_in_full() {
    let request = Request::new(2, 3).and_then(|request| request.segment(Some(2))).expect("a request");
    let pipeline = find(Collective::Bcast, "pipeline").expect("an algorithm");
    let schedule = Schedule::build(pipeline, &request).expect("a small schedule");
    let part = |offset: u64, bytes: u64| json!({ "buffer": "data", "offset": offset, "bytes": bytes });
    let op = |op: &str, peer: u32, part: Value| json!({ "op": op, "peer": peer, "rail": 0, "parts": [part], "after": [] });
    let expected = json!({
        "format": "qtdec-schedule/1",
        "collective": "bcast",
        "algorithm": "pipeline",
        "comm_size": 2,
        "msg_size": 3,
        "segment_size": 2,
        "root": 0,
        "element_size": 1,
        "in_place": true,
        "messages": 2,
        "rounds": 2,
        "verified": true,
        "ranks": [
            { "rank": 0, "ops": [op("send", 1, part(0, 2)), op("send", 1, part(2, 1))] },
            { "rank": 1, "ops": [op("recv", 0, part(0, 2)), op("recv", 0, part(2, 1))] },
        ],
    });
    assert_eq!(value(&schedule), expected);
}

/// Times are an additional member, which readers ignore; everything else stays the same.
#[test]
fn times_change_nothing_else() {
    let pipeline = find(Collective::Bcast, "pipeline").expect("an algorithm");
    let schedule = Schedule::build(pipeline, &Request::new(3, 4).expect("a request")).expect("a small one");
    let times = Times { network: "a \"new\" one".to_owned(), ranks: vec![0.25, 1.5e-7, 0.0] };
    let text = schedule.verify().expect("a right schedule").json(Some(&times)).to_string();
    let mut timed: Value = serde_json::from_str(&text).expect("JSON");
    assert!(schema().is_valid(&timed), "{text}");
    assert_eq!(Schedule::from_json(&text).expect("what was written"), schedule);
    let found = timed.as_object_mut().and_then(|members| members.remove("times"));
    let expected = json!({ "network": "a \"new\" one", "total": 0.25, "ranks": [0.25, 1.5e-7, 0.0] });
    assert_eq!(found, Some(expected));
    assert_eq!(timed, value(&schedule));
}

#[test]
fn refusals() {
    let schema = schema();
    let request = Request::new(2, 4).and_then(|request| request.element_size(2)).expect("a request");
    let linear = find(Collective::Reduce, "linear").expect("an algorithm");
    let right = value(&Schedule::build(linear, &request).expect("a small schedule"));
    let op = |key: &'static str| format!("/ranks/0/ops/1/{key}");
    let changes: Vec<(String, Value, &str)> = vec![
        (
            "/format".into(),
            json!("qtdec-schedule/2"),
            "format: unknown format `qtdec-schedule/2` (this version reads `qtdec-schedule/1`)",
        ),
        ("/collective".into(), json!("bcats"), "collective: unknown collective `bcats`"),
        ("/comm_size".into(), json!(0), "comm_size: the communicator has no ranks"),
        ("/comm_size".into(), json!(1_u64 << 40), "comm_size: 1099511627776 is too large"),
        ("/msg_size".into(), json!(-1), "msg_size: `-1` is negative"),
        ("/element_size".into(), json!(0), "msg_size: 8 bytes are not a whole number of elements of 0 bytes"),
        ("/segment_size".into(), json!(0), "segment_size: the segment size is 0 bytes"),
        ("/in_place".into(), json!(1), "in_place: expected true or false, found `1`"),
        ("/ranks".into(), json!({}), "ranks: expected an array, found an object"),
        ("/ranks/1".into(), json!([]), "ranks[1]: expected an object, found an array"),
        (
            "/ranks/1".into(),
            json!({ "rank": 1, "ips": [] }),
            "ranks[1].ips: unknown key `ips` (did you mean `ops`? The keys here are `rank` and `ops`)",
        ),
        ("/ranks/1".into(), json!({ "rank": 1 }), "ranks[1]: the key `ops` is missing"),
        (op("op"), json!("sned"), "ranks[0].ops[1].op: unknown operation `sned`"),
        (
            op("parts"),
            json!([{ "buffer": "sand", "offset": 0, "bytes": 1 }]),
            "ranks[0].ops[1].parts[0].buffer: unknown buffer `sand` (it is one of `send`, `receive`, `scratch` and `data`)",
        ),
        (op("into"), json!("receive"), "ranks[0].ops[1].into: expected an object, found `\"receive\"`"),
        (op("after"), json!([0.5]), "ranks[0].ops[1].after[0]: `0.5` is not written as a whole number"),
        ("/ranks/0/ops/0/peer".into(), json!(-2), "ranks[0].ops[0].peer: `-2` is negative"),
    ];
    for (pointer, changed, message) in changes {
        let mut wrong = right.clone();
        *wrong.pointer_mut(&pointer).expect("a member") = changed;
        let error = Schedule::from_json(&wrong.to_string()).expect_err(message).to_string();
        assert!(error.starts_with(message), "{error}");
        assert!(!schema.is_valid(&wrong), "{pointer}");
    }
    let mut wrong = right.clone();
    wrong["root"] = json!(2);
    let error = Schedule::from_json(&wrong.to_string()).expect_err("no rank").to_string();
    assert_eq!(error, "root: root 2 is not a rank; with 2 ranks, it must be in 0..=1");
    wrong = right.clone();
    wrong["ranks"][0]["ops"][0]["into"] = json!({ "buffer": "receive", "offset": 0, "bytes": 4 });
    let error = Schedule::from_json(&wrong.to_string()).expect_err("a receive").to_string();
    assert_eq!(error, "ranks[0].ops[0].into: a message has no `into`; omit it");
    wrong = right.clone();
    wrong["root"] = json!("0");
    wrong["ranks"][0]["ops"][0]["op"] = json!("get");
    wrong["ranks"][1]["rank"] = json!(-1);
    let problems = Schedule::from_json(&wrong.to_string()).expect_err("three faults");
    let paths = ["root", "ranks[0].ops[0].op", "ranks[1].rank"];
    let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), paths.len(), "{found:?}");
    assert!(found.iter().zip(paths).all(|(problem, path)| problem.starts_with(path)), "{found:?}");
    let error = Schedule::from_json("{\"format\": ").expect_err("cut off").to_string();
    assert!(error.starts_with("not JSON: EOF"), "{error}");
}

/// A file with false claims is read, but the proof rejects it.
#[test]
fn promises_are_not_trusted() {
    let request = Request::new(3, 4).expect("a request");
    let linear = find(Collective::Bcast, "linear").expect("an algorithm");
    let mut wrong = value(&Schedule::build(linear, &request).expect("a small schedule"));
    wrong["ranks"][2]["ops"] = json!([]);
    assert_eq!(wrong["verified"], json!(true));
    let schedule = Schedule::from_json(&wrong.to_string()).expect("a schedule");
    assert!(schedule.verify().is_err());
}

/// Compares with the text that `txt2bin` of `LogGOPSim` reads.
#[test]
fn goal() {
    let request = Request::new(3, 2).and_then(|request| request.segment(Some(1))).expect("a request");
    let pipeline = find(Collective::Bcast, "pipeline").expect("an algorithm");
    let schedule = Schedule::build(pipeline, &request).expect("a small schedule");
    let text = schedule.verify().expect("a right schedule").goal().to_string();
    let expected = "\
// qtdec-schedule/1 {\"format\": \"qtdec-schedule/1\", \"collective\": \"bcast\", \"algorithm\": \"pipeline\", \
\"comm_size\": 3, \"msg_size\": 2, \"segment_size\": 1, \"root\": 0, \"element_size\": 1, \"in_place\": true, \
\"commutative\": true}
num_ranks 3

rank 0 {
// data[0..1]
l0: send 1b to 1 tag 0
// data[1..2]
l1: send 1b to 1 tag 0
l1 irequires l0
}

rank 1 {
// data[0..1]
l0: recv 1b from 0 tag 0
// data[0..1]
l1: send 1b to 2 tag 0
// data[1..2]
l2: recv 1b from 0 tag 0
// data[1..2]
l3: send 1b to 2 tag 0
l2 irequires l0
l1 requires l0
l3 irequires l1
l3 requires l2
}

rank 2 {
// data[0..1]
l0: recv 1b from 1 tag 0
// data[1..2]
l1: recv 1b from 1 tag 0
l1 irequires l0
}
";
    assert_eq!(text, expected);
}
