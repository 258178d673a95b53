//! Truncated and altered files, compressed or not: they cause no panic, and no time that is not in the complete file
//! without a warning.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

use qtdec_core::{Basis, DecisionMap, Problems};
use qtdec_mpi_library::tuning::selection::map_of;
use qtdec_mpi_library::tuning::{Finding, Format, Job, Severity, find_format, formats};
use qtdec_study::measurements::{Measurements, Series};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, ReadOptions};
use qtdec_study::selection::{Gaps, Recipe, TieRule};
use qtdec_testkit::sample::one_in;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Returns a file of every format, with the options that it needs.
fn files() -> Vec<(Vec<u8>, ReadOptions)> {
    let data = |path: &str| {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../qt-study/tests/data").join(path)).unwrap()
    };
    let fixed =
        [("comm_size", "4"), ("method", "m")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let requested = |collective: &str| ReadOptions {
        collective: Some(collective.to_owned()),
        fixed: fixed.clone().into(),
        ..ReadOptions::default()
    };
    let for_collective =
        |collective: &str| ReadOptions { collective: Some(collective.to_owned()), ..ReadOptions::default() };
    let columns = "comm_size=ranks,msg_size=bytes,method=algorithm,segment_size=segment,time=us";
    let long = ReadOptions { columns: Columns::parse(columns).unwrap(), ..for_collective("allgather") };
    let chiara = "algorithm_name,k,b,nprocs,send_count,time,is_correct\nradix,2,0,64,512,0.00027163,1\n\
                  radix,2,0,64,512,9.2684e-05,1\nradix,16,0,64,1024,9.5e-05,1\nradix,16,0,64,1024,9.9e-05,0\n";
    let pico = "collective_type,array_dim,buffer_size,algo_name,mean,median,nnodes,tasks_per_node\n\
                BCAST,512,2048,default-default,13101.4,12854.0,2x2x2,1\n\
                BCAST,512,2048,RING-UTOFU-1024-6,13201.25,12954.5,2x2x2,1\n";
    let iterations = "highest,rank0,rank1\n3100,3100,2900\n2800.5,2800.5,1900\n2750,2600,2750\n";
    let criterion = "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n\
                     sort,merge,64,,,1234.5,ns,10\nsort,merge,1024,,,99000,ns,12\nsort,radix,64,,,777,ns,7\n";
    let divan = "sorts  fastest │ slowest │ median │ mean │ samples │ iters\n├─ merge │ │ │ │ │\n\
                 │  ├─ 64  9 ns │ 12 ns │ 10 ns │ 10.5 ns │ 100 │ 100\n\
                 │  ╰─ 1024  0.08 µs │ 1.2 µs │ 0.09 µs │ 0.1 µs │ 100 │ 100\n";
    let blanks = "# comm_size msg_size method time_us\n2 8 ring 1.5\n  2 8   tree 2.5\n4 1024 ring\t9.5\n";
    let canonical = "# qtdec-times/1\n# machine: grig\n# axis comm_size: ranks\n# axis msg_size: bytes\n# parameter segment_size: bytes\n\
                     comm_size,msg_size,method,segment_size,collective,basis,launch,repeat,time_us\n\
                     2,8,ring,,bcast,buffer,a,1,1.5\n2,8,ring,,bcast,buffer,a,2,1.25e-3\n4,8,ring,1024,bcast,buffer,b,1,2\n";
    vec![
        (canonical.into(), ReadOptions::default()),
        (iterations.into(), {
            let mut requested = requested("bcast");
            requested.fixed.insert("msg_size".to_owned(), "64".to_owned());
            requested
        }),
        (criterion.into(), ReadOptions::default()),
        (divan.into(), ReadOptions::default()),
        (blanks.into(), ReadOptions::default()),
        (data("osu/two-collectives_np8.txt"), requested("allreduce")),
        (data("osu/pipeline_seg8192_np4_full.txt"), requested("bcast")),
        (data("imb/binomial.txt"), {
            // The file itself names its communicators.
            let mut requested = requested("bcast");
            requested.fixed.remove("comm_size");
            requested
        }),
        (data("skampi/coll.sko"), for_collective("bcast")),
        (data("reprompi/raw_np4.txt"), ReadOptions::default()),
        (data("reprompi/summary_np4.txt"), ReadOptions::default()),
        (data("reprompi/elements_np4.txt"), ReadOptions::default()),
        (data("ompi-collectives-tuning/numbered.out"), for_collective("alltoall")),
        (data("long/times.csv"), long.clone()),
        (data("long/times.tsv"), long),
        (chiara.into(), ReadOptions { element_size: Some(8), ..ReadOptions::default() }),
        (pico.into(), ReadOptions::default()),
    ]
}

fn read(bytes: &[u8], requested: &ReadOptions) -> Option<(Measurements, Notes)> {
    readers::read_one("file", Cursor::new(bytes.to_vec()), requested).ok()
}

/// Returns whether every time of one set of measurements is also in the other.
fn is_part(part: &Measurements, whole: &Measurements) -> bool {
    let methods: Vec<String> = part.labels().collect();
    part.all_series().all(|(sizes, method, series)| {
        let position = whole.methods().position(|known| known.label() == methods[method]);
        let known = position.and_then(|method| whole.series(sizes, method));
        match (series, known) {
            (Series::Repeats(part), Some(Series::Repeats(whole))) => whole.starts_with(part),
            (Series::Statistics(part), Some(Series::Statistics(whole))) => part == whole,
            _ => false,
        }
    })
}

#[test]
fn truncated_files_of_times() {
    for (bytes, requested) in files() {
        let (whole, _) = read(&bytes, &requested).unwrap();
        let mut warned_of = 0;
        for length in 0..bytes.len() {
            let Some((part, notes)) = read(&bytes[..length], &requested) else { continue };
            let is_warned_of = notes.lines().any(|line| line.contains("ends in the middle of a line"));
            warned_of += u64::from(is_warned_of);
            let text = String::from_utf8_lossy(&bytes[..length]);
            assert!(is_warned_of || is_part(&part, &whole), "{text}");
        }
        // A truncated number is still a number: a warning is all that is possible.
        assert!(warned_of > 0, "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn other_bytes() {
    const BYTES: &[u8] = b"0123456789 \t\r\n,;#\"'=-+.eE(){}[]x\0\x7F\xFF";
    let mut chance = Pcg64::seed_from_u64(2007);
    for (original, requested) in files() {
        for _ in 0..400 / one_in::<u32>(8) {
            let mut bytes = original.clone();
            for _ in 0..chance.random_range(1..8) {
                let place = chance.random_range(0..bytes.len());
                match chance.random_range(0..4) {
                    0 if bytes.len() > 1 => drop(bytes.remove(place)),
                    1 => bytes.insert(place, BYTES[chance.random_range(0..BYTES.len())]),
                    2 => bytes.truncate(place.max(1)),
                    _ => bytes[place] = BYTES[chance.random_range(0..BYTES.len())],
                }
            }
            for format in [None, Some("csv"), Some("osu"), Some("imb"), Some("skampi"), Some("reprompi")] {
                let basis = [None, Some(Basis::Block), Some(Basis::Total)][chance.random_range(0..3)];
                let gaps = [Gaps::Empty, Gaps::Nearest, Gaps::Interpolate][chance.random_range(0..3)];
                let requested = ReadOptions { format: format.map(str::to_owned), basis, ..requested.clone() };
                if let Some((measurements, _)) = read(&bytes, &requested) {
                    let positive = |series: &Series| match series {
                        Series::Repeats(repeats) => repeats.iter().all(|repeat| repeat.time > 0.0),
                        Series::Statistics(given) => given.iter().all(|(_, time)| *time > 0.0),
                    };
                    assert!(measurements.all_series().all(|(.., series)| positive(series)));
                    let recipe = Recipe { gaps, ties: Some(TieRule::default()), ..Recipe::default() };
                    // The result may be a map or an error.
                    let _ = recipe.map(&measurements, &mut Notes::default());
                }
            }
        }
    }
}

/// Returns a tuning file of each format.
fn tuning_files() -> Vec<(&'static Format, Vec<u8>)> {
    let file = |name: &str| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)).unwrap();
    let open_mpi_json = b"{ \"collectives\": { \"bcast\": [ { \"comm_size_min\": 2, \"comm_size_max\": 15, \"rules\": [\n \
                          { \"msg_size_max\": 4095, \"alg\": 6 }, { \"alg\": \"pipeline\", \"seg_size\": 8192 } ] } ] } }";
    let files = [
        ("open-mpi", file("commands.in/open-mpi-4.1-bcast.conf")),
        ("open-mpi-json", open_mpi_json.to_vec()),
        ("open-mpi-han", crate::han::FILE.into()),
        ("mpich", file("commands.in/whole.json")),
        ("mvapich", file("commands.in/whole.json")),
        ("intel-mpi", file("commands.in/job.sh")),
    ];
    assert_eq!(files.len(), formats().len());
    files.map(|(name, bytes)| (find_format(name).unwrap(), bytes)).into()
}

/// Returns the maps of all collectives in a file, if it is accepted, and checks that `check` agrees.
fn maps(format: &Format, bytes: &[u8]) -> Option<Vec<Result<DecisionMap, Problems>>> {
    let findings = format.check(bytes, None);
    let selection = format.read(bytes, Job::default()).ok()?;
    let dropped = findings.iter().find(|finding: &&Finding| finding.severity == Severity::Dropped);
    assert!(dropped.is_none(), "{}: {dropped:?}\n{}", format.name, String::from_utf8_lossy(bytes));
    Some(selection.collectives().iter().map(|collective| map_of(&*selection, collective)).collect())
}

#[test]
fn truncated_tuning_files() {
    for (format, bytes) in tuning_files() {
        assert!(maps(format, &bytes).unwrap().iter().all(Result::is_ok), "{}", format.name);
        for length in (0..bytes.len()).step_by(one_in(7)) {
            maps(format, &bytes[..length]);
        }
    }
}

/// A variable with unmatched quotes is rejected, because half a rule could look like a complete one.
#[test]
fn truncated_variables_are_rejected() {
    for (format, bytes) in tuning_files().into_iter().filter(|(_, bytes)| bytes.contains(&b'\'')) {
        let quotes: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\'').collect();
        for length in quotes[0] + 1..=quotes[1] {
            assert!(
                maps(format, &bytes[..length]).is_none(),
                "{}",
                String::from_utf8_lossy(&bytes[..length])
            );
        }
        assert!(maps(format, &bytes[..=quotes[1]]).is_some());
    }
}

