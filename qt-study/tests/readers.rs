//! Every reader on text of its format, compared with values that were written down by hand.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use qtdec_core::Basis;
use qtdec_study::hold_out::HoldOut;
use qtdec_study::measurements::{Cleaning, Measurements, RankStatistic, Statistic, TimeUnit};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, Columns, Counted, PathPattern, ReadOptions};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// A time by sizes and method.
type Times = BTreeMap<(Vec<u64>, String), f64>;

/// A function that compresses a text.
type Pack = fn(&[u8]) -> Vec<u8>;

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

fn try_read(path: &Path, requested: &ReadOptions) -> Result<(Measurements, Notes), String> {
    let path = path.to_str().unwrap().to_owned();
    readers::read(&[path], requested, &mut |_, input| input).map_err(|failed| {
        let texts = failed.iter().flat_map(|failed| failed.problems.iter().map(ToString::to_string));
        texts.collect::<Vec<_>>().join("\n")
    })
}

fn read(path: &str, requested: &ReadOptions) -> (Measurements, Vec<String>) {
    let (measurements, notes) = try_read(&data(path), requested).unwrap();
    (measurements, notes.lines().collect())
}

fn times(measurements: &Measurements, statistic: Statistic) -> Times {
    let point = |(sizes, times): (&[u64], Vec<(qtdec_core::Method, f64)>)| {
        let sizes = sizes.to_vec();
        times.into_iter().map(move |(method, time)| ((sizes.clone(), method.label()), time))
    };
    measurements.sorted(statistic).flat_map(point).collect()
}

fn assert_times<const N: usize>(found: &Times, expected: [(&[u64], &str, f64); N]) {
    let found: Vec<_> =
        found.iter().map(|((sizes, method), time)| (&sizes[..], &method[..], *time)).collect();
    assert_eq!(found.len(), N, "{found:?}");
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!((found.0, found.1), (expected.0, expected.1));
        assert!((found.2 - expected.2).abs() <= 1e-9 * expected.2, "{found:?} {expected:?}");
    }
}

fn basis(measurements: &Measurements) -> Option<Basis> {
    measurements.axes().iter().find(|axis| axis.name == "msg_size")?.basis
}

fn for_collective(collective: &str) -> ReadOptions {
    ReadOptions { collective: Some(collective.to_owned()), ..ReadOptions::default() }
}

fn by_path(pattern: &str, requested: ReadOptions) -> ReadOptions {
    ReadOptions { path: Some(PathPattern::parse(pattern).unwrap()), ..requested }
}

fn fixed(names: &[(&str, &str)], requested: ReadOptions) -> ReadOptions {
    let fixed = names.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    ReadOptions { fixed, ..requested }
}

#[test]
fn osu() {
    let requested = by_path("{method}_np{comm_size}.txt", ReadOptions::default());
    let (plain, notes) = read("osu/binomial_np4.txt", &requested);
    assert_eq!((plain.collective.as_deref(), plain.unit), (Some("bcast"), Some(TimeUnit::Microseconds)));
    assert_eq!((basis(&plain), plain.ranks.as_deref()), (Some(Basis::Buffer), Some("mean")));
    assert_eq!(notes, [""; 0]);
    assert_times(
        &times(&plain, Statistic::Mean),
        [(&[4, 1], "binomial", 1.34), (&[4, 1024], "binomial", 2.06), (&[4, 1_048_576], "binomial", 275.19)],
    );
}

#[test]
fn osu_with_statistics_over_the_ranks() {
    let full = "osu/pipeline_seg8192_np4_full.txt";
    let requested = |ranks| {
        by_path(
            "{method}_seg{segment_size}_np{comm_size}_full.txt",
            ReadOptions { ranks, ..ReadOptions::default() },
        )
    };
    for (ranks, name, values) in [
        (RankStatistic::Max, "max", [2.7, 4.05, 151.5]),
        (RankStatistic::Mean, "mean", [1.8, 2.6, 150.25]),
        (RankStatistic::Min, "min", [0.9, 1.2, 149.0]),
    ] {
        let (full, _) = read(full, &requested(ranks));
        assert_eq!(full.ranks.as_deref(), Some(name));
        assert_times(
            &times(&full, Statistic::Mean),
            [
                (&[4, 1], "pipeline/8192", values[0]),
                (&[4, 1024], "pipeline/8192", values[1]),
                (&[4, 1_048_576], "pipeline/8192", values[2]),
            ],
        );
    }
}

/// Without `-f`, files have the average over the ranks alone, and with it the maximum is read.
#[test]
fn osu_with_and_without_statistics_over_the_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("linear_np4.txt", &fs::read_to_string(data("osu/binomial_np4.txt")).unwrap());
    let full = fs::read_to_string(data("osu/pipeline_seg8192_np4_full.txt")).unwrap();
    let header = full.lines().take_while(|line| line.is_empty() || line.starts_with('#')).collect::<Vec<_>>();
    let read = |ranks| {
        let requested =
            by_path("{method}_np{comm_size}.txt", ReadOptions { ranks, ..ReadOptions::default() });
        let (measurements, notes) = try_read(folder.path(), &requested).unwrap();
        (measurements.ranks, notes.lines().filter(|note| note.contains("over the ranks")).collect::<Vec<_>>())
    };
    // A job that ended before its first time adds none of another kind.
    write("ring_np4.txt", &header.join("\n"));
    assert_eq!(read(RankStatistic::Max), (Some("mean".to_owned()), Vec::new()));

    write("ring_np4.txt", &full);
    write("tree_np4.txt", &full);
    let (ranks, notes) = read(RankStatistic::Max);
    assert_eq!(ranks.as_deref(), Some("mean or max"));
    let [note] = &notes[..] else { panic!("{notes:?}") };
    for part in
        ["linear_np4.txt` are the mean over the ranks, those of `", "ring_np4.txt` the max,", "--ranks mean"]
    {
        assert!(note.contains(part), "{part}: {note}");
    }
    assert_eq!(read(RankStatistic::Mean), (Some("mean".to_owned()), Vec::new()));
}

#[test]
fn osu_with_several_collectives_in_a_file() {
    let file = "osu/two-collectives_np8.txt";
    let requested = |collective| fixed(&[("comm_size", "8"), ("method", "m")], for_collective(collective));
    let (allreduce, notes) = read(file, &requested("allreduce"));
    assert_eq!(notes, ["a row whose validation failed was dropped"]);
    assert_times(&times(&allreduce, Statistic::Mean), [(&[8, 4], "m", 10.05), (&[8, 16], "m", 11.19)]);

    // The benchmark divides the size among the ranks.
    let (block, _) = read(file, &requested("reduce_scatter_block"));
    assert_eq!(basis(&block), Some(Basis::Block));
    assert_times(&times(&block, Statistic::Mean), [(&[8, 8], "m", 5.5), (&[8, 16], "m", 6.5)]);
    let to_total = ReadOptions { basis: Some(Basis::Total), ..requested("reduce_scatter_block") };
    assert_times(
        &times(&read(file, &to_total).0, Statistic::Mean),
        [(&[8, 64], "m", 5.5), (&[8, 128], "m", 6.5)],
    );
    assert_times(&times(&read(file, &requested("alltoall")).0, Statistic::Mean), [(&[8, 1], "m", 7.25)]);
    assert_times(&times(&read(file, &requested("barrier")).0, Statistic::Mean), [(&[8], "m", 3.75)]);
    let refused = try_read(&data(file), &requested("ibcast")).unwrap_err();
    assert!(refused.contains("the table of `ibcast` has no column `Avg Latency(us)`"), "{refused}");
}

#[test]
fn imb() {
    let requested =
        |collective, ranks| by_path("{method}.txt", ReadOptions { ranks, ..for_collective(collective) });
    let (bcast, notes) = read("imb/binomial.txt", &requested("bcast", RankStatistic::Max));
    assert_eq!(
        notes,
        [
            "a message of 0 bytes was skipped (2 times)",
            "a row without times was dropped: the benchmark says out-of-mem"
        ]
    );
    assert_eq!((basis(&bcast), bcast.ranks.as_deref()), (Some(Basis::Buffer), Some("max")));
    assert_times(
        &times(&bcast, Statistic::Mean),
        [(&[2, 1024], "binomial", 3.8), (&[2, 1_048_576], "binomial", 110.0), (&[4, 1024], "binomial", 7.6)],
    );
    let (mean, _) = read("imb/binomial.txt", &requested("bcast", RankStatistic::Mean));
    assert_times(
        &times(&mean, Statistic::Mean),
        [(&[2, 1024], "binomial", 1.95), (&[2, 1_048_576], "binomial", 100.0), (&[4, 1024], "binomial", 3.9)],
    );
    let (barrier, _) = read("imb/binomial.txt", &requested("barrier", RankStatistic::Min));
    assert_times(&times(&barrier, Statistic::Mean), [(&[4], "binomial", 1.1)]);
}

