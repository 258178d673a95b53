//! Schedules of other programs: MSCCL XML and GOAL text, right and wrong.

use std::fmt::Write as _;

use proptest::prelude::*;
use qtdec_core::Place;
use qtdec_mpi_schedule::Collective;
use qtdec_mpi_schedule::{Algorithm, Proved, Request, Schedule, all, find, import};

use crate::json::request;

fn prove(text: &str) -> Result<Proved, String> {
    import(text.as_bytes(), None, None).and_then(qtdec_mpi_schedule::Imported::verify).map_err(|problems| {
        let problem = problems.iter().next().expect("a problem");
        match problem.place {
            Place::Line(line) => format!("line {line}: {problem}"),
            _ => problem.to_string(),
        }
    })
}

fn refused(text: &str) -> String {
    prove(text).map(|proved| proved.file.holds).expect_err("a wrong file")
}

/// A step: type, source, target, chunks, what it waits for, whether others wait for it.
type Step<'a> = (&'a str, &'a str, &'a str, u32, (i32, i32), u8);

/// A thread block: peers, channel, steps.
type Block<'a> = (i32, i32, u32, &'a [Step<'a>]);

const FREE: (i32, i32) = (-1, -1);

fn xml(header: &str, chunks: [u32; 3], ranks: &[&[Block<'_>]]) -> String {
    let mut text = format!("<algo name=\"own\" ngpus=\"{}\" {header}>\n", ranks.len());
    let [i, o, s] = chunks;
    for (rank, blocks) in ranks.iter().enumerate() {
        let _ = writeln!(text, "<gpu id=\"{rank}\" i_chunks=\"{i}\" o_chunks=\"{o}\" s_chunks=\"{s}\">");
        for (id, (send, receive, channel, steps)) in blocks.iter().enumerate() {
            let _ = writeln!(text, "<tb id=\"{id}\" send=\"{send}\" recv=\"{receive}\" chan=\"{channel}\">");
            for (place, (kind, source, target, count, (on, at), signals)) in steps.iter().enumerate() {
                let (from, from_at) = source.split_at(1);
                let (to, to_at) = target.split_at(1);
                let _ = writeln!(
                    text,
                    "<step s=\"{place}\" type=\"{kind}\" srcbuf=\"{from}\" srcoff=\"{from_at}\" dstbuf=\"{to}\" \
                     dstoff=\"{to_at}\" cnt=\"{count}\" depid=\"{on}\" deps=\"{at}\" hasdep=\"{signals}\"/>"
                );
            }
            text.push_str("</tb>\n");
        }
        text.push_str("</gpu>\n");
    }
    text + "</algo>\n"
}

const IN_PLACE: &str = "proto=\"Simple\" nchannels=\"2\" nchunksperloop=\"2\" coll=\"allreduce\" inplace=\"1\" outofplace=\"0\" minBytes=\"0\" maxBytes=\"0\"";

/// Two ranks exchange both chunks into scratch memory and add them.
fn exchange(steps: [&[Step<'_>]; 2]) -> String {
    xml(IN_PLACE, [2, 0, 2], &[&[(1, 1, 0, steps[0])], &[(0, 0, 0, steps[1])]])
}

const ADDED: [Step<'_>; 3] =
    [("s", "i0", "s0", 2, FREE, 0), ("r", "i0", "s0", 2, FREE, 0), ("re", "s0", "i0", 2, FREE, 0)];

#[test]
fn an_allreduce_of_two() {
    let proved = prove(&exchange([&ADDED, &ADDED])).expect("a right file");
    assert_eq!(proved.file.schedule.collective, Collective::Allreduce);
    assert!(proved.file.warnings.is_empty(), "{:?}", proved.file.warnings);
    let counts = proved.verified().counts();
    assert_eq!((counts.messages, counts.bytes), (2, 4));
}

/// All fused steps: one half is reduced on the way and stored, the other is passed on.
#[test]
fn fused_steps() {
    // A chain 0 → 1 → 2 adds, and 2 → 1 → 0 hands the result back.
    let header = IN_PLACE.replace("nchunksperloop=\"2\"", "nchunksperloop=\"1\"");
    let right = |middle: &str, last: &str| {
        xml(
            &header,
            [1, 0, 0],
            &[
                &[(1, 1, 0, &[("s", "i0", "i0", 1, FREE, 0), ("r", "i0", "i0", 1, FREE, 0)])],
                &[
                    (2, 0, 0, &[(middle, "i0", "i0", 1, FREE, 0)]),
                    (0, 2, 1, &[("nop", "i0", "i0", 0, (0, 0), 0)]),
                    (0, 2, 0, &[("rcs", "i0", "i0", 1, FREE, 0)]),
                ],
                &[(1, 1, 0, &[(last, "i0", "i0", 1, FREE, 0)])],
            ],
        )
    };
    // The block that waits for a step that signals nothing would wait forever.
    let text = right("rrs", "rrcs");
    assert!(refused(&text).contains("waits for thread block 0, step 0, forever"), "{}", refused(&text));
    let free = text.replace("depid=\"0\" deps=\"0\"", "depid=\"-1\" deps=\"-1\"");
    prove(&free).expect("a right file");
    // `rrcs` in the middle also stores the partial sum, which the result then overwrites: both must be ordered, and they are
    // by the messages through rank 2.
    prove(&free.replace("type=\"rrs\"", "type=\"rrcs\"")).expect("a right file");
    // Without the addition, the input of rank 1 is lost.
    let lost = free.replace("type=\"rrs\"", "type=\"rcs\"");
    assert!(refused(&lost).contains("it should be the input of ranks 0..=2"), "{}", refused(&lost));
}

#[test]
fn results_and_races() {
    let short = [ADDED[0], ADDED[1], ("re", "s0", "i0", 1, FREE, 0)];
    assert_eq!(
        refused(&exchange([&ADDED, &short])),
        "rank 1 ends with the input of rank 1 from byte 1 on in data[1..2]; it should be the input of ranks 0..=1 from byte 1 on"
    );
    let twice = [ADDED[0], ADDED[1], ADDED[2], ADDED[2]];
    let found = refused(&exchange([&twice, &ADDED]));
    assert!(found.starts_with("line 7: rank 0, thread block 0, step 3, line 7 (reduce"), "{found}");
    assert!(found.contains("contains the input of rank 1, which is already included"), "{found}");
    // The addition runs beside the receive that it needs.
    let racing = |waits| {
        let alone: [Step<'_>; 1] = [("re", "s0", "i0", 2, waits, 0)];
        let receives = [ADDED[0], ("r", "i0", "s0", 2, FREE, 1)];
        xml(IN_PLACE, [2, 0, 2], &[&[(1, 1, 0, &receives), (-1, -1, 0, &alone)], &[(0, 0, 0, &ADDED)]])
    };
    prove(&racing((0, 1))).expect("a right file");
    let found = refused(&racing(FREE));
    assert!(found.contains("rank 0") && found.contains("scratch[0..2]"), "{found}");
}

#[test]
fn deadlocks() {
    let receives_first = [ADDED[1], ADDED[0], ADDED[2]];
    let found = refused(&exchange([&receives_first, &receives_first]));
    assert!(
        found.contains("operations wait for each other: rank 0, thread block 0, step 0, line 4"),
        "{found}"
    );
    // A connection holds two chunks of any size; what needs more holds for smaller messages.
    let header = IN_PLACE.replace("nchunksperloop=\"2\"", "nchunksperloop=\"3\"");
    let steps =
        [("s", "i0", "s0", 3, FREE, 0), ("r", "i0", "s0", 3, FREE, 0), ("re", "s0", "i0", 3, FREE, 0)];
    let text = xml(&header, [3, 0, 3], &[&[(1, 1, 0, &steps)], &[(0, 0, 0, &steps)]]);
    let proved = prove(&text).expect("a right file");
    assert!(
        proved.file.warnings[0]
            .to_string()
            .starts_with("thread blocks wait for each other once messages do not fit")
    );
    let low_latency = prove(&text.replace("Simple", "LL128")).expect("a right file");
    assert!(low_latency.file.warnings.is_empty());
    // Two thread blocks of one rank wait for each other.
    let circle = xml(
        IN_PLACE,
        [2, 0, 2],
        &[&[
            (-1, -1, 0, &[("cpy", "i0", "s0", 1, (1, 0), 1)]),
            (-1, -1, 0, &[("cpy", "i0", "s1", 1, (0, 0), 1)]),
        ]],
    );
    assert_eq!(
        refused(&circle),
        "line 4: rank 0: thread blocks wait for each other forever: thread block 0, step 0 (line 4) waits for thread block 1, \
         step 0; thread block 1, step 0 (line 7) waits for thread block 0, step 0"
    );
}

#[test]
fn refusals() {
    let right = exchange([&ADDED, &ADDED]);
    prove(&right).expect("a right file");
    for (from, to, message) in [
        ("<algo", "<graph", "line 16: the file is not XML:"),
        (
            "nchunksperloop=\"2\"",
            "nchunksperloop=\"two\"",
            "line 1: nchunksperloop=\"two\" is not a whole number",
        ),
        ("ngpus=\"2\"", "ngpus=\"3\"", "line 1: ngpus=\"3\", but the file has 2 elements `<gpu>`"),
        ("gpu id=\"1\"", "gpu id=\"0\"", "line 9: gpu 0 stands in the file twice"),
        ("send=\"1\"", "send=\"0\"", "line 3: rank 0, thread block 0: send=\"0\", which is itself"),
        ("send=\"1\"", "send=\"2\"", "line 3: rank 0, thread block 0: send=\"2\", but there are 2 ranks"),
        (
            "send=\"1\"",
            "send=\"-1\"",
            "line 4: rank 0, thread block 0, step 0: type=\"s\", but the thread block has send=\"-1\"",
        ),
        (
            "s=\"1\" type",
            "s=\"2\" type",
            "line 5: rank 0, thread block 0, step 1: s=\"2\", but it is number 1",
        ),
        ("type=\"re\"", "type=\"add\"", "line 6: rank 0, thread block 0, step 2: unknown type=\"add\""),
        ("srcbuf=\"s\"", "srcbuf=\"x\"", "line 6: rank 0, thread block 0, step 2: unknown srcbuf=\"x\""),
        (
            "type=\"s\" srcbuf=\"i\" srcoff=\"0\"",
            "type=\"s\" srcbuf=\"i\" srcoff=\"1\"",
            "line 4: rank 0, thread block 0, step 0: chunks i[1..3] are not all there: i_chunks=\"2\"",
        ),
        ("hasdep=\"0\"", "", "line 4: `<step>` has no attribute `hasdep`"),
        (
            "depid=\"-1\" deps=\"-1\"",
            "depid=\"7\" deps=\"0\"",
            "line 4: rank 0, thread block 0, step 0 waits for thread block 7, step 0, forever: thread block 7 does not exist",
        ),
        (
            "chan=\"0\"",
            "chan=\"1\"",
            "line 4: rank 0, thread block 0, step 0, line 4 (send scratch[2..4] to 1 on rail 1): no operation of the peer matches it",
        ),
        (
            "cnt=\"2\"",
            "cnt=\"1\"",
            "line 4: rank 0, thread block 0, step 0, line 4 (send scratch[2..3] to 1 on rail 0): 1 bytes are sent, but rank 1, thread block 0, step 1, line 12",
        ),
    ] {
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right, "{from}");
        let found = refused(&wrong);
        assert!(found.starts_with(message), "{found}");
    }
    let graph = right.replace("algo", "graph");
    assert!(refused(&graph).starts_with("line 1: the file is not MSCCL XML: it begins with `<graph>`"));
    assert_eq!(
        refused("rank 0 {}"),
        "the file is not a schedule of a known format (qtdec reads qtdec-schedule/1 (JSON), MSCCL XML (`<algo …>`) and GOAL text \
         (`num_ranks …`))"
    );
    // Each is refused before the parser compares every attribute with every other.
    let attributes = |name: &str, count: u32| -> String {
        (0..count).map(|number| format!("{name}{number}=\"v\" ")).collect::<Vec<_>>().concat()
    };
    let many = |more: &str| right.replace("<step ", &format!("<!-- it's <a b=\"c\" -->\n<step {more}"));
    let found = refused(&many(&attributes("x", 300_000)));
    assert_eq!(
        found,
        "line 5: an element has more than 256 attributes (remove those that the runtime does not know)"
    );
    assert!(prove(&many(&attributes("x", 200))).is_ok());
    let nested = (0..100_000).map(|number| format!("<e xmlns:n{number}='u'>")).collect::<Vec<_>>().concat();
    let found = refused(&format!("<algo>{nested}"));
    assert!(found.starts_with("line 1: the file declares more than 16 namespaces"), "{found}");
    // What only the runtime needs is a warning that names all of it.
    let bare = right.replace(" minBytes=\"0\" maxBytes=\"0\"", "").replace(" outofplace=\"0\"", "");
    let warnings = prove(&bare).expect("a right schedule").file.warnings;
    assert_eq!(
        warnings[0].to_string(),
        "the runtime refuses a file without `minBytes`, `maxBytes`, `outofplace`, which are missing (minBytes=\"0\" maxBytes=\"0\" \
         serve messages of every size)"
    );
}

/// A file for calls in place and others is proved for both.
#[test]
fn both_uses() {
    let steps: [Step<'_>; 3] =
        [("cpy", "i0", "o1", 1, FREE, 0), ("s", "i0", "o1", 1, FREE, 0), ("r", "i0", "o0", 1, FREE, 0)];
    let other: [Step<'_>; 3] =
        [("cpy", "i0", "o0", 1, FREE, 0), ("s", "i0", "o0", 1, FREE, 0), ("r", "i0", "o1", 1, FREE, 0)];
    let header = |uses: &str| {
        format!(
            "proto=\"LL\" nchannels=\"1\" nchunksperloop=\"2\" coll=\"allgather\" {uses} minBytes=\"0\" maxBytes=\"0\""
        )
    };
    // The blocks of the two ranks are exchanged: wrong in place and otherwise.
    let wrong = |uses: &str| xml(&header(uses), [1, 2, 0], &[&[(1, 1, 0, &steps)], &[(0, 0, 0, &other)]]);
    assert!(
        refused(&wrong("inplace=\"0\" outofplace=\"1\"")).contains("rank 0 ends with the input of rank 1")
    );
    let right = |uses: &str| xml(&header(uses), [1, 2, 0], &[&[(1, 1, 0, &other)], &[(0, 0, 0, &steps)]]);
    prove(&right("inplace=\"0\" outofplace=\"1\"")).expect("a right file");
    prove(&right("inplace=\"1\" outofplace=\"0\"")).expect("a right file");
    let proved = prove(&right("inplace=\"1\" outofplace=\"1\"")).expect("a right file");
    assert!(proved.file.holds.contains("in place and not"), "{}", proved.file.holds);
    // Without the copy, only the call in place has its own block.
    let copied = right("inplace=\"1\" outofplace=\"1\"").replace("type=\"cpy\"", "type=\"nop\"");
    let found = refused(&copied);
    assert!(found.starts_with("in a call that is not in place: rank 0 ends with nothing"), "{found}");
    prove(&copied.replace("outofplace=\"1\"", "outofplace=\"0\"")).expect("a right file");
}

/// Rank 1 of three gathers, or scatters, blocks of two chunks.
#[test]
fn gathers_and_scatters() {
    let header = |name: &str, uses: &str| {
        format!(
            "proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"2\" coll=\"{name}\" {uses} minBytes=\"0\" maxBytes=\"0\""
        )
    };
    let (other, place) = ("inplace=\"0\" outofplace=\"1\"", "inplace=\"1\" outofplace=\"0\"");
    let leaf: [Step<'_>; 1] = [("s", "i0", "o0", 2, FREE, 0)];
    let gathered = |uses, own: &[Block<'_>]| {
        let blocks = [
            (-1, 0, 0, &[("r", "i0", "o0", 2, FREE, 0)][..]),
            (-1, 2, 0, &[("r", "i0", "o4", 2, FREE, 0)][..]),
        ];
        let root = [&blocks[..], own].concat();
        xml(&header("gather", uses), [2, 6, 0], &[&[(1, -1, 0, &leaf)], &root, &[(1, -1, 0, &leaf)]])
    };
    let copy: [Block<'_>; 1] = [(-1, -1, 0, &[("cpy", "i0", "o2", 2, FREE, 0)])];
    let proved = prove(&gathered(other, &copy)).expect("a right file");
    assert_eq!(
        (proved.file.schedule.collective, proved.file.schedule.request.root_rank()),
        (Collective::Gather, 1)
    );
    assert!(proved.file.warnings.is_empty(), "{:?}", proved.file.warnings);
    assert!(
        refused(&gathered(other, &[])).starts_with("rank 1 ends with nothing"),
        "{}",
        refused(&gathered(other, &[]))
    );
    prove(&gathered(place, &[])).expect("a right file: the block of the root is there already");

    let scattered = |at: &str| {
        let blocks: [Block<'_>; 3] = [
            (0, -1, 0, &[("s", "i0", "o0", 2, FREE, 0)]),
            (2, -1, 0, &[("s", at, "o0", 2, FREE, 0)]),
            (-1, -1, 0, &[("cpy", "i2", "o0", 2, FREE, 0)]),
        ];
        let leaf: [Block<'_>; 1] = [(-1, 1, 0, &[("r", "i0", "o0", 2, FREE, 0)])];
        xml(&header("scatter", other), [6, 2, 0], &[&leaf, &blocks, &leaf])
    };
    let proved = prove(&scattered("i4")).expect("a right file");
    assert_eq!(
        (proved.file.schedule.collective, proved.file.schedule.request.root_rank()),
        (Collective::Scatter, 1)
    );
    let found = refused(&scattered("i3"));
    assert!(found.starts_with("rank 2 ends with the input of rank 1 from byte 3 on"), "{found}");
}

#[test]
fn our_schedules_as_thread_blocks() {
    let mut written = 0;
    for entry in all() {
        for comm_size in [2, 3, 5, 8] {
            let request = Request::new(comm_size, 24)
                .and_then(|request| request.element_size(4))
                .and_then(|request| request.segment(Some(32)))
                .expect("a request");
            let schedule = Schedule::build(entry, &request).expect("a small schedule");
            let verified = schedule.verify().expect("a right schedule");
            let Ok(text) = verified.msccl() else {
                assert!(
                    schedule.collective == Collective::Barrier,
                    "{} {}: {:?}",
                    schedule.collective,
                    schedule.algorithm,
                    verified.msccl()
                );
                continue;
            };
            // What is read again has the messages of the schedule, cut where the runtime cuts them.
            let proved = prove(&text).expect("a right file");
            let chunk = request.bytes() / proved.file.schedule.request.bytes();
            assert_eq!(proved.verified().counts().bytes * chunk, verified.counts().bytes, "{}", entry.name());
            written += 1;
        }
    }
    assert!(written > 100, "{written}");
}

#[test]
fn goal_of_ours_is_read_completely() {
    for entry in all() {
        for comm_size in [1, 2, 5, 8] {
            let schedule = Schedule::build(entry, &request(comm_size)).expect("a small schedule");
            let text = schedule.verify().expect("a right schedule").goal().to_string();
            let proved = prove(&text).expect("what was written");
            assert_eq!(proved.file.schedule, schedule);
            assert!(proved.file.unchecked.is_empty());
            // Without the comments, the messages and their order are left.
            let bare: Vec<&str> = text.lines().filter(|line| !line.starts_with("//")).collect();
            let bare = bare.join("\n");
            let messages = prove(&bare).expect("the messages");
            assert_eq!(messages.file.schedule.collective, Collective::Custom);
            let (found, expected) =
                (messages.verified().counts(), schedule.verify().expect("a right schedule").counts());
            assert_eq!(
                (found.messages, found.bytes, found.depth),
                (expected.messages, expected.bytes, expected.depth)
            );
        }
    }
}

#[test]
fn goal_of_others() {
    let right = "/* two ranks */ num_ranks 2\nrank 0 {\na: calc 5 cpu 1\nb: send 8b to 1 tag 99 cpu 0 nic 0\nb requires a\n}\n\
                 rank 1 {\n recv 8b from 0 tag 99\n}\n";
    let proved = prove(right).expect("a right file");
    assert_eq!(proved.verified().counts().messages, 1);
    assert!(proved.file.unchecked[0].starts_with("contents: GOAL states neither a collective nor buffers"));
    for (from, to, message) in [
        (
            "recv 8b",
            "recv 4b",
            "line 4: rank 0, line 4 (send send[0..8] to 1 on rail 0): 8 bytes are sent, but rank 1, line 8",
        ),
        (
            " recv 8b from 0 tag 99\n",
            "",
            "line 4: rank 0, line 4 (send send[0..8] to 1 on rail 0): no operation of the peer matches it",
        ),
        (
            "from 0",
            "from -1",
            "line 8: rank 1: recv from any rank: what it receives depends on time, so nothing is proved",
        ),
        ("to 1", "to 0", "line 4: rank 0: peer 0 is not another rank; there are 2"),
        ("requires a", "requires c", "line 5: rank 0: label `c` is not defined before"),
        ("b: send", "a: send", "line 4: rank 0: label `a` is defined twice"),
        ("calc", "cacl", "line 3: rank 0: unknown operation `cacl` (it is `send`, `recv` or `calc`)"),
        (
            "b requires a",
            "a requires b\nb requires a",
            "line 5: rank 0: operations wait for each other forever",
        ),
        ("num_ranks 2", "num_ranks 3", "rank 2 is missing"),
        ("num_ranks 2", "num_ranks 9999999", "line 1: num_ranks 9999999, but the file has fewer ranks"),
        ("}\nrank 1", "rank 1", "line 6: rank 0: unknown operation `rank`"),
    ] {
        let wrong = right.replacen(from, to, 1);
        assert_ne!(wrong, right, "{from}");
        let found = refused(&wrong);
        assert!(found.starts_with(message), "{found}");
    }
    // Both ranks wait for the other's message before they send.
    let rank = |rank: u32| {
        format!("rank {rank} {{\nr: recv 1b from {0}\ns: send 1b to {0}\ns requires r\n}}\n", 1 - rank)
    };
    let stuck = format!("num_ranks 2\n{}{}", rank(0), rank(1));
    assert!(
        refused(&stuck).contains("operations wait for each other: rank 0, line 3"),
        "{}",
        refused(&stuck)
    );
    prove(&stuck.replacen("s requires r", "s irequires r", 1)).expect("a right file");
}

#[test]
fn a_schedule_in_json() {
    let schedule = Schedule::build(
        find(Collective::Bcast, "pipeline").expect("an algorithm"),
        &Request::new(3, 4).expect("a request"),
    )
    .expect("a small schedule");
    let text = schedule.verify().expect("a right schedule").to_json();
    assert_eq!(prove(&text).expect("what was written").file.schedule, schedule);
}

proptest! {
    /// No change of a right file panics.
    #[test]
    fn damaged_files(place in 0_usize..4000, byte: u8, cut: bool) {
        for text in [exchange([&ADDED, &ADDED]), "num_ranks 2\nrank 0 {\na: calc 5\nb: send 8b to 1 tag 99\nb requires a\n}\nrank 1 {\nrecv 8b from 0 tag 99\n}\n".to_owned()] {
            let mut bytes = text.into_bytes();
            let place = place % bytes.len();
            if cut { bytes.truncate(place) } else { bytes[place] = byte }
            let _ = import(&bytes, Some(64), Some(1)).map(qtdec_mpi_schedule::Imported::verify);
        }
    }
}
