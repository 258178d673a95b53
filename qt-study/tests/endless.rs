//! Endless input, and small files that unpack to a huge size: they are rejected without being held in memory.

use std::fs;
use std::io::{self, Cursor, Read, Write};

use flate2::write::GzEncoder;
use qtdec_core::Document;
use qtdec_study::profile;
use qtdec_study::readers::{self, ReadOptions};

/// The maximum memory growth of this process, far below a gigabyte.
const MAX_KIB: u64 = 256 << 10;

/// Returns the error for this input.
fn refusal(input: impl Read + 'static, requested: &ReadOptions) -> String {
    let failed = readers::read_one("endless", input, requested).unwrap_err();
    let problems = failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string));
    problems.collect::<Vec<_>>().join("\n")
}

fn osu() -> ReadOptions {
    let fixed =
        [("comm_size", "2"), ("method", "m")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    ReadOptions { fixed: fixed.into(), ..ReadOptions::default() }
}

#[test]
fn endless_zeros_are_no_text() {
    assert_eq!(refusal(io::repeat(0), &ReadOptions::default()), "the file is not text (save it as UTF-8)");
}

#[test]
fn endless_rows() {
    let header = "comm_size,msg_size,method,time\n2,8,a,";
    let said = refusal(Cursor::new(header).chain(io::repeat(b'1')), &ReadOptions::default());
    assert!(said.contains("a row is longer than 4 MiB"), "{said}");
    let said = refusal(Cursor::new(format!("{header}\"")).chain(io::repeat(b'\n')), &ReadOptions::default());
    assert!(said.contains("a closing quotation mark missing"), "{said}");
    let header = "# OSU MPI Broadcast Latency Test v5.8\n# Size Avg Latency(us)\n8 ";
    let said = refusal(Cursor::new(header).chain(io::repeat(b'1')), &osu());
    assert!(said.contains("the line is longer than 1 MiB"), "{said}");
}

/// Covers a gigabyte of zeros in a few kilobytes, alone and as the entry of an archive.
#[test]
fn a_compressed_gigabyte_of_zeros() {
    const MEBIBYTE: usize = 1 << 20;
    // A gzip file can have many members: repeating one of a mebibyte gives a gigabyte at once.
    let gigabyte = gz(&vec![0; MEBIBYTE]).repeat(1024);
    assert_eq!(
        refusal(Cursor::new(gigabyte.clone()), &ReadOptions::default()),
        "the file is not text (save it as UTF-8)"
    );

    let mut header = tar::Header::new_ustar();
    header.set_path("zeros.csv").unwrap();
    header.set_size(1 << 30);
    header.set_cksum();
    let end = gz(&[0; 1024]);
    let archive = [gz(header.as_bytes()), gigabyte, end].concat();
    let said = refusal(Cursor::new(archive), &ReadOptions::default());
    assert!(said.contains("the gzip data unpack to more than 128 times their size"), "{said}");
    assert!(peak_kib().is_none_or(|peak| peak < MAX_KIB), "{:?} KiB", peak_kib());
}

/// Covers lines that are faulty, a gigabyte of them in a megabyte of gzip, and lines that say nothing: reading ends at a limit of each.
#[test]
fn a_compressed_gigabyte_of_lines() {
    const MEBIBYTE: usize = 1 << 20;
    let plain = ReadOptions::default();
    let canonical = "# qtdec-times/1\n# axis n\nn,method,launch,repeat,time\n1,a,,1,2\n1,a,,2,2\n";
    for (line, again) in [("\n", "the line is blank"), ("# k\n", "a comment stands between the rows")] {
        let lines = gz(line.repeat(MEBIBYTE / line.len()).as_bytes()).repeat(1024);
        let said = refusal(Cursor::new([gz(canonical.as_bytes()), lines].concat()), &plain);
        let expected = [
            format!("; likewise on {} more lines, up to 65541", (1 << 16) - 1),
            "65536 faults were found, and reading ends here: is the file something else?".to_owned(),
        ];
        assert!(said.starts_with(again) && expected.iter().all(|part| said.contains(part)), "{said}");
    }
    let table = "comm_size,msg_size,method,time\n2,8,a,1\n";
    let rows = gz("2,8\n".repeat(MEBIBYTE / 4).as_bytes()).repeat(1024);
    let said = refusal(Cursor::new([gz(table.as_bytes()), rows].concat()), &plain);
    assert!(
        said.contains("the row has 2 fields") && said.contains("faults were found, and reading ends"),
        "{said}"
    );

    let title = "# OSU MPI Broadcast Latency Test v5.8\n# Size Avg Latency(us)\n8 1.5\n";
    let blank =
        [gz(title.as_bytes()), gz(format!("#{:1022}\n", "").repeat(1024).as_bytes()).repeat(64)].concat();
    let said = refusal(Cursor::new(blank.clone()), &osu());
    let limit = "the gzip data unpack to more than 128 times their size: unpack them first";
    assert!(said.contains(limit), "{said}");
    // What an archive in an archive unpacks to counts as well, and so do all of its entries together.
    let mut archive = tar::Builder::new(Vec::new());
    for number in 0..16 {
        let mut header = tar::Header::new_ustar();
        header.set_size(blank.len() as u64);
        archive.append_data(&mut header, format!("{number}.txt"), &blank[..]).unwrap();
    }
    let said = refusal(Cursor::new(gz(&archive.into_inner().unwrap())), &osu());
    assert!(said.contains(limit), "{said}");
    assert!(peak_kib().is_none_or(|peak| peak < MAX_KIB), "{:?} KiB", peak_kib());
}

/// Covers an archive that announces an entry name of several gigabytes, in a few megabytes of gzip.
#[test]
fn a_gigabyte_of_a_name() {
    for kind in [tar::EntryType::GNULongName, tar::EntryType::XHeader] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(1 << 30);
        header.set_cksum();
        // The header must have the first bytes of an archive to be recognised.
        let archive = Cursor::new(with_magic(&header)).chain(io::repeat(b'a').take(1 << 30));
        let said = refusal(archive, &ReadOptions::default());
        assert!(said.contains("the name of an entry is longer than 1048576 bytes"), "{said}");
    }
    assert!(peak_kib().is_none_or(|peak| peak < MAX_KIB), "{:?} KiB", peak_kib());
}