#[test]
fn tuning_files_of_other_bytes() {
    const BYTES: &[u8] = b"0123456789 \t\r\n,;:#@'\"=-_[]{}abkKinf\0\x7F\xFF";
    let mut chance = Pcg64::seed_from_u64(2008);
    for (format, original) in tuning_files() {
        for _ in 0..2000 / one_in::<u32>(8) {
            let mut bytes = original.clone();
            for _ in 0..chance.random_range(1..8) {
                let place = chance.random_range(0..bytes.len());
                match chance.random_range(0..4) {
                    0 if bytes.len() > 1 => drop(bytes.remove(place)),
                    1 => bytes.insert(place, BYTES[chance.random_range(0..BYTES.len())]),
                    2 => {
                        let end = (place + chance.random_range(1..40)).min(bytes.len());
                        let part = bytes[place..end].to_vec();
                        let to = chance.random_range(0..bytes.len());
                        bytes.splice(to..to, part);
                    }
                    _ => bytes[place] = BYTES[chance.random_range(0..BYTES.len())],
                }
            }
            maps(format, &bytes);
        }
    }
}

/// Compressed files have a checksum: they are read unchanged, or rejected.
#[test]
fn packed_files_of_other_bytes() {
    let text = fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../qt-study/tests/data/reprompi/raw_np4.txt"),
    )
    .unwrap();
    let (whole, _) = read(&text, &ReadOptions::default()).unwrap();
    let mut chance = Pcg64::seed_from_u64(2006);
    for packed in [gz(&text), xz(&text), compress_to_vec(&text[..], CompressionLevel::Fastest)] {
        assert!(is_part(&read(&packed, &ReadOptions::default()).unwrap().0, &whole));
        for _ in 0..1000 / one_in::<u32>(8) {
            let mut bytes = packed.clone();
            let place = chance.random_range(0..bytes.len());
            match chance.random_range(0..3) {
                0 => drop(bytes.remove(place)),
                1 => bytes.truncate(place),
                _ => bytes[place] ^= 1 << chance.random_range(0..8),
            }
            if let Some((found, _)) = read(&bytes, &ReadOptions::default()) {
                assert!(is_part(&found, &whole) && is_part(&whole, &found), "{bytes:?}");
            }
        }
    }
}

fn gz(text: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

fn xz(text: &[u8]) -> Vec<u8> {
    let mut packed = XzWriter::new(Vec::new(), XzOptions::default()).unwrap();
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}