#[test]
fn skampi() {
    let (bcast, notes) = read("skampi/coll.sko", &for_collective("bcast"));
    assert_eq!((basis(&bcast), notes.len()), (Some(Basis::Buffer), 0));
    assert_times(
        &times(&bcast, Statistic::Mean),
        [
            (&[2, 4], "library", 6.6),
            (&[2, 1024], "Send_Recv", 8.8),
            (&[2, 1024], "library", 9.1),
            (&[4, 4], "library", 12.5),
            (&[4, 1024], "Send_Recv", 26.4),
            (&[4, 1024], "library", 18.0),
        ],
    );
    let (barrier, _) = read("skampi/coll.sko", &for_collective("barrier"));
    assert_times(&times(&barrier, Statistic::Mean), [(&[2], "library", 2.5), (&[4], "library", 5.5)]);
}

#[test]
fn reprompi() {
    let (raw, notes) = read("reprompi/raw_np4.txt", &ReadOptions::default());
    assert_eq!(notes, ["a repeat with an error code was dropped"]);
    assert_eq!((raw.collective.as_deref(), raw.unit), (Some("allreduce"), Some(TimeUnit::Seconds)));
    assert_times(
        &times(&raw, Statistic::Median),
        [(&[4, 8], "library", 6.125e-6), (&[4, 1024], "library", 31.125e-6)],
    );
    assert_times(
        &times(&raw, Statistic::Max),
        [(&[4, 8], "library", 7.125e-6), (&[4, 1024], "library", 44.125e-6)],
    );

    let (summary, notes) = read("reprompi/summary_np4.txt", &ReadOptions::default());
    assert_eq!(notes, ["a point without a valid repeat was dropped"]);
    for (statistic, values) in [
        (Statistic::Mean, [3.9e-6, 9.6e-6]),
        (Statistic::Median, [2.8e-6, 10.5e-6]),
        (Statistic::Min, [2.3e-6, 6.7e-6]),
        (Statistic::Max, [9.7e-6, 13.0e-6]),
    ] {
        assert_times(
            &times(&summary, statistic),
            [(&[4, 8], "library", values[0]), (&[4, 1024], "library", values[1])],
        );
    }

    // These are counts of doubles, and the part of each rank in a reduce-scatter.
    let block = ReadOptions { basis: Some(Basis::Block), ..ReadOptions::default() };
    for (requested, sizes) in [(block, [16, 32]), (ReadOptions::default(), [64, 128])] {
        let (elements, _) = read("reprompi/elements_np4.txt", &requested);
        assert_times(
            &times(&elements, Statistic::Median),
            [(&[4, sizes[0]], "library", 2e-6), (&[4, sizes[1]], "library", 3e-6)],
        );
    }
}

#[test]
fn ompi_collectives_tuning() {
    let (detail, notes) = read("ompi-collectives-tuning/detail.out", &for_collective("gather"));
    assert_eq!((basis(&detail), notes.len()), (Some(Basis::Block), 0));
    let found = times(&detail, Statistic::Mean);
    assert_eq!(found.len(), 2 * 21 * 4, "two communicators, 21 sizes, four algorithms");
    let time = |comm_size, msg_size, method: &str| found[&(vec![comm_size, msg_size], method.to_owned())];
    assert_eq!(time(2, 1, "basic_linear"), 64.33);
    assert_eq!(time(2, 8, "tuned"), 110.98);
    assert_eq!(time(2, 4, "linear_sync"), 2403.01);
    assert_eq!(time(2, 2, "binomial"), 107.92);
    let (alltoall, _) = read(
        "ompi-collectives-tuning/detail.out",
        &ReadOptions { basis: Some(Basis::Total), ..for_collective("alltoall") },
    );
    assert_eq!(times(&alltoall, Statistic::Mean)[&(vec![2, 16], "tuned".to_owned())], 110.98);
}

#[test]
fn ompi_collectives_tuning_of_today() {
    let (numbered, _) = read("ompi-collectives-tuning/numbered.out", &for_collective("alltoall"));
    let found = times(&numbered, Statistic::Mean);
    assert_eq!(found.len(), 14, "one of four algorithms is for two processes alone: {found:?}");
    let time = |comm_size, msg_size, method: &str| found[&(vec![comm_size, msg_size], method.to_owned())];
    assert_eq!([time(2, 1, "0"), time(2, 1, "3"), time(2, 1024, "3")], [2.5, 1.75, 4.0]);
    assert_eq!([time(4, 1024, "1"), time(4, 1024, "2")], [8.0, 10.0]);

    let folder = tempfile::tempdir().unwrap();
    let barrier = folder.path().join("detail.out");
    fs::write(&barrier, "#Nnodes    Message_size 0 1\n2 0 1.50(0.10) 2.50 1.50(0.10)\n").unwrap();
    let (barrier, _) = try_read(&barrier, &for_collective("barrier")).unwrap();
    assert_times(&times(&barrier, Statistic::Mean), [(&[2], "0", 1.5), (&[2], "1", 2.5)]);
}

#[test]
fn long_tables() {
    let columns = "comm_size=ranks,msg_size=bytes,method=algorithm,segment_size=segment,time=us,run=run";
    let requested = ReadOptions {
        columns: Columns::parse(columns).unwrap(),
        time_unit: Some(TimeUnit::Microseconds),
        basis_in: Some(Counted::Of(Basis::Block)),
        ..for_collective("allgather")
    };
    let filtered =
        ReadOptions { filters: vec![("algorithm".to_owned(), "ring".to_owned())], ..requested.clone() };
    for file in ["long/times.csv", "long/times.tsv"] {
        let (all, _) = read(file, &requested);
        assert_eq!(all.runs().collect::<Vec<_>>(), ["1", "2"]);
        assert_times(
            &times(&all, Statistic::Median),
            [
                (&[2, 8], "bruck", 2.0),
                (&[2, 8], "ring", 2.5),
                (&[4, 8], "pipeline/1024", 5.0),
                (&[4, 8], "ring", 4.0),
            ],
        );
        assert_times(
            &times(&read(file, &filtered).0, Statistic::Min),
            [(&[2, 8], "ring", 1.5), (&[4, 8], "ring", 4.0)],
        );
        let total = ReadOptions { basis: Some(Basis::Total), ..filtered.clone() };
        assert_times(
            &times(&read(file, &total).0, Statistic::Max),
            [(&[2, 16], "ring", 3.5), (&[4, 32], "ring", 4.0)],
        );
    }
    let columns = Columns::parse("comm_size=ranks,msg_size=bytes,ppn=ppn,method=algorithm,time=us").unwrap();
    let (by_ppn, _) = read("long/times.csv", &ReadOptions { columns, ..for_collective("bcast") });
    assert_times(&times(&by_ppn, Statistic::Median), [(&[4, 8, 2], "binomial", 9.0)]);
}

/// With a row for each rank of each repeat, the ranks are combined into one time, and the repeats stay separate.
#[test]
fn times_rank_by_rank() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ranks.csv");
    let rows = ["2,8,a,0,0,1", "2,8,a,1,0,3", "2,8,a,0,1,5", "2,8,a,1,1,4", "2,8,b,0,0,2", "2,8,b,0,1,2"];
    let columns = "comm_size=p,msg_size=m,method=name,rank=rank,repeat=repeat,time=us";
    let requested =
        |ranks| ReadOptions { columns: Columns::parse(columns).unwrap(), ranks, ..ReadOptions::default() };
    fs::write(&file, format!("p,m,name,rank,repeat,us\n{}\n", rows.join("\n"))).unwrap();
    for (ranks, slow, fast) in
        [(RankStatistic::Max, 5.0, 3.0), (RankStatistic::Mean, 4.5, 2.0), (RankStatistic::Min, 4.0, 1.0)]
    {
        let (measurements, notes) = try_read(&file, &requested(ranks)).unwrap();
        assert!(notes.is_empty());
        assert_eq!(measurements.ranks.as_deref(), Some(ranks.name()));
        assert_times(&times(&measurements, Statistic::Max), [(&[2, 8], "a", slow), (&[2, 8], "b", 2.0)]);
        assert_times(&times(&measurements, Statistic::Min), [(&[2, 8], "a", fast), (&[2, 8], "b", 2.0)]);
    }
    // Nothing distinguishes the two runs.
    fs::write(&file, format!("p,m,name,rank,repeat,us\n{0}\n{0}\n", rows.join("\n"))).unwrap();
    let (_, notes) = try_read(&file, &requested(RankStatistic::Max)).unwrap();
    assert!(notes.lines().any(|line| line.contains("more ranks than the communicator")));
}