fn with_magic(header: &tar::Header) -> Vec<u8> {
    let mut bytes = header.as_bytes().to_vec();
    bytes[257..262].copy_from_slice(b"ustar");
    bytes
}

/// Names that do not fit into a header come before it, in two different forms.
#[test]
fn long_names_of_entries() {
    let path = format!("{}/comm_size_2.csv", "long".repeat(60));
    let times = b"msg_size,method,time\n8,a,1\n";
    let mut gnu = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(times.len() as u64);
    gnu.append_data(&mut header, &path, &times[..]).unwrap();
    let mut pax = tar::Builder::new(Vec::new());
    pax.append_pax_extensions([("path", path.as_bytes())]).unwrap();
    let mut header = tar::Header::new_ustar();
    header.set_size(times.len() as u64);
    pax.append_data(&mut header, "short", &times[..]).unwrap();
    let requested = ReadOptions {
        path: Some(readers::PathPattern::parse("comm_size_{comm_size}.csv").unwrap()),
        ..ReadOptions::default()
    };
    for archive in [gnu.into_inner().unwrap(), pax.into_inner().unwrap()] {
        let read = readers::read_one("t.tar", Cursor::new(archive), &requested);
        assert!(read.is_ok(), "{:?}", read.err());
    }
}

/// Covers a profile with an endless row.
#[test]
fn endless_profiles() {
    let text = r#"{ "format": "qtdec-map/1", "axes": [{ "name": "p", "values": [1, 2] }], "methods": [{ "name": "a" }],
        "cells": [0, 0] }"#;
    let Ok(Document::Map(map)) = Document::from_json(text.as_bytes()) else { panic!("it is a map") };
    for (start, rest) in [("", 0), ("p,count\n1,\"", b'\n'), ("p,count\n", b'1')] {
        let input = Cursor::new(start.to_owned()).chain(io::repeat(rest));
        let said = profile::read(input, &map, false).unwrap_err().to_string();
        assert!(said.contains("a row is longer than 1048576 bytes"), "{start:?}: {said}");
    }
    let rows = format!("p,count\n{}", "1,1\n".repeat(1 << 19));
    assert!(profile::read(Cursor::new(rows), &map, false).is_ok());
}

/// Covers archives that are nested many times, or contain themselves.
#[test]
fn archives_that_hold_archives() {
    let mut archive = b"comm_size,msg_size,method,time\n2,8,a,1\n".to_vec();
    for depth in 0..5 {
        let read = readers::read_one("deep.tar", Cursor::new(archive.clone()), &ReadOptions::default());
        assert_eq!(read.is_ok(), depth <= 3, "{depth}");
        let mut outer = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_ustar();
        header.set_size(archive.len() as u64);
        outer.append_data(&mut header, "inner", &archive[..]).unwrap();
        archive = outer.into_inner().unwrap();
    }
}

/// Covers rows of millions of columns, of which each would be compared with each.
#[test]
fn endless_columns() {
    let names: Vec<String> = (0..300_000).map(|number| format!("c{number}")).collect();
    let row = vec!["1.5"; names.len()].join(",");
    let table = format!("msg_size,{}\n8,{row}\n", names.join(","));
    let requested = ReadOptions { format: Some("csv".to_owned()), ..ReadOptions::default() };
    let said = refusal(Cursor::new(table), &requested);
    assert!(said.contains("the table has 300001 columns, and the maximum is 4096"), "{said}");
}

#[test]
fn an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        let failed = readers::read(&[path], &ReadOptions::default(), &mut |_, input| input).unwrap_err();
        failed[0].problems.to_string()
    };
    assert_eq!(read(""), "the folder is empty");
    fs::create_dir(folder.path().join("a")).unwrap();
    assert_eq!(read(""), "the folder is empty");
    assert!(read("b").contains("No such file"), "{}", read("b"));
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Returns the peak memory of this process, if the system reports it.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
