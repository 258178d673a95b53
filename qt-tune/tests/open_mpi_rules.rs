//! Rules files of Open MPI: each way in which one goes wrong is found, and nothing else is.

use qtdec_core::{Borders, Place};
use qtdec_mpi::catalogue::Release;
use qtdec_mpi::rules::{Call, RuleSet};
use qtdec_testkit::maps::TestRng;
use qtdec_tune::tuning::open_mpi::{check, read};
use qtdec_tune::tuning::selection::map_of;
use qtdec_tune::tuning::{Finding, Severity};

/// Accepted by Open MPI 4.1.4, and means what it looks like.
const GOOD: &str = "\
2   # collectives
7   # bcast
2   # communicator sizes
2
3   # message sizes
0 6 0 0
1024 3 0 512
65536 2 2 8192
8
2
0 1 0 0
65536 9 0 0
11 1 2 2  0 5 0 0  4096 4 0 1024  # line breaks do not matter
";

fn line(text: &str, finding: &Finding) -> usize {
    match finding.problem.place {
        Place::Offset(offset) => text[..offset].split('\n').count(),
        _ => panic!("{:?} has no place", finding.problem),
    }
}

/// What is found beyond notes: severity, line, message.
fn faults(text: &str) -> Vec<(Severity, usize, String)> {
    let findings = check(text.as_bytes(), None);
    let faults = findings.iter().filter(|finding| finding.severity != Severity::Note);
    faults
        .map(|finding| (finding.severity, line(text, finding), finding.problem.message.to_string()))
        .collect()
}

#[test]
fn a_good_file_raises_no_alarm() {
    assert_eq!(faults(GOOD), []);
    let notes: Vec<String> =
        check(GOOD.as_bytes(), None).into_iter().map(|note| note.problem.message.to_string()).collect();
    let expected = [
        "6.0 and later read the rules of this form shifted by one communicator size",
        "bcast `pipeline` with segments corrupts data if datatypes differ between ranks (open-mpi/ompi issue 1763)",
        "bcast `chain` with segments corrupts data if datatypes differ between ranks (open-mpi/ompi issue 1763)",
        "bcast `scatter_allgather_ring` corrupts data if datatypes differ between ranks (open-mpi/ompi issue 10523)",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn every_defect_is_found_in_its_place() {
    use Severity::{Dropped, Fails, Wrong};
    let spoilt = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        GOOD.replacen(from, to, 1)
    };
    let cases = [
        (
            spoilt("2   # coll", "3   # coll"),
            Dropped,
            14,
            "the file ends where the number of a collective was to come",
        ),
        (spoilt("3   # mess", "4   # mess"), Dropped, 12, "collective 65536 is none of 0 to 21"),
        (GOOD[..60].to_owned(), Dropped, 5, "the file ends where"),
        (String::new(), Dropped, 1, "the file ends where the number of collectives was to come"),
        (
            spoilt("0 6 0 0", "64 6 0 0"),
            Dropped,
            6,
            "the first message size of a communicator size is 64, not 0",
        ),
        (spoilt("7   # bcast", "22"), Dropped, 2, "collective 22 is none of 0 to 21"),
        (spoilt("2   # coll", "23  # coll"), Dropped, 1, "rules for 23 collectives"),
        (spoilt("1024 3", "1024 -3"), Dropped, 7, "an algorithm is -3"),
        (spoilt("1024 3", "010 3"), Wrong, 7, "`010` is octal: it is 8"),
        (spoilt("1024 3", "0x10 3"), Wrong, 7, "`0x10` is hexadecimal: it is 16"),
        (spoilt("1024 3", "4k 3"), Wrong, 7, "`4k` is read as 4"),
        (spoilt("0 512", "0 1.5 # "), Wrong, 7, "`1.5` is read as 1 and 5"),
        (
            spoilt("1024 3", "131072 3"),
            Wrong,
            8,
            "the message size 65536 comes after 131072: it holds from 131072 on",
        ),
        (spoilt("1024 3", "65536 3"), Wrong, 8, "the message size 65536 occurs twice"),
        (spoilt("\n8\n", "\n1\n"), Wrong, 9, "the communicator size 1 comes after 2"),
        (
            spoilt("65536 9", "65536 10"),
            Fails,
            12,
            "bcast has no algorithm 10: the file is accepted, and the first call",
        ),
        (spoilt("2 8192", "2 99999999999"), Wrong, 8, "the segment size 99999999999 is kept as 1215752191"),
        (
            spoilt("11 1 2 2", "7 1 2 2"),
            Wrong,
            2,
            "collective 7 stands again on line 13: only the last one counts",
        ),
        (spoilt("11 1 2 2", "16 1 2 2"), Wrong, 13, "collective 16: Open MPI never looks at rules for it"),
        (spoilt("2   # coll", "1   # coll"), Wrong, 13, "everything from `11` on is not read"),
        (
            spoilt("11 1 2 2  0 5 0 0", "6 1 2 2  0 5 0 0"),
            Wrong,
            13,
            "barrier is never asked by message size",
        ),
        (
            spoilt("11 1 2 2  0 5 0 0", "14 1 2 2  0 2 0 0").replace(" 4 0 1024", " 1 0 0"),
            Wrong,
            13,
            "scan is asked by the bytes of one element times the ranks, not of the message",
        ),
        (
            spoilt("11 1 2 2  0 5 0 0", "0 1 2 2  0 6 0 0"),
            Fails,
            13,
            "two_proc with other than two ranks is an error",
        ),
        (
            spoilt("1024 3", "99999999999999999999 3"),
            Wrong,
            7,
            "a number beyond 64 bits is read as 9223372036854775807",
        ),
        (spoilt("\n8\n", "\n4294967304\n"), Wrong, 9, "the communicator size 4294967304 is kept as 8"),
    ];
    for (text, severity, line, message) in cases {
        let faults = faults(&text);
        let found = faults
            .iter()
            .any(|(as_bad, on, said)| *as_bad == severity && *on == line && said.starts_with(message));
        assert!(found, "line {line}: {message}\n{text}\n{faults:?}");
    }
}

/// A number that C's int cuts is told of once, and what it is cut to counts.
#[test]
fn algorithms_beyond_int_are_told_of_once() {
    for (algorithm, severity, message) in [
        (
            "4294967295",
            Severity::Fails,
            "bcast has no algorithm 4294967295, which is kept as -1: the file is accepted, and the first call this rule is \
             for fails with MPI_ERR_ARG",
        ),
        ("4294967302", Severity::Wrong, "the algorithm 4294967302 is kept as 6"),
        ("4294967296", Severity::Wrong, "the algorithm 4294967296 is kept as 0"),
    ] {
        let text = format!("1 7 1 2 1\n0 {algorithm} 0 0\n");
        assert_eq!(faults(&text), [(severity, 2, message.to_owned())]);
    }
}

/// Releases before 5.0.7 drop files that begin with a header: 4.1 has no other.
#[test]
fn a_header_is_a_fault_for_4_1_alone() {
    let text = b"rule-file-version-2\n1 7 1 2 1\n0 6 0 0 4\n";
    let as_bad = |release| check(text, release).iter().map(|finding| finding.severity).max();
    assert_eq!(as_bad(Some(Release::new(4, 1))), Some(Severity::Dropped));
    assert_eq!(as_bad(Some(Release::new(5, 0))), Some(Severity::Note));
    assert_eq!(as_bad(None), Some(Severity::Note));
}

#[test]
fn what_is_good_to_know_is_no_alarm() {
    let notes = |text: &str| -> Vec<String> {
        assert_eq!(faults(text), [], "{text}");
        check(text.as_bytes(), None).into_iter().map(|note| note.problem.message.to_string()).collect()
    };
    assert_eq!(notes("1 7 1 4 1 0 6 0 0"), ["communicators below 4 ranks get the rule for 4 too"]);
    assert_eq!(notes("1 7 1 2 1 0 1 0 512"), ["`basic_linear` heeds no segment size"]);
    assert_eq!(notes("1 0 1 2 1 0 7 0 0"), [""; 0]);
    assert_eq!(notes("1 7 1 2 0"), ["no message sizes for 2 ranks: the choice is Open MPI's"]);
    assert_eq!(notes("rule-file-version-2\n1 7 1 2 1\n0 6 0 0 4\n").len(), 1);
    assert_eq!(notes("1, 0; 2, # two ranks\n 2, 1, 0, 6, 0, 0, 3, 1, 0 3 0 0").len(), 1);
}

#[test]
fn no_bytes_bring_it_down() {
    let mut chance = TestRng(7);
    for _ in 0..3000 {
        let length = chance.below(200) as usize;
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                if chance.below(3) == 0 {
                    chance.below(256) as u8
                } else {
                    b"0123456789 \n#-x"[chance.below(15) as usize]
                }
            })
            .collect();
        let accepted = check(&bytes, None).iter().all(|finding| finding.severity != Severity::Dropped);
        assert_eq!(accepted, read(&bytes).is_ok(), "{:?}", String::from_utf8_lossy(&bytes));
    }
    let digits = vec![b'7'; 1 << 22];
    assert!(read(&digits).is_err());
    assert!(read(b"1 7 2000000000 2 1 0 6 0 0").is_err());
}