/// Compares with a second reader of PICO's summaries, which only uses the names of their columns.
#[test]
fn pico() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../qt-cli/data/pico-fugaku");
    let mut expected: BTreeMap<String, Times> = BTreeMap::new();
    for file in fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_none_or(|ending| ending != "xz") {
            continue;
        }
        let mut text = String::new();
        let packed = fs::File::open(file).unwrap();
        lzma_rust2::XzReader::new(packed, true).read_to_string(&mut text).unwrap();
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap().split(',').collect();
        let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let field = |name: &str| fields[column(name)];
            let ranks =
                field("nnodes").split('x').map(|length| length.parse::<u64>().unwrap()).product::<u64>();
            let parts: Vec<&str> = field("algo_name").split('-').collect();
            let name = match parts[..] {
                [ref name @ .., segment, ports] if ports.parse::<u8>().is_ok() => {
                    let segment = if segment == "0" { String::new() } else { format!("/{segment}") };
                    format!("{}:ports={ports}{segment}", name.join("-"))
                }
                _ => field("algo_name").to_owned(),
            };
            let collective = field("collective_type").to_lowercase();
            let shares = ["allgather", "alltoall", "gather", "scatter"].contains(&&*collective);
            let total: u64 = field("buffer_size").parse().unwrap();
            assert!(!shares || total.is_multiple_of(ranks), "{line}");
            let sizes = vec![ranks, if shares { total / ranks } else { total }];
            let times = expected.entry(field("collective_type").to_lowercase()).or_default();
            assert!(times.insert((sizes, name), field("median").parse().unwrap()).is_none(), "{line}");
        }
    }
    assert_eq!(expected.len(), 8);
    for (collective, expected) in expected {
        let (measurements, _) = try_read(&folder, &for_collective(&collective)).unwrap();
        let found = times(&measurements, Statistic::Median);
        let differing = expected.iter().find(|(point, time)| found.get(*point) != Some(*time));
        assert_eq!(differing, None, "{collective}");
        assert_eq!(found.len(), expected.len(), "{collective}");
        assert_eq!(measurements.unit, Some(TimeUnit::Nanoseconds));
        let expected = match &*collective {
            "bcast" | "reduce" | "allreduce" => Basis::Buffer,
            "reduce_scatter" => Basis::Total,
            _ => Basis::Block,
        };
        assert_eq!(basis(&measurements), Some(expected), "{collective}");
    }
}

/// The result of a reader does not depend on compression or archives.
#[test]
fn packed_files_and_archives() {
    let folder = tempfile::tempdir().unwrap();
    let osu = fixed(&[("comm_size", "4"), ("method", "m")], ReadOptions::default());
    let imb = fixed(&[("method", "m")], for_collective("bcast"));
    let columns = "comm_size=ranks,msg_size=bytes,method=algorithm,time=us";
    let long = ReadOptions { columns: Columns::parse(columns).unwrap(), ..for_collective("allgather") };
    for (file, requested) in [
        ("osu/binomial_np4.txt", &osu),
        ("imb/binomial.txt", &imb),
        ("skampi/coll.sko", &for_collective("bcast")),
        ("reprompi/raw_np4.txt", &ReadOptions::default()),
        ("ompi-collectives-tuning/detail.out", &for_collective("gather")),
        ("long/times.csv", &long),
    ] {
        let plain = fs::read(data(file)).unwrap();
        let expected = times(&read(file, requested).0, Statistic::Mean);
        let packings: [(&str, Pack); 9] = [
            ("gz", gz),
            ("xz", xz),
            ("zst", zst),
            ("two.zst", two_frames),
            ("tar", tar),
            ("tar.gz", |text| gz(&tar(text))),
            ("tar.xz", |text| xz(&tar(text))),
            ("gz.tar.zst", |text| zst(&tar(&gz(text)))),
            ("bom", |text| [b"\xEF\xBB\xBF", text].concat()),
        ];
        for (ending, pack) in packings {
            let path = folder.path().join("packed").with_extension(ending);
            fs::write(&path, pack(&plain)).unwrap();
            let (measurements, _) = try_read(&path, requested).unwrap();
            assert_eq!(times(&measurements, Statistic::Mean), expected, "{file} as {ending}");
        }
    }
}

/// A folder is read completely; files of unknown formats are skipped and named.
#[test]
fn folders() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results/bcast");
    fs::create_dir_all(&results).unwrap();
    fs::copy(data("osu/binomial_np4.txt"), results.join("binomial_seg0_np4.txt")).unwrap();
    let full = fs::read(data("osu/pipeline_seg8192_np4_full.txt")).unwrap();
    fs::write(results.join("pipeline_seg8192_np4.txt"), xz(&full)).unwrap();
    fs::write(results.join("notes.txt"), "Measured on a Saturday.\n").unwrap();
    fs::write(results.join("picture.png"), [0x89, b'P', 0, 0, 0, 1]).unwrap();
    let requested =
        by_path("{collective}/{method}_seg{segment_size}_np{comm_size}.txt", ReadOptions::default());
    let (measurements, notes) = try_read(folder.path(), &requested).unwrap();
    let [note, mixed] = &notes.lines().collect::<Vec<_>>()[..] else { panic!("{notes:?}") };
    assert!(mixed.contains("binomial_seg0_np4.txt` are the mean over the ranks, those of "), "{mixed}");
    assert!(note.starts_with("files of no known format were skipped: "), "{note}");
    assert!(note.contains("notes.txt") && note.contains("picture.png"), "{note}");
    assert_times(
        &times(&measurements, Statistic::Mean),
        [
            (&[4, 1], "binomial", 1.34),
            (&[4, 1], "pipeline/8192", 2.7),
            (&[4, 1024], "binomial", 2.06),
            (&[4, 1024], "pipeline/8192", 4.05),
            (&[4, 1_048_576], "binomial", 275.19),
            (&[4, 1_048_576], "pipeline/8192", 151.5),
        ],
    );
}

/// Seconds, milliseconds and microseconds in one folder are converted to the same unit.
#[test]
fn units_are_brought_together() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(data("reprompi/raw_np4.txt"), folder.path().join("a.txt")).unwrap();
    let osu = "# OSU MPI Allreduce Latency Test v5.8\n# Size Avg Latency(us)\n32 5.00\n";
    fs::write(folder.path().join("b.txt"), osu).unwrap();
    fs::write(folder.path().join("c.csv"), "comm_size,msg_size,method,time\n4,16,m,0.004\n").unwrap();
    let requested = |time_unit| ReadOptions {
        time_unit,
        basis_in: Some(Counted::Of(Basis::Buffer)),
        ..fixed(&[("comm_size", "4"), ("method", "m")], ReadOptions::default())
    };
    let refused = try_read(folder.path(), &requested(None)).unwrap_err();
    assert!(
        refused.contains("the unit of the times is known for some files and unknown for others"),
        "{refused}"
    );
    let (measurements, _) = try_read(folder.path(), &requested(Some(TimeUnit::Milliseconds))).unwrap();
    assert_eq!(measurements.unit, Some(TimeUnit::Seconds));
    assert_times(
        &times(&measurements, Statistic::Mean),
        [
            (&[4, 8], "m", 6.125e-6),
            (&[4, 16], "m", 4.0e-6),
            (&[4, 32], "m", 5.0e-6),
            (&[4, 1024], "m", 101.375e-6 / 3.0),
        ],
    );
}

