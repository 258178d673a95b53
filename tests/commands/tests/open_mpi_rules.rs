//! Rules files of Open MPI: every kind of fault is found, and nothing else is reported.

use qtdec_core::{Borders, Place};
use qtdec_mpi_library::catalogue::Release;
use qtdec_mpi_library::rules::{Call, Choice, RuleSet};
use qtdec_mpi_library::tuning::open_mpi::{check, read};
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_mpi_library::tuning::{Finding, Severity, find_format};
use qtdec_testkit::maps::TestRng;

/// A file that Open MPI 4.1.4 accepts and that means what it seems to mean.
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

/// Returns the findings except notes: severity, line, message.
fn faults(text: &str) -> Vec<(Severity, usize, String)> {
    let findings = check(text.as_bytes(), None);
    let faults = findings.iter().filter(|finding| finding.severity != Severity::Note);
    faults
        .map(|finding| (finding.severity, line(text, finding), finding.problem.message.to_string()))
        .collect()
}

#[test]
fn a_valid_file_has_no_findings() {
    assert_eq!(faults(GOOD), []);
    let notes: Vec<String> =
        check(GOOD.as_bytes(), None).into_iter().map(|note| note.problem.message.to_string()).collect();
    let expected = [
        "6.0 and later read the rules of this format shifted by one communicator size",
        "bcast `pipeline` with segments corrupts data if datatypes differ between ranks (open-mpi/ompi issue 1763)",
        "bcast `chain` with segments corrupts data if datatypes differ between ranks (open-mpi/ompi issue 1763)",
        "bcast `scatter_allgather_ring` corrupts data if datatypes differ between ranks (open-mpi/ompi issue 10523)",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn every_defect_is_found_in_its_place() {
    use Severity::{Dropped, Fails, Wrong};
    let edited = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        GOOD.replacen(from, to, 1)
    };
    let cases = [
        (
            edited("2   # coll", "3   # coll"),
            Dropped,
            14,
            "the file ends where the number of a collective is expected",
        ),
        (edited("3   # mess", "4   # mess"), Dropped, 12, "collective 65536 does not exist"),
        (GOOD[..60].to_owned(), Dropped, 5, "the file ends where"),
        (String::new(), Dropped, 1, "the file ends where the number of collectives is expected"),
        (
            edited("0 6 0 0", "64 6 0 0"),
            Dropped,
            6,
            "the first message size of a communicator size is 64, not 0",
        ),
        (edited("7   # bcast", "22"), Dropped, 2, "collective 22 does not exist, the numbers are 0 to 21"),
        (edited("2   # coll", "23  # coll"), Dropped, 1, "the file announces rules for 23 collectives"),
        (edited("1024 3", "1024 -3"), Dropped, 7, "an algorithm is -3"),
        (edited("1024 3", "010 3"), Wrong, 7, "`010` is octal: it is 8"),
        (edited("1024 3", "0x10 3"), Wrong, 7, "`0x10` is hexadecimal: it is 16"),
        (edited("1024 3", "4k 3"), Wrong, 7, "`4k` is read as 4"),
        (edited("0 512", "0 1.5 # "), Wrong, 7, "`1.5` is read as 1 and 5"),
        (
            edited("1024 3", "131072 3"),
            Wrong,
            8,
            "the message size 65536 comes after 131072: it applies from 131072 on",
        ),
        (edited("1024 3", "65536 3"), Wrong, 8, "the message size 65536 is repeated"),
        (edited("\n8\n", "\n1\n"), Wrong, 9, "the communicator size 1 comes after 2"),
        (
            edited("65536 9", "65536 10"),
            Fails,
            12,
            "bcast has no algorithm 10: the file is accepted, and the first call",
        ),
        (edited("2 8192", "2 99999999999"), Wrong, 8, "the segment size 99999999999 is stored as 1215752191"),
        (
            edited("11 1 2 2", "7 1 2 2"),
            Wrong,
            2,
            "collective 7 is repeated on line 13: only the last one counts",
        ),
        (edited("11 1 2 2", "16 1 2 2"), Wrong, 13, "collective 16: Open MPI never uses rules for it"),
        (edited("2   # coll", "1   # coll"), Wrong, 13, "everything from `11` on is ignored"),
        (
            edited("11 1 2 2  0 5 0 0", "6 1 2 2  0 5 0 0"),
            Wrong,
            13,
            "for barrier, Open MPI ignores message sizes",
        ),
        (
            edited("11 1 2 2  0 5 0 0", "14 1 2 2  0 2 0 0").replace(" 4 0 1024", " 1 0 0"),
            Wrong,
            13,
            "for scan, Open MPI compares the bytes of one element multiplied by the ranks, not those of the \
                 message",
        ),
        (
            edited("11 1 2 2  0 5 0 0", "0 1 2 2  0 6 0 0"),
            Fails,
            13,
            "the call fails if two_proc is used with other than two ranks",
        ),
        (
            edited("1024 3", "99999999999999999999 3"),
            Wrong,
            7,
            "a number beyond 64 bits is read as 9223372036854775807",
        ),
        (edited("\n8\n", "\n4294967304\n"), Wrong, 9, "the communicator size 4294967304 is stored as 8"),
    ];
    for (text, severity, line, message) in cases {
        let faults = faults(&text);
        let found = faults
            .iter()
            .any(|(as_bad, on, said)| *as_bad == severity && *on == line && said.starts_with(message));
        assert!(found, "line {line}: {message}\n{text}\n{faults:?}");
    }
}

/// A number that C's int truncates is reported once, and the truncated number counts.
#[test]
fn algorithms_beyond_int_are_reported_once() {
    for (algorithm, severity, message) in [
        (
            "4294967295",
            Severity::Fails,
            "bcast has no algorithm 4294967295, which is stored as -1: the file is accepted, and the first \
                 call that this rule matches fails with MPI_ERR_ARG",
        ),
        ("4294967302", Severity::Wrong, "the algorithm 4294967302 is stored as 6"),
        ("4294967296", Severity::Wrong, "the algorithm 4294967296 is stored as 0"),
    ] {
        let text = format!("1 7 1 2 1\n0 {algorithm} 0 0\n");
        assert_eq!(faults(&text), [(severity, 2, message.to_owned())]);
    }
}

/// Releases before 5.0.7 ignore files that begin with a header; of 5.0 alone, the version is not known.
#[test]
fn a_header_is_a_fault_before_5_0_7() {
    let text = b"rule-file-version-2\n1 7 1 2 1\n0 6 0 0 4\n";
    let as_bad = |release| check(text, release).iter().map(|finding| finding.severity).max();
    assert_eq!(as_bad(Some(Release::new(4, 1))), Some(Severity::Dropped));
    assert_eq!(as_bad(Some(Release::new(5, 0).patch(6))), Some(Severity::Dropped));
    assert_eq!(as_bad(Some(Release::new(5, 0).patch(7))), Some(Severity::Note));
    assert_eq!(as_bad(Some(Release::new(5, 0))), Some(Severity::Note));
    assert_eq!(as_bad(None), Some(Severity::Note));
    let first = |text: &[u8]| find_format("open-mpi").unwrap().first_release(text);
    assert_eq!(first(text), Some(Release::new(5, 0).patch(7)));
    assert_eq!(first(b"1 7 1 2 1\n0 6 0 0\n"), Some(Release::new(4, 1)));
}

#[test]
fn notes_are_not_errors() {
    let notes = |text: &str| -> Vec<String> {
        assert_eq!(faults(text), [], "{text}");
        check(text.as_bytes(), None).into_iter().map(|note| note.problem.message.to_string()).collect()
    };
    assert_eq!(notes("1 7 1 4 1 0 6 0 0"), ["communicators of fewer than 4 ranks also get the rule for 4"]);
    assert_eq!(notes("1 7 1 2 1 0 1 0 512"), ["`basic_linear` ignores the segment size"]);
    assert_eq!(notes("1 0 1 2 1 0 7 0 0"), [""; 0]);
    for collective in [7, 11] {
        let with = |fan_out: u64| notes(&format!("1 {collective} 1 2 1 0 2 {fan_out} 0"));
        assert_eq!(with(0), ["without a fan-out, `chain` has a single chain, like `pipeline`"]);
        assert_eq!([with(1), with(4)], [[""; 0]; 2]);
    }
    assert_eq!(notes("1 7 1 2 0"), ["no message sizes for 2 ranks: the choice is left to Open MPI"]);
    let header = "a header of version 2: releases before 5.0.7 drop the whole file";
    let limited = |rule: &str| notes(&format!("rule-file-version-2\n1 {rule}\n"));
    assert_eq!(limited("3 1 2 1\n0 4 0 0 4"), [header]);
    assert_eq!(limited("11 1 2 1\n0 5 0 8192 4"), [header]);
    assert_eq!(limited("7 1 2 1\n0 6 0 0 0"), [header]);
    assert_eq!(limited("7 1 2 1\n0 6 0 0 4"), [header, "`binomial` ignores the number of requests"]);
    let without = "`binomial` ignores the number of requests without segments";
    assert_eq!(limited("11 1 2 1\n0 5 0 0 4"), [header, without]);
    assert_eq!(notes("1, 0; 2, # two ranks\n 2, 1, 0, 6, 0, 0, 3, 1, 0 3 0 0").len(), 1);
}

#[test]
fn arbitrary_bytes_cause_no_panic() {
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

/// Compares the table of Open MPI 4.1 for bcast as a rules file with the function, which was transcribed
/// independently.
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
            let Choice { algorithm, fan_out, .. } = rule(&Call::new(comm_size, msg_size, basis));
            let by_hand =
                fan_out.map_or(algorithm.to_owned(), |children| format!("{algorithm}:fanout={children}"));
            assert_eq!(map.domain().method(method).name, by_hand, "{msg_size} bytes to {comm_size} ranks");
        }
    }
}