#[test]
fn an_algorithm_that_the_release_lacks_fails_in_the_call() {
    let sparbit = b"1 0 1 2 1 0 7 0 0";
    let found = check(sparbit, Some(Release::new(4, 1)));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Fails);
    let message = &found[0].problem.message;
    assert!(
        message.to_string().starts_with("Open MPI 4.1 has no allgather 7 `sparbit` (5.0 is the first"),
        "{message}"
    );
    assert!(check(sparbit, Some(Release::new(5, 0))).is_empty());
}

/// The table of Open MPI 4.1 for bcast as a rules file, transcribed apart from the function.
#[test]
fn the_table_of_open_mpi_4_1_decides_as_the_function_does() {
    let text = std::fs::read("tests/commands.in/open-mpi-4.1-bcast.conf").expect("it is in the repository");
    assert!(check(&text, None).iter().all(|finding| finding.severity == Severity::Note));
    let rules = read(&text).expect("it is accepted");
    let map = map_of(&rules, "bcast").expect("its algorithms are all known");
    let rule =
        RuleSet::find("open-mpi-4.1").and_then(|rules| rules.rule("bcast")).expect("it is one of them");
    let basis = qtdec_core::Basis::Buffer;
    let around = |axis: usize| {
        let values = map.domain().axes()[axis].values().expect("these are sizes").to_vec();
        let powers = (0..32).map(|exponent| 1 << exponent);
        values.into_iter().chain(powers).flat_map(|size: u64| [size.saturating_sub(1), size, size + 1])
    };
    for comm_size in around(0).filter(|size| *size > 0) {
        for msg_size in around(1) {
            let method = map.decide(&[comm_size, msg_size], Borders::Floor).expect("the map has no gaps");
            let by_hand = rule(&Call::new(comm_size, msg_size, basis)).algorithm;
            assert_eq!(map.domain().method(method).name, by_hand, "{msg_size} bytes to {comm_size} ranks");
        }
    }
}