/// A launch is known by its job and its run together; a job without runs is one launch.
#[test]
fn jobs_in_paths() {
    let folder = tempfile::tempdir().unwrap();
    for (job, run) in [("71", "1"), ("71", "2"), ("72", "1")] {
        let text = "# OSU MPI Broadcast Latency Test v5.8\n# Size Avg Latency(us)\n8 4.00\n";
        fs::create_dir_all(folder.path().join(job)).unwrap();
        fs::write(folder.path().join(format!("{job}/ring_np2_run{run}.txt")), text).unwrap();
    }
    let pattern = "{job}/{method}_np{comm_size}_run{run}.txt";
    let (all, notes) = try_read(folder.path(), &by_path(pattern, ReadOptions::default())).unwrap();
    assert!(notes.is_empty());
    let runs = |all: &Measurements| -> Vec<(String, Option<String>)> {
        all.runs().map(|run| (run.to_owned(), all.jobs.of(run).map(str::to_owned))).collect()
    };
    let launch = |run: &str, job: &str| (run.to_owned(), Some(job.to_owned()));
    assert_eq!(runs(&all), [launch("71/1", "71"), launch("71/2", "71"), launch("72/1", "72")]);
    let pattern = "{job}/{method}_np{comm_size}_run1.txt";
    let (all, _) = try_read(folder.path(), &by_path(pattern, ReadOptions::default())).unwrap();
    assert_eq!(runs(&all), [launch("71", "71"), launch("72", "72")]);

    // Canonical times name the job themselves, or their path does.
    let folder = tempfile::tempdir().unwrap();
    for (job, column) in [("71", ""), ("72", ""), ("73", "job,")] {
        let own = if column.is_empty() { "" } else { "73," };
        let text =
            format!("# qtdec-times/1\n# axis n\nn,method,{column}launch,repeat,time\n1,a,{own}1,1,1\n");
        fs::create_dir_all(folder.path().join(job)).unwrap();
        fs::write(folder.path().join(format!("{job}/times.csv")), text).unwrap();
    }
    let (all, _) = try_read(folder.path(), &by_path("{job}/times.csv", ReadOptions::default())).unwrap();
    assert_eq!(runs(&all), [launch("71/1", "71"), launch("72/1", "72"), launch("1", "73")]);
}

/// The means of named runs are the times of these runs.
#[test]
fn means_of_several_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (run, time) in [("1", "4.00"), ("2", "6.00"), ("3", "5.00")] {
        let text = format!("# OSU MPI Broadcast Latency Test v5.8\n# Size Avg Latency(us)\n8 {time}\n");
        fs::write(folder.path().join(format!("ring_np2_run{run}.txt")), text).unwrap();
    }
    let (runs, notes) =
        try_read(folder.path(), &by_path("{method}_np{comm_size}_run{run}.txt", ReadOptions::default()))
            .unwrap();
    assert!(notes.is_empty());
    assert_times(&times(&runs, Statistic::Median), [(&[2, 8], "ring", 5.0)]);
    assert_times(&times(&runs, Statistic::Max), [(&[2, 8], "ring", 6.0)]);
    let (train, test) = HoldOut::Runs.split(&runs).unwrap();
    assert_times(&times(&train, Statistic::Max), [(&[2, 8], "ring", 6.0)]);
    assert_times(&times(&test, Statistic::Max), [(&[2, 8], "ring", 5.0)]);
    let (one, notes) =
        try_read(folder.path(), &by_path("{method}_np{comm_size}_run*.txt", ReadOptions::default())).unwrap();
    assert_times(&times(&one, Statistic::Mean), [(&[2, 8], "ring", 4.0)]);
    assert_eq!(notes.lines().count(), 1);
    let refused = HoldOut::Runs.split(&one).unwrap_err().to_string();
    assert!(refused.contains("the files contain statistics, not repeats"), "{refused}");
}

/// Lists the basis of sizes by format and collective; `None` if a format has no such benchmark.
#[test]
fn what_a_size_means() {
    const BLOCK: Option<Basis> = Some(Basis::Block);
    const BUFFER: Option<Basis> = Some(Basis::Buffer);
    const TOTAL: Option<Basis> = Some(Basis::Total);
    let osu = |title: &str| format!("# OSU MPI {title} Latency Test v7.4\n# Size Avg Latency(us)\n64 1.50\n");
    let imb = |name: &str| {
        let header = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]";
        format!("# Benchmarking {name}\n# #processes = 4\n{header}\n64 1000 1.50 1.50 1.50\n")
    };
    let skampi = |name: &str| {
        format!(
            "# begin result \"MPI_{name}-procs\"\nprocs= 4 64 1.5 0.1 8\n# end result \"MPI_{name}-procs\"\n"
        )
    };
    let reprompi =
        |name: &str| format!("#@nprocs=4\ntest nrep msize_bytes runtime_sec\nMPI_{name} 0 64 1.5\n");
    let tuning = |_: &str| "#Nnodes Message_size a\n4 64 1.50\n".to_owned();
    let pico = |name: &str| {
        let header = "collective_type,array_dim,buffer_size,algo_name,median,nnodes,tasks_per_node";
        format!("{header}\n{},16,64,a,1.5,4,1\n", name.to_uppercase())
    };
    let names = [
        ("bcast", "Broadcast", [BUFFER; 6]),
        ("reduce", "Reduce", [BUFFER; 6]),
        ("allreduce", "Allreduce", [BUFFER; 6]),
        ("allgather", "Allgather", [BLOCK, BLOCK, BLOCK, BLOCK, BLOCK, TOTAL]),
        ("alltoall", "All-to-All Personalized Exchange", [BLOCK, BLOCK, BLOCK, BLOCK, BLOCK, TOTAL]),
        ("gather", "Gather", [BLOCK, BLOCK, BLOCK, BLOCK, BLOCK, TOTAL]),
        ("scatter", "Scatter", [BLOCK, BLOCK, BLOCK, BLOCK, BLOCK, TOTAL]),
        ("reduce_scatter", "Reduce_scatter", [TOTAL, TOTAL, TOTAL, BLOCK, TOTAL, TOTAL]),
        ("reduce_scatter_block", "Reduce_scatter_block", [TOTAL, BLOCK, None, BLOCK, BLOCK, None]),
    ];
    for (collective, title, expected) in names {
        let capital = collective[..1].to_uppercase() + &collective[1..];
        let texts =
            [osu(title), imb(&capital), skampi(&capital), reprompi(&capital), tuning(""), pico(collective)];
        for (text, expected) in texts.into_iter().zip(expected) {
            let Some(expected) = expected else { continue };
            for requested in [None, BLOCK, TOTAL] {
                let requested = ReadOptions {
                    basis: requested,
                    ..fixed(&[("comm_size", "4"), ("method", "a")], for_collective(collective))
                };
                let read = readers::read_one("file", std::io::Cursor::new(text.clone()), &requested);
                // By default, the basis is that of the collective's signature.
                let natural = match collective {
                    "bcast" | "reduce" | "allreduce" => Basis::Buffer,
                    "reduce_scatter" => Basis::Total,
                    _ => Basis::Block,
                };
                let (size, basis_of_map) = match (expected, requested.basis.unwrap_or(natural)) {
                    (Basis::Buffer, Basis::Buffer) => (64, Basis::Buffer),
                    (Basis::Buffer, _) => {
                        assert!(read.is_err(), "{text}");
                        continue;
                    }
                    (Basis::Block, Basis::Total) => (256, Basis::Total),
                    (Basis::Total, Basis::Block) => (16, Basis::Block),
                    (_, same) => (64, same),
                };
                let (measurements, _) = read.unwrap();
                assert_eq!(basis(&measurements), Some(basis_of_map), "{text}");
                assert_eq!(
                    measurements.all_series().map(|(sizes, ..)| sizes.to_vec()).collect::<Vec<_>>(),
                    [[4, size]]
                );
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

fn zst(text: &[u8]) -> Vec<u8> {
    compress_to_vec(text, CompressionLevel::Fastest)
}

/// Returns several frames with an empty one before them, as parallel compressors write.
fn two_frames(text: &[u8]) -> Vec<u8> {
    let (first, second) = text.split_at(text.len() / 2);
    let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    [skipped.clone(), zst(first), skipped, zst(second)].concat()
}

fn tar(text: &[u8]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, "results/file", text).unwrap();
    archive.into_inner().unwrap()
}

/// The first repeats of every run are dropped, whether or not its file names the run.
#[test]
fn the_first_repeats_of_every_file_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    for (run, cold) in [("1", 90), ("2", 80), ("3", 70)] {
        let text = format!("comm_size,msg_size,method,time\n2,8,ring,{cold}\n2,8,ring,{run}\n");
        fs::write(folder.path().join(format!("run{run}.csv")), text).unwrap();
    }
    let cleaning = Cleaning { drop_first: 1, ..Cleaning::default() };
    for requested in [ReadOptions::default(), by_path("run{run}.csv", ReadOptions::default())] {
        let (measurements, _) = try_read(folder.path(), &requested).unwrap();
        assert_times(&times(&measurements, Statistic::Max), [(&[2, 8], "ring", 90.0)]);
        let clean = cleaning.apply(measurements);
        assert_times(&times(&clean, Statistic::Min), [(&[2, 8], "ring", 1.0)]);
        assert_times(&times(&clean, Statistic::Max), [(&[2, 8], "ring", 3.0)]);
    }
}

/// Rows that differ in a condition of the measurement are not repeats of each other.
#[test]
fn unnamed_columns() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file
    };
    let reported = |file: &Path, requested: &ReadOptions| {
        try_read(file, requested).map(|(read, notes)| (read, notes.lines().collect::<Vec<_>>()))
    };
    let header = "comm_size,msg_size,method,ppn,host,iteration,time";
    let rows = "4,8,ring,1,n1,0,1\n4,8,ring,1,n2,1,2\n4,8,ring,2,n1,0,9\n4,16,ring,4,n1,0,3\n";
    let file = write("ppn.csv", &format!("{header}\n{rows}"));
    let refused = try_read(&file, &ReadOptions::default()).unwrap_err();
    assert!(refused.starts_with("`ppn` changes among the times of one method at one point"), "{refused}");
    assert_eq!(refused.lines().count(), 1, "{refused}");

    // These are the remedies that the message offers.
    let host = [
        "the column `host` names hosts or jobs: rows of one point and method that differ in it count as repeats",
    ];
    let requested =
        ReadOptions { filters: vec![("ppn".to_owned(), "1".to_owned())], ..ReadOptions::default() };
    let (chosen, notes) = reported(&file, &requested).unwrap();
    assert_times(&times(&chosen, Statistic::Max), [(&[4, 8], "ring", 2.0)]);
    assert_eq!(notes, host);
    let columns = Columns::parse("comm_size=comm_size,msg_size=msg_size,ppn=ppn").unwrap();
    let (axis, _) = reported(&file, &ReadOptions { columns, ..ReadOptions::default() }).unwrap();
    assert_times(
        &times(&axis, Statistic::Max),
        [(&[4, 8, 1], "ring", 2.0), (&[4, 8, 2], "ring", 9.0), (&[4, 16, 4], "ring", 3.0)],
    );
    let requested =
        ReadOptions { repeats: vec!["ppn".to_owned(), "host".to_owned()], ..ReadOptions::default() };
    let (pooled, notes) = reported(&file, &requested).unwrap();
    assert_times(&times(&pooled, Statistic::Median), [(&[4, 8], "ring", 2.0), (&[4, 16], "ring", 3.0)]);
    assert_eq!(notes, [""; 0]);
    let requested = ReadOptions { repeats: vec!["pnn".to_owned()], ..ReadOptions::default() };
    assert!(try_read(&file, &requested).unwrap_err().contains("there is no column `pnn`"));

    // Times are no axes; what else a column is, only the user knows.
    let columns = Columns::parse("n=n,method=method,time=real_ns").unwrap();
    let requested = ReadOptions { columns, ..ReadOptions::default() };
    for (column, help) in [
        ("cpu_ns", "it is measured: name it in place of the time, or pool its rows with --repeat cpu_ns"),
        ("in_place", "name it in --columns as an axis or, joined by `+`, a part of the method"),
    ] {
        let text = format!("n,method,real_ns,{column}\n8,a,15,0\n8,a,16,1\n");
        let refused = try_read(&write("flag.csv", &text), &requested).unwrap_err();
        assert!(refused.contains(help), "{refused}");
    }

    // A column that is constant at every point and method is not a condition, nor is one with a single value.
    let alike = "4,8,ring,1,n1,0,1\n4,8,ring,1,n1,1,2\n4,8,tree,2,n1,0,9\n8,8,ring,2,n1,0,3\n";
    assert!(
        reported(&write("alike.csv", &format!("{header}\n{alike}")), &ReadOptions::default())
            .unwrap()
            .1
            .is_empty()
    );

    // Each file contains only one value.
    let several = folder.path().join("several");
    fs::create_dir(&several).unwrap();
    for (ppn, time) in [(1, 2), (2, 9), (4, 30)] {
        let text = format!("comm_size,msg_size,method,ppn,time\n4,8,ring,{ppn},{time}\n");
        fs::write(several.join(format!("{ppn}.csv")), text).unwrap();
    }
    let refused = try_read(&several, &ReadOptions::default()).unwrap_err();
    assert!(
        refused.contains("it is `2` here, and was different at comm_size=4 msg_size=8 of `ring`"),
        "{refused}"
    );
    assert_eq!(refused.lines().count(), 1, "once for all files: {refused}");

    // Segment sizes and runs in columns with these names are read.
    let text = "comm_size,msg_size,method,segment_size,run,time\n4,8,chain,0,a,2\n4,8,chain,1024,a,9\n4,8,chain,0,b,3\n";
    let (segments, notes) = reported(&write("segments.csv", text), &ReadOptions::default()).unwrap();
    assert_times(&times(&segments, Statistic::Max), [(&[4, 8], "chain", 3.0), (&[4, 8], "chain/1024", 9.0)]);
    assert_eq!(segments.runs().collect::<Vec<_>>(), ["a", "b"]);
    assert!(notes.is_empty(), "{notes:?}");
}

