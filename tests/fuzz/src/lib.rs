//! The bodies of the fuzz targets: each accepts any bytes, and panics if a promise of SECURITY.md is broken.
//!
//! `targets/` runs them under libFuzzer without a time limit; the test of this package runs them on the seeds and on changed ones.

use std::io::Cursor;

use qtdec_core::{Document, Options, SourceFile};
use qtdec_lookup::{Table, checksum};
use qtdec_mpi_library::catalogue::Release;
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_mpi_library::tuning::{Job, Severity, detect, formats};
use qtdec_mpi_predict::{Network, network as networks};
use qtdec_mpi_schedule::Schedule;
use qtdec_study::readers::{self, Columns, PathPattern, ReadOptions};

/// A body with the name of its target.
pub type Body = (&'static str, fn(&[u8]));

/// Every body.
pub const BODIES: [Body; 7] = [
    ("document", document),
    ("look_up", look_up),
    ("measurements", measurements),
    ("tuning_file", tuning_file),
    ("options", options),
    ("network", network),
    ("schedule", schedule),
];

/// Reads a map or a tree, writes it, and reads it again.
///
/// # Panics
///
/// Panics if the written document cannot be read, or if a problem is reported outside of the file.
pub fn document(bytes: &[u8]) {
    match Document::from_json(bytes) {
        Ok(Document::Map(map)) => {
            let written = map.to_json();
            let Ok(Document::Map(again)) = Document::from_json(written.as_bytes()) else {
                panic!("what was written of a map is none:\n{written}")
            };
            assert_eq!(again.to_json(), written);
        }
        Ok(Document::Tree(tree)) => {
            let written = tree.to_json();
            let Ok(Document::Tree(again)) = Document::from_json(written.as_bytes()) else {
                panic!("what was written of a tree is none:\n{written}")
            };
            assert_eq!(again.to_json(), written);
        }
        Err(_) => {
            let source = SourceFile::read("input", bytes).expect("bytes can be read");
            assert!(source.document().is_err());
        }
    }
}

/// Loads the bytes of a decision table, and evaluates it.
pub fn look_up(bytes: &[u8]) {
    fn ask<const N: usize>(bytes: &[u8]) {
        let Ok(table) = Table::<'_, N>::load(bytes) else { return };
        for size in [0, 1, 2, 1000, u64::MAX] {
            let _ = table.decide([size; N]);
        }
    }
    let mut sealed = bytes.to_vec();
    // Bytes with a valid checksum are examined further.
    if let Some((head, rest)) = sealed.split_at_mut_checked(16) {
        head[8..].copy_from_slice(&checksum(rest).to_le_bytes());
    }
    for bytes in [bytes, &sealed] {
        ask::<1>(bytes);
        ask::<2>(bytes);
        ask::<3>(bytes);
    }
}

/// Reads times in every format, compressed or not.
pub fn measurements(bytes: &[u8]) {
    let fixed = [("comm_size", "4"), ("method", "m")];
    let fixed = fixed.map(|(name, value)| (name.to_owned(), value.to_owned()));
    for format in [None].into_iter().chain(readers::format_names().into_iter().map(Some)) {
        for fixed in [Vec::new(), fixed.to_vec()] {
            let requested = ReadOptions {
                format: format.map(str::to_owned),
                fixed: fixed.into_iter().collect(),
                ..ReadOptions::default()
            };
            // The result may be times or an error.
            let _ = readers::read_one("input", Cursor::new(bytes.to_vec()), &requested);
        }
    }
}

/// Checks and reads a tuning file in every format.
///
/// # Panics
///
/// Panics if a file is read although the check rejects it, or the other way round.
pub fn tuning_file(bytes: &[u8]) {
    let _ = detect(bytes);
    for format in formats() {
        for release in format.releases.iter().copied().map(Some) {
            let _ = format.check(bytes, release);
        }
        let findings = format.check(bytes, None);
        let Ok(selection) = format.read(bytes, Job { ranks_per_node: 4 }) else { continue };
        let dropped = findings.iter().find(|finding| finding.severity == Severity::Dropped);
        assert!(dropped.is_none(), "{}: {dropped:?}", format.name);
        for collective in selection.collectives() {
            let _ = map_of(&*selection, &collective);
        }
    }
}

/// Parses options in the syntax of files: `name=value` on each line.
pub fn options(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let given: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('=')).collect();
    let _ = Options::parse(&given);
    for line in text.lines() {
        let _ = Columns::parse(line);
        if let Ok(pattern) = PathPattern::parse(line) {
            let _ = pattern.read(&text);
        }
        let _ = line.parse::<Release>();
    }
}

/// Reads a network in every format, writes it, and reads it again.
///
/// # Panics
///
/// Panics if the written network cannot be read.
pub fn network(bytes: &[u8]) {
    let Ok(import) = networks::import(bytes) else { return };
    let written = import.network.to_json();
    let again = Network::from_json(written.as_bytes());
    assert!(
        again.is_ok_and(|again| again.to_json() == written),
        "what was written is no network:\n{written}"
    );
}

/// Reads a schedule, tries to prove it, writes it, and reads and proves it again.
///
/// # Panics
///
/// Panics if what was written of a proved schedule is wrong.
pub fn schedule(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(schedule) = Schedule::from_json(&text) else { return };
    // The result may be a proof or a fault.
    let Ok(verified) = schedule.verify() else { return };
    let written = verified.to_json();
    let again = Schedule::from_json(&written);
    assert!(again.is_ok_and(|again| again.verify().is_ok()), "what was written is wrong:\n{written}");
}