/// The programs of CHiArA count like the argument `count` of the call, except for the first of them.
#[test]
fn chiara_counts_by_collective_and_program() {
    let text = |algorithm: &str| {
        format!("algorithm_name,k,b,nprocs,send_count,time,is_correct\n{algorithm},0,0,4,16,0.5,1\n")
    };
    let read = |algorithm: &str, requested: ReadOptions| {
        let requested = ReadOptions { element_size: Some(4), ..requested };
        let file = std::io::Cursor::new(text(algorithm));
        let (measurements, _) = readers::read_one("file", file, &requested).unwrap();
        let sizes: Vec<Vec<u64>> = measurements.all_series().map(|(sizes, ..)| sizes.to_vec()).collect();
        (sizes[0][1], basis(&measurements))
    };
    let block = |size| (size, Some(Basis::Block));
    for (algorithm, collective, expected) in [
        ("allgather_radix_batch", "allgather", block(64)),
        ("allgather_standard", "allgather", block(64)),
        ("MPICH_reduce_scatter_radix", "reduce_scatter_block", block(16)),
        ("MPI_Reduce_scatter_block", "reduce_scatter_block", block(16)),
        ("reduce_scatter_radix_batch", "reduce_scatter_block", block(64)),
        ("reduce_scatter_standard", "reduce_scatter", (256, Some(Basis::Total))),
        ("all_reduce_radix_batch", "allreduce", (256, Some(Basis::Buffer))),
        ("MPICH_allreduce", "allreduce", (256, Some(Basis::Buffer))),
        ("tuna", "alltoall", (64, None)),
    ] {
        assert_eq!(read(algorithm, for_collective(collective)), expected, "{algorithm}");
    }
    // The names of the algorithms tell the collective, so nothing changes if the user names it as well.
    let untold = |algorithm| read(algorithm, ReadOptions::default());
    assert_eq!(untold("MPICH_reduce_scatter_radix"), block(16));
    assert_eq!(untold("reduce_scatter_radix_batch"), block(64));
    assert_eq!(untold("MPICH_allreduce"), (256, Some(Basis::Buffer)));
    // Sizes are converted only if the collective is known.
    assert_eq!(untold("tuna"), (64, None));
}

/// Files of any format may count the share of one rank, which becomes the argument of the call.
#[test]
fn sizes_that_count_the_share_of_a_rank() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file
    };
    let csv = write("t.csv", "comm_size,msg_size,method,time\n4,8,ring,1\n2,16,ring,2\n");
    let imb = write(
        "imb.txt",
        "# Benchmarking Allreduce\n# #processes = 4\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n\
         8 1000 1.00 1.50 1.25\n\n",
    );
    let share = |requested| ReadOptions { basis_in: Some(Counted::Share), ..requested };
    let read = |file: &Path, requested: ReadOptions| {
        let (measurements, _) = try_read(file, &share(requested)).unwrap();
        let sizes: Vec<Vec<u64>> = measurements.all_series().map(|(sizes, ..)| sizes.to_vec()).collect();
        (sizes, basis(&measurements).unwrap())
    };
    let (buffer, block) = (vec![vec![4, 32], vec![2, 32]], vec![vec![4, 8], vec![2, 16]]);
    assert_eq!(read(&csv, for_collective("allreduce")), (buffer.clone(), Basis::Buffer));
    assert_eq!(read(&csv, for_collective("reduce_scatter")), (buffer.clone(), Basis::Total));
    assert_eq!(read(&csv, for_collective("allgather")), (block, Basis::Block));
    assert_eq!(read(&csv, ReadOptions::default()), (buffer.clone(), Basis::Buffer));
    let total = ReadOptions { basis: Some(Basis::Total), ..for_collective("allgather") };
    assert_eq!(read(&csv, total), (buffer, Basis::Total));
    let ring = || fixed(&[("method", "ring")], ReadOptions::default());
    assert_eq!(read(&imb, ring()), (vec![vec![4, 32]], Basis::Buffer));

    // Without the number of ranks the share cannot be converted, and it is no basis of a map.
    let lone = write("lone.csv", "msg_size,method,time,n\n8,ring,1,4\n");
    let columns = Columns::parse("msg_size=msg_size,n=n").unwrap();
    let refused =
        try_read(&lone, &share(ReadOptions { columns, ..for_collective("allreduce") })).unwrap_err();
    assert!(refused.contains("the basis can only change if comm_size and msg_size are axes"), "{refused}");
    let large = write("large.csv", "comm_size,msg_size,method,time\n4,18446744073709551615,ring,1\n");
    let refused = try_read(&large, &share(for_collective("allreduce"))).unwrap_err();
    assert!(refused.contains("times 4 ranks are more than a size can be"), "{refused}");
}

/// Bytes that cannot be divided among the ranks are an error, which names the option that keeps them.
#[test]
fn totals_that_cannot_be_shared() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scatter.csv");
    fs::write(&file, "comm_size,msg_size,method,time\n3,6,a,1\n3,8,a,1\n").unwrap();
    let requested =
        |basis| ReadOptions { basis_in: Some(Counted::Of(Basis::Total)), basis, ..for_collective("scatter") };
    let refused = try_read(&file, &requested(None)).unwrap_err();
    assert!(
        refused.starts_with("8 bytes cannot be divided evenly among 3 ranks (")
            && refused.contains("--basis total keeps"),
        "{refused}"
    );
    let (kept, _) = try_read(&file, &requested(Some(Basis::Total))).unwrap();
    assert_times(&times(&kept, Statistic::Median), [(&[3, 6], "a", 1.0), (&[3, 8], "a", 1.0)]);
}

/// Covers tables separated by blanks, with names in the first row, in a comment, or nowhere, and with units in the
/// names.
#[test]
fn tables_of_blanks_and_without_names() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| {
        let file = folder.path().join("t.txt");
        fs::write(&file, text).unwrap();
        file
    };
    let rows = "2 8 ring 1.5\n2 8 tree 2.5\n4 1048576 ring 90\n4 1048576 tree 70\n";
    let expected: [(&[u64], &str, f64); 4] = [
        (&[2, 8], "ring", 1.5),
        (&[2, 8], "tree", 2.5),
        (&[4, 1_048_576], "ring", 90.0),
        (&[4, 1_048_576], "tree", 70.0),
    ];
    let numbers = Columns::parse("comm_size=1,msg_size=2,method=3,time=4").unwrap();
    let numbered = ReadOptions { columns: numbers, ..ReadOptions::default() };
    for (text, requested, unit) in [
        (format!("comm_size msg_size method time\n{rows}"), ReadOptions::default(), None),
        (
            format!("# np bytes alg usec\n# Comm_Size  Msg_Size(B)  Method  Time(us)\n{rows}"),
            ReadOptions::default(),
            Some(TimeUnit::Microseconds),
        ),
        (
            format!("  comm_size\tmsg_size   method  time_ns\n{rows}").replace(' ', "   "),
            ReadOptions::default(),
            Some(TimeUnit::Nanoseconds),
        ),
        (rows.to_owned(), numbered.clone(), None),
        (rows.replace(' ', ","), numbered.clone(), None),
        (format!("# measured on a Friday\n\n{rows}"), numbered, None),
    ] {
        let (read, _) = try_read(&write(&text), &requested).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_times(&times(&read, Statistic::Median), expected);
        assert_eq!(read.unit, unit, "{text}");
    }

    let refused = try_read(&write(rows), &for_collective("bcast")).unwrap_err();
    assert!(refused.contains("the first row is not a header"), "{refused}");
    assert!(refused.contains("1 (2), 2 (8), 3 (ring), 4 (1.5)"), "{refused}");
    let file = write("algorithm nprocs bytes Avg_Latency(us)\nring 2 8 1.5\ntree 2 8 2.5\n");
    let refused = try_read(&file, &ReadOptions::default()).unwrap_err();
    let columns = "comm_size=nprocs,msg_size=bytes,method=algorithm,time=Avg_Latency(us)";
    let shown = "algorithm (ring), nprocs (2), bytes (8), Avg_Latency(us) (1.5)";
    assert!(refused.contains(shown), "{refused}");
    assert_eq!(refused.lines().count(), 1, "one message for four columns: {refused}");
    let requested = ReadOptions { columns: Columns::parse(columns).unwrap(), ..ReadOptions::default() };
    let (read, _) = try_read(&file, &requested).unwrap();
    assert_eq!(read.unit, Some(TimeUnit::Microseconds));
    let (read, notes) =
        try_read(&file, &ReadOptions { time_unit: Some(TimeUnit::Milliseconds), ..requested }).unwrap();
    assert_eq!((read.unit, notes.lines().count()), (Some(TimeUnit::Milliseconds), 1));

    let (read, _) =
        try_read(&write("comm_size,Msg_Size (KiB),method,time\n2,4,a,1\n"), &ReadOptions::default()).unwrap();
    assert_times(&times(&read, Statistic::Median), [(&[2, 4096], "a", 1.0)]);
}

/// Values that programs write if there is no time are counted, and are not errors.
#[test]
fn times_that_are_missing() {
    let missing = ["a time that is blank, 0, NaN, NA or - was treated as missing (3 times)"];
    let folder = tempfile::tempdir().unwrap();
    let reported = |name: &str, text: &str, requested: &ReadOptions| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let (read, notes) = try_read(&file, requested).unwrap();
        (times(&read, Statistic::Mean), notes.lines().collect::<Vec<_>>())
    };
    let csv = "comm_size,msg_size,method,time\n2,8,a,\n2,8,a,0.0\n2,8,a,nan\n2,8,a,3\n";
    let (found, notes) = reported("a.csv", csv, &ReadOptions::default());
    assert_times(&found, [(&[2, 8], "a", 3.0)]);
    assert_eq!(notes, missing);
    let osu = "# OSU MPI Broadcast Latency Test v5.8\n# Size Avg Latency(us)\n1 0.00\n2 nan\n4 0\n8 3.00\n";
    let (found, notes) =
        reported("a.txt", osu, &fixed(&[("comm_size", "2"), ("method", "a")], ReadOptions::default()));
    assert_times(&found, [(&[2, 8], "a", 3.0)]);
    assert_eq!(notes, missing);
}

/// Covers PICO's raw times: the file name contains the size and the algorithm, the columns contain the ranks.
#[test]
fn pico_iteration_by_iteration() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("allgather/data");
    fs::create_dir_all(&data).unwrap();
    for (name, times) in [("16_ring_ompi_int32", [300, 100, 200]), ("16_bruck_64_int32", [500, 500, 700])] {
        let rows = times.map(|time| format!("{time},{time},7\n")).concat();
        fs::write(data.join(format!("{name}.csv")), format!("highest,rank0,rank1\n{rows}")).unwrap();
    }
    let (read, notes) =
        try_read(folder.path(), &by_path("{collective}/data/*.csv", ReadOptions::default())).unwrap();
    assert_eq!((read.collective.as_deref(), read.unit), (Some("allgather"), Some(TimeUnit::Nanoseconds)));
    assert_eq!((basis(&read), notes.lines().count()), (Some(Basis::Block), 0));
    // The size is 64 bytes for both ranks.
    let expected: [(&[u64], &str, f64); 2] = [(&[2, 32], "bruck/64", 500.0), (&[2, 32], "ring_ompi", 200.0)];
    assert_times(&times(&read, Statistic::Median), expected);

    // The file has no columns of ranks, and another name.
    let alone = folder.path().join("alone.csv");
    fs::write(&alone, "highest\n300\n100\n\n").unwrap();
    let refused = try_read(&alone, &for_collective("bcast")).unwrap_err();
    assert!(refused.contains("neither the file nor its name specifies `comm_size`"), "{refused}");
    let reported = [("comm_size", "8"), ("msg_size", "64"), ("method", "knomial")];
    let (read, _) = try_read(&alone, &fixed(&reported, for_collective("bcast"))).unwrap();
    assert_times(&times(&read, Statistic::Mean), [(&[8, 64], "knomial", 200.0)]);
}

/// The programs for GPUs describe the rows in a line after them.
#[test]
fn pico_on_gpus() {
    let folder = tempfile::tempdir().unwrap();
    let summary = "-> Buffer: 2048 byte - 1.52588e-05 Gib - 2KiB, verifier: 61440, Latency: 6.33112e-05, Bandwidth: 0.45\n";
    for (name, summary) in [("2048_allreduce_nccl_tree", summary), ("2048_allreduce_hier_bw_mpi", "")] {
        fs::write(folder.path().join(format!("{name}.csv")), format!("highest\n0\n300\n100\n{summary}"))
            .unwrap();
    }
    let by_name = by_path("{msg_size}_{collective}_{method}.csv", ReadOptions::default());
    let (read, notes) = try_read(folder.path(), &fixed(&[("comm_size", "8")], by_name.clone())).unwrap();
    let expected: [(&[u64], &str, f64); 2] =
        [(&[8, 2048], "hier_bw_mpi", 200.0), (&[8, 2048], "nccl_tree", 200.0)];
    assert_times(&times(&read, Statistic::Median), expected);
    let notes: Vec<String> = notes.lines().collect();
    assert!(notes.iter().all(|note| note.contains("treated as missing")), "{notes:?}");
    // Any other line that is no time is a fault.
    fs::write(folder.path().join("2048_allreduce_ring.csv"), "highest\n300\nBuffer: 2048 byte\n").unwrap();
    let refused = try_read(folder.path(), &fixed(&[("comm_size", "8")], by_name)).unwrap_err();
    assert!(refused.contains("a time above 0"), "{refused}");
}

/// The argument of a function is an axis; the path can name several axes instead.
#[test]
fn criterion_and_divan() {
    let folder = tempfile::tempdir().unwrap();
    let header =
        "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count";
    for (function, value, each) in
        [("merge", 64, 10), ("merge", 1024, 90), ("radix", 64, 30), ("radix", 1024, 50)]
    {
        let new = folder.path().join(format!("criterion/sort/{function}/{value}/new"));
        fs::create_dir_all(&new).unwrap();
        let rows = [1, 2, 3]
            .map(|calls| format!("sort,{function},{value},,,{},ns,{calls}\n", each * calls))
            .concat();
        fs::write(new.join("raw.csv"), format!("{header}\n{rows}")).unwrap();
        fs::write(new.join("estimates.json"), "{}").unwrap();
        let base = new.with_file_name("base");
        fs::create_dir_all(&base).unwrap();
        fs::copy(new.join("raw.csv"), base.join("raw.csv")).unwrap();
    }
    let expected: [(&[u64], &str, f64); 4] =
        [(&[64], "merge", 10.0), (&[64], "radix", 30.0), (&[1024], "merge", 90.0), (&[1024], "radix", 50.0)];
    for (requested, axis) in [
        (ReadOptions::default(), "value"),
        (by_path("{method}/{n}/new/raw.csv", ReadOptions::default()), "n"),
        (ReadOptions { columns: Columns::parse("len=value").unwrap(), ..ReadOptions::default() }, "len"),
    ] {
        let (read, notes) = try_read(&folder.path().join("criterion"), &requested).unwrap();
        let notes: Vec<String> = notes.lines().collect();
        assert!(
            notes.iter().any(|note| note.contains("were skipped") && note.contains("/base/")),
            "{notes:?}"
        );
        assert!(read.all_series().all(|(_, _, series)| series.repeats().len() == 3));
        assert_eq!(read.axes().iter().map(|axis| &*axis.name).collect::<Vec<_>>(), [axis]);
        assert_eq!(read.unit, Some(TimeUnit::Nanoseconds));
        assert_times(&times(&read, Statistic::Median), expected);
    }

    let (read, _) = read("divan/sorts.txt", &ReadOptions::default());
    assert_times(&times(&read, Statistic::Median), expected);
    assert_eq!(times(&read, Statistic::Max)[&(vec![1024], "merge".to_owned())], 1200.0);
    // The path names several axes, the file none.
    let flat = "b  fastest │ slowest │ median │ mean │ samples │ iters\n╰─ merge  9 ns │ 12 ns │ 10 ns │ 10.5 ns │ 100 │ 100\n";
    fs::write(folder.path().join("n64_threads8.txt"), flat).unwrap();
    let requested = by_path("n{n}_threads{threads}.txt", ReadOptions::default());
    let (read, notes) = try_read(folder.path(), &requested).unwrap();
    assert_times(&times(&read, Statistic::Median), [(&[64, 8], "merge", 10.0)]);
    let notes: Vec<String> = notes.lines().collect();
    assert!(notes.iter().any(|note| note.starts_with("files whose paths do not fit")), "{notes:?}");
}

/// Covers tables of other programs in long form: axes of the path replace those that the file lacks.
#[test]
fn axes_of_the_path_replace_those_of_mpi() {
    let folder = tempfile::tempdir().unwrap();
    for (n, time) in [(8, 1), (16, 3)] {
        fs::write(folder.path().join(format!("sort_{n}.csv")), format!("method,time\nmerge,{time}\n"))
            .unwrap();
    }
    fs::write(folder.path().join("readme.csv"), "a,b\n1,2\n").unwrap();
    let (read, notes) = try_read(folder.path(), &by_path("sort_{n}.csv", ReadOptions::default())).unwrap();
    assert_times(&times(&read, Statistic::Median), [(&[8], "merge", 1.0), (&[16], "merge", 3.0)]);
    let notes: Vec<String> = notes.lines().collect();
    assert!(
        matches!(&notes[..], [note] if note.contains("was skipped") && note.contains("readme.csv")),
        "{notes:?}"
    );
    let refused = try_read(folder.path(), &by_path("{method}-{n}.csv", ReadOptions::default())).unwrap_err();
    assert!(
        refused.starts_with("no path matches `{method}-{n}.csv`") && refused.lines().count() == 1,
        "{refused}"
    );
}

/// The output of the tests of NCCL, in the layouts of 2.18, 2.9 and 1.0.
#[test]
fn nccl_tests() {
    let method = |name: &str| fixed(&[("method", name)], ReadOptions::default());
    let new = data("nccl-tests/2.18.txt");
    let (measured, notes) = read("nccl-tests/2.18.txt", &method("ring"));
    assert_eq!((measured.collective.as_deref(), basis(&measured)), (Some("allreduce"), Some(Basis::Buffer)));
    assert_eq!(measured.unit, Some(TimeUnit::Microseconds));
    let expected: [(&[u64], &str, f64); 2] = [(&[4, 8], "ring", 12.1), (&[4, 1 << 20], "ring", 44.0)];
    assert_times(&times(&measured, Statistic::Mean), expected);
    assert!(notes.iter().any(|note| note.contains("wrong results")), "{notes:?}");
    // The times of calls in place, whose results were right in the third row.
    let columns = |time: &str| Columns { time: Some(time.to_owned()), ..Columns::default() };
    let in_place = ReadOptions { columns: columns("in-place"), ..method("ring") };
    let expected: [(&[u64], &str, f64); 3] =
        [(&[4, 8], "ring", 11.9), (&[4, 1 << 20], "ring", 43.0), (&[4, 1 << 21], "ring", 59.0)];
    assert_times(&times(&read("nccl-tests/2.18.txt", &in_place).0, Statistic::Mean), expected);
    let refused = try_read(&new, &ReadOptions { columns: columns("busbw"), ..method("ring") }).unwrap_err();
    assert!(refused.contains("--columns time=in-place"), "{refused}");

    // The method that the environment forces, the program of the command, and the time stamps of each row.
    let (logged, _) = read("nccl-tests/logged.txt", &ReadOptions::default());
    assert_eq!((logged.collective.as_deref(), basis(&logged)), (Some("allgather"), Some(Basis::Block)));
    assert_times(&times(&logged, Statistic::Mean), [(&[4, 8], "ring_ll128", 12.1)]);

    // Up to 2.12 the columns depend on the program, and an error follows the bandwidths; it is never the time.
    let old = data("nccl-tests/2.9.txt");
    let ring = |collective: &str| ReadOptions { collective: Some(collective.to_owned()), ..method("ring") };
    let (measured, _) = read("nccl-tests/2.9.txt", &ring("alltoall"));
    assert_times(&times(&measured, Statistic::Mean), [(&[2, 8], "ring", 14.25)]);
    let refused = try_read(&old, &ReadOptions { format: Some("csv".to_owned()), ..ReadOptions::default() });
    assert!(!refused.unwrap_err().contains("time="), "no column without a name is suggested as the time");
    let nameless = try_read(&old, &ReadOptions::default()).unwrap_err();
    assert!(nameless.contains("the file does not name the method"), "{nameless}");

    // Version 1 prints milliseconds.
    let (first, _) = read("nccl-tests/1.0.txt", &ring("allreduce"));
    assert_eq!(first.unit, Some(TimeUnit::Milliseconds));
    assert_times(&times(&first, Statistic::Mean), [(&[2, 8], "ring", 0.025)]);
}

/// Runs of the tests of NCCL that did not measure what they print, or not all of it.
#[test]
fn nccl_tests_that_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(data("nccl-tests/2.18.txt")).unwrap();
    let (unlisted, _): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| !line.contains("Rank"));
    let (before, _) = text.split_once("           8 ").unwrap();
    let requested = fixed(&[("method", "ring")], for_collective("allreduce"));
    for (name, text, fault) in [
        ("alone", text.replace("Rank  1", "Rank  0"), "two processes are rank 0"),
        ("split", text.replace("Rank  1 Group  0", "Rank  1 Group  1"), "several groups"),
        ("processor", text.replace("   time", "cputime"), "those of the processor"),
        ("unlisted", unlisted.join("\n"), "does not list the ranks"),
        ("cut", format!("{before}  8  2  float  sum\n"), "the row has 4 entries"),
    ] {
        let file = folder.path().join(name).with_extension("txt");
        fs::write(&file, text).unwrap();
        let refused = try_read(&file, &requested).unwrap_err();
        assert!(refused.contains(fault), "{name}: {refused}");
    }
}

/// A rate as a time would make the slowest method win.
#[test]
fn rates_are_no_times() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.csv");
    let read = |name: &str, others: &str, time: &str| {
        let names = if others.is_empty() { String::new() } else { format!(",{others}") };
        let values = if others.is_empty() { "" } else { ",7" };
        let text = format!("n,method,\"{name}\"{names}\n8,slow,10{values}\n8,fast,90{values}\n");
        fs::write(&file, text).unwrap();
        let columns = Columns::parse(&format!("n=n,method=method{time}")).unwrap();
        try_read(&file, &ReadOptions { columns, ..ReadOptions::default() }).map(|(read, _)| read.unit)
    };
    for rate in [
        "ops_per_second",
        "throughput_MBps",
        "ops/s",
        "GB/s",
        "bandwidth",
        "busbw",
        "GFLOPS",
        "iops",
        "rate",
        "Bandwidth (MB/s)",
        "mean (ops/s)",
    ] {
        let refused = read(rate, "", &format!(",time={rate}")).unwrap_err();
        assert!(refused.contains(&format!("`{rate}` holds rates, not times")), "{refused}");
        assert!(refused.contains("no column is called like a time"), "{refused}");
        let refused = read(rate, "latency_us", &format!(",time={rate}")).unwrap_err();
        assert!(
            refused.contains("columns called like times are latency_us: --columns 'time=latency_us'"),
            "{refused}"
        );
    }
    // A column called `time` is found without an option, whatever its unit.
    let refused = read("time (ops/s)", "", "").unwrap_err();
    assert!(refused.contains("`time (ops/s)` holds rates"), "{refused}");
    for (time, unit) in [
        ("latency_us", Some(TimeUnit::Microseconds)),
        ("s/op", Some(TimeUnit::Seconds)),
        ("ns/iter", Some(TimeUnit::Nanoseconds)),
        ("seconds_per_op", Some(TimeUnit::Seconds)),
        ("time/s", Some(TimeUnit::Seconds)),
        ("time_per_op", None),
        ("cost", None),
    ] {
        assert_eq!(read(time, "", &format!(",time={time}")), Ok(unit), "{time}");
    }
}

/// The times of several machines are not pooled unless the user says so.
#[test]
fn several_machines() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    };
    let header = "comm_size,msg_size,method,cluster,time";
    // No point has times of both, but the map would.
    let text = format!("{header}\n4,8,ring,leonardo,1\n4,16,ring,lumi,2\n");
    let file = write("t.csv", &text);
    let refused = try_read(&file, &ReadOptions::default()).unwrap_err();
    assert!(
        refused.contains("2 machines by the column `cluster`: `leonardo`, `lumi`")
            && refused.contains(
                "--where 'cluster=leonardo' or --where 'cluster=lumi', or pool them with --repeat cluster"
            ),
        "{refused}"
    );
    // These are the remedies that the message offers.
    let filters = vec![("cluster".to_owned(), "lumi".to_owned())];
    let (one, _) = try_read(&file, &ReadOptions { filters, ..ReadOptions::default() }).unwrap();
    assert_times(&times(&one, Statistic::Median), [(&[4, 16], "ring", 2.0)]);
    let repeats = vec!["cluster".to_owned()];
    let (pooled, _) = try_read(&file, &ReadOptions { repeats, ..ReadOptions::default() }).unwrap();
    assert_times(&times(&pooled, Statistic::Median), [(&[4, 8], "ring", 1.0), (&[4, 16], "ring", 2.0)]);
    // A column is no less a machine's if it is part of the method, or the same in all rows.
    let columns = Columns::parse("method=method+cluster").unwrap();
    assert!(try_read(&file, &ReadOptions { columns, ..ReadOptions::default() }).is_ok());
    assert!(try_read(&write("one.csv", &text.replace("lumi", "leonardo")), &ReadOptions::default()).is_ok());

    // Hosts of one machine differ in digits alone.
    let hosts = |one: &str, other: &str| {
        let text = format!("comm_size,msg_size,method,host,time\n4,8,ring,{one},1\n4,16,ring,{other},2\n");
        try_read(&write("hosts.csv", &text), &ReadOptions::default())
    };
    assert!(hosts("nid00017", "nid01234").is_ok());
    assert!(hosts("n1.hawk.de", "n1.juwels.de").unwrap_err().contains("2 machines by the column `host`"));

    // Folders and archives.
    let csv = |size: u64| format!("comm_size,msg_size,method,time\n4,{size},ring,{size}\n");
    let several = folder.path().join("results");
    for (name, size) in [("Aurora/run1/a.csv", 8), ("Aurora/run2/b.csv", 16), ("Polaris/run1/c.csv", 32)] {
        write(&format!("results/{name}"), &csv(size));
    }
    let refused = try_read(&several, &ReadOptions::default()).unwrap_err();
    assert!(
        refused.contains("perhaps of several machines: `Aurora`, `Polaris`")
            && refused.contains("--path 'Aurora/**'")
            && refused.contains("--path '{run}/**'"),
        "{refused}"
    );
    let (one, _) = try_read(&several, &by_path("Aurora/**", ReadOptions::default())).unwrap();
    assert_times(&times(&one, Statistic::Median), [(&[4, 8], "ring", 8.0), (&[4, 16], "ring", 16.0)]);
    let refused = try_read(&several, &by_path("*.csv", ReadOptions::default())).unwrap_err();
    assert!(refused.contains("--path 'Aurora/*/*.csv'"), "{refused}");
    let (runs, _) = try_read(&several, &by_path("results/{run}/**", ReadOptions::default())).unwrap();
    assert_eq!(runs.runs().collect::<Vec<_>>(), ["Aurora", "Polaris"]);
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_dir_all("results", &several).unwrap();
    let packed = folder.path().join("results.tar");
    fs::write(&packed, archive.into_inner().unwrap()).unwrap();
    assert!(try_read(&packed, &ReadOptions::default()).unwrap_err().contains("`Aurora`, `Polaris`"));
    // Runs and methods may have folders.
    assert!(try_read(&several.join("Aurora"), &ReadOptions::default()).is_ok());
    let (methods, _) = try_read(
        &several,
        &by_path("{method}/*/*.csv", ReadOptions { columns: Columns::default(), ..ReadOptions::default() }),
    )
    .unwrap();
    assert_eq!(methods.methods().count(), 2);

    // Headers.
    for machine in ["x86_64", "aarch64"] {
        let text = format!(
            "#    Intel(R) MPI Benchmarks 2021.8, MPI-1 part\n# Machine               : {machine}\n# Benchmarking Bcast\n\
             # #processes = 2\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 1000 1.00 1.50 1.25\n\n"
        );
        write(&format!("imb/{machine}.txt"), &text);
    }
    let ring = fixed(&[("method", "ring")], ReadOptions::default());
    let refused = try_read(&folder.path().join("imb"), &ring).unwrap_err();
    assert!(refused.contains("2 machines by the headers of the files: `aarch64`, `x86_64`"), "{refused}");
    let repeats = vec!["machine".to_owned()];
    assert!(try_read(&folder.path().join("imb"), &ReadOptions { repeats, ..ring }).is_ok());
}
