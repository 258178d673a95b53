//! Times of several collectives are never mixed, in any format and whatever names the collective.

use std::fs;
use std::path::Path;

use qtdec_core::Syntax;
use qtdec_study::measurements::{Measurements, Statistic, TimeUnit};
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, PathPattern, ReadOptions, format_names};
use tempfile::TempDir;

/// A format, with a function that writes one time of one collective on 2 ranks.
struct Format {
    name: &'static str,
    /// Whether the content names the collective.
    tells: bool,
    text: fn(collective: &str, time: f64) -> String,
}

/// Every format, and both kinds of CSV.
const FORMATS: [Format; 16] = [
    Format {
        name: "osu",
        tells: true,
        text: |collective, time| {
            let title = if collective == "bcast" { "Broadcast" } else { "Scatter" };
            format!("# OSU MPI {title} Latency Test v7.3\n# Size Avg Latency(us)\n8 {time:.2}\n")
        },
    },
    Format {
        name: "imb",
        tells: true,
        text: |collective, time| {
            let title = if collective == "bcast" { "Bcast" } else { "Scatter" };
            format!(
                "# Benchmarking {title}\n# #processes = 2\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n\
                 8 1000 1.00 {time:.2} {time:.2}\n\n"
            )
        },
    },
    Format {
        name: "skampi",
        tells: true,
        text: |collective, time| {
            let name = if collective == "bcast" { "MPI_Bcast-procs" } else { "MPI_Scatter-procs" };
            format!("# begin result \"{name}\"\nprocs= 2 8 {time:.1} 0.1 16\n# end result \"{name}\"\n")
        },
    },
    Format {
        name: "reprompi",
        tells: true,
        text: |collective, time| {
            let name = if collective == "bcast" { "MPI_Bcast" } else { "MPI_Scatter" };
            format!("#@nprocs=2\ntest nrep msize_bytes runtime_sec\n{name} 0 8 {:.9}\n", time * 1e-6)
        },
    },
    Format {
        name: "pico",
        tells: true,
        text: |collective, time| {
            let (name, ns) = (collective.to_uppercase(), time * 1e3);
            let statistics = ["mean", "median", "min", "max"].join(",");
            let percentiles = ["10", "25", "75", "90"].map(|part| format!("percentile_{part}")).join(",");
            let times = vec![ns.to_string(); 8].join(",");
            format!(
                "collective_type,array_dim,buffer_size,algo_name,nnodes,tasks_per_node,{statistics},{percentiles}\n\
                 {name},2,8,ring,2,1,{times}\n"
            )
        },
    },
    Format {
        name: "csv",
        tells: true,
        text: |collective, time| {
            format!("collective,comm_size,msg_size,method,time\n{collective},2,8,ring,{time}\n")
        },
    },
    Format {
        name: "csv",
        tells: false,
        text: |_, time| format!("comm_size,msg_size,method,time\n2,8,ring,{time}\n"),
    },
    Format {
        name: "pico-iterations",
        tells: false,
        text: |_, time| format!("highest,rank0,rank1\n{0},{0},1\n", time * 1e3),
    },
    Format {
        name: "criterion",
        tells: false,
        text: |_, time| {
            let header = "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count";
            format!("{header}\nall,ring,8,,,{},ns,4\n", time * 4e3)
        },
    },
    Format {
        name: "divan",
        tells: false,
        text: |_, time| {
            let cells = vec![format!("{time} µs"); 4].join(" │ ");
            format!("all  fastest │ slowest │ median │ mean │ samples │ iters\n╰─ ring  {cells} │ 1 │ 1\n")
        },
    },
    Format {
        name: "chiara",
        tells: false,
        text: |_, time| {
            format!(
                "algorithm_name,k,b,nprocs,send_count,time,is_correct\nring,0,0,2,8,{:.9},1\n",
                time * 1e-6
            )
        },
    },
    Format {
        name: "ompi-collectives-tuning",
        tells: false,
        text: |_, time| format!("#Nnodes    Message_size ring\n2 8 {time:.2}(0.10)\n"),
    },
    Format {
        name: "canonical",
        tells: true,
        text: |collective, time| {
            format!(
                "# qtdec-times/1\n# axis comm_size: ranks\n# axis msg_size: bytes\n\
                 comm_size,msg_size,method,collective,launch,repeat,time_us\n2,8,ring,{collective},,1,{time:.6}\n"
            )
        },
    },
    Format {
        name: "simulated",
        tells: true,
        text: |collective, time| {
            format!(
                "collective,algorithm,segment_size,comm_size,msg_size,time_us\n{collective},ring,,2,8,{time:.6}\n"
            )
        },
    },
    Format {
        name: "profile",
        tells: true,
        text: |collective, time| {
            let seconds = time / 1e6;
            format!(
                "collective,comm_size,msg_size,root,count,seconds,skew_seconds\n{collective},2,8,0,1,{seconds:.9},\n"
            )
        },
    },
    Format {
        name: "nccl-tests",
        tells: true,
        text: |collective, time| {
            let program = if collective == "bcast" { "broadcast_perf" } else { "scatter_perf" };
            format!(
                "# Collective test starting: {program}\n# nThread 1 nGpus 2 minBytes 8 maxBytes 8\n\
                 #  Rank  0 Group  0 Pid 1 on n1 device  0 [0x07] GPU\n#  Rank  1 Group  0 Pid 1 on n1 device  1 [0x0b] GPU\n\
                 #  size  count  type  redop  root  time  algbw  busbw #wrong\n8 2 float none 0 {time:.2} 0.1 0.1 0\n"
            )
        },
    },
];

const TOLD: &str = "{collective}_{method}.txt";
const UNTOLD: &str = "*_{method}.txt";

fn requested(pattern: &str, collective: Option<&str>) -> ReadOptions {
    ReadOptions {
        path: Some(PathPattern::parse(pattern).unwrap()),
        collective: collective.map(str::to_owned),
        fixed: [("comm_size", "2"), ("msg_size", "8")]
            .map(|(axis, size)| (axis.to_owned(), size.to_owned()))
            .into(),
        element_size: Some(1),
        time_unit: Some(TimeUnit::Microseconds),
        ..ReadOptions::default()
    }
}

fn read(folder: &TempDir, requested: &ReadOptions) -> Result<(Measurements, Notes), String> {
    let path = folder.path().to_str().unwrap().to_owned();
    readers::read(&[path], requested, &mut |_, input| input).map_err(|failed| {
        let problems = failed.iter().flat_map(|failed| failed.problems.iter());
        let said = |problem: &qtdec_core::Problem| {
            let help = problem.help_text(Syntax::Command).unwrap_or_default();
            format!("{}; {help}\n", problem.message)
        };
        problems.map(said).collect()
    })
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

/// Returns the minimum and the maximum time over all repeats, in microseconds.
fn range(measurements: &Measurements) -> (f64, f64) {
    let scale = measurements.unit.unwrap().in_units_of(TimeUnit::Microseconds);
    // Some formats contain only a mean.
    let of = |statistic| {
        let points = measurements.sorted(statistic).chain(measurements.sorted(Statistic::Mean));
        let times = points.flat_map(|(_, times)| times).map(|(_, time)| time);
        (times.take(1).sum::<f64>() * scale * 1e6).round() / 1e6
    };
    (of(Statistic::Min), of(Statistic::Max))
}

/// Returns a folder with one file for each collective: bcast takes 1 microsecond, scatter takes 100.
fn two_collectives(format: &Format) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (collective, time) in [("bcast", 1.0), ("scatter", 100.0)] {
        write(folder.path(), &format!("{collective}_ring.txt"), &(format.text)(collective, time));
    }
    folder
}

/// Formats of programs that measure functions of any kind, whose files name no collective. Other tests read them.
const WITHOUT_COLLECTIVE: [&str; 6] =
    ["criterion-folder", "google-benchmark", "hyperfine", "jmh", "libtest", "pytest-benchmark"];

#[test]
fn every_format_is_covered() {
    for name in format_names().into_iter().filter(|name| !WITHOUT_COLLECTIVE.contains(name)) {
        assert!(FORMATS.iter().any(|format| format.name == name), "{name}");
    }
}

#[test]
fn a_collective_selects_files_by_their_paths_or_rows() {
    for format in &FORMATS {
        let folder = two_collectives(format);
        for pattern in [TOLD, UNTOLD].into_iter().filter(|&pattern| pattern == TOLD || format.tells) {
            for (collective, time) in [("bcast", 1.0), ("scatter", 100.0)] {
                let (measurements, _) = read(&folder, &requested(pattern, Some(collective))).unwrap();
                assert_eq!(range(&measurements), (time, time), "{} {pattern} {collective}", format.name);
                assert_eq!(measurements.collective.as_deref(), Some(collective));
            }
        }
    }
}

#[test]
fn several_collectives_without_a_choice_are_refused() {
    for format in &FORMATS {
        let folder = two_collectives(format);
        for pattern in [TOLD, UNTOLD].into_iter().filter(|&pattern| pattern == TOLD || format.tells) {
            assert_eq!(
                read(&folder, &requested(pattern, None)).unwrap_err(),
                "the times are of 2 collectives: `bcast`, `scatter`; choose one: --collective bcast, --collective scatter\n",
                "{} {pattern}",
                format.name
            );
            assert_eq!(
                read(&folder, &requested(pattern, Some("reduce"))).unwrap_err(),
                "no times are of the collective `reduce`; the files have times of `bcast`, `scatter`\n",
                "{} {pattern}",
                format.name
            );
        }
    }
}

#[test]
fn collectives_of_several_formats_are_refused_too() {
    for (index, format) in FORMATS.iter().enumerate() {
        let other = &FORMATS[(index + 1) % FORMATS.len()];
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "bcast_ring.txt", &(format.text)("bcast", 1.0));
        write(folder.path(), "scatter_ring.txt", &(other.text)("scatter", 100.0));
        let refused = read(&folder, &requested(TOLD, None)).unwrap_err();
        assert!(refused.contains("the times are of 2 collectives: `bcast`, `scatter`"), "{refused}");
        let (measurements, _) = read(&folder, &requested(TOLD, Some("bcast"))).unwrap();
        assert_eq!(range(&measurements), (1.0, 1.0));
    }
}

#[test]
fn a_path_that_contradicts_its_file_is_refused() {
    for format in FORMATS.iter().filter(|format| format.tells) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "scatter_ring.txt", &(format.text)("bcast", 1.0));
        for collective in [None, Some("scatter")] {
            let refused = read(&folder, &requested(TOLD, collective)).unwrap_err();
            let expected =
                "the path names the collective `scatter`, and the file names `bcast`; rename the file";
            assert!(refused.starts_with(expected), "{}: {refused}", format.name);
        }
    }
}

/// Covers formats whose files can hold several collectives after each other.
#[test]
fn a_path_selects_among_the_rows_of_a_file() {
    for format in FORMATS.iter().filter(|format| format.tells) {
        let folder = tempfile::tempdir().unwrap();
        let [bcast, scatter] =
            [("bcast", 1.0), ("scatter", 100.0)].map(|(name, time)| (format.text)(name, time));
        // A table has its heading once.
        let is_canonical = scatter.starts_with("# qtdec-times/");
        let heading = if is_canonical { "#" } else { "coll" };
        let begins =
            |line: &&str| line.starts_with(heading) || is_canonical && line.starts_with("comm_size,");
        let rows: String = scatter.split_inclusive('\n').skip_while(begins).collect();
        write(folder.path(), "bcast_ring.txt", &format!("{bcast}{rows}"));
        let (measurements, notes) = read(&folder, &requested(TOLD, None)).unwrap();
        assert_eq!(range(&measurements), (1.0, 1.0), "{}", format.name);
        let notes: Vec<String> = notes.lines().collect();
        assert_eq!(notes, ["times of `scatter` were skipped in a file whose path names `bcast`"]);
        let (_, notes) = read(&folder, &requested(TOLD, Some("bcast"))).unwrap();
        assert!(notes.is_empty());
    }
}

#[test]
fn a_long_name_is_not_mixed_with_a_short_one() {
    let folder = tempfile::tempdir().unwrap();
    let format = &FORMATS[6];
    assert!(!format.tells);
    for (name, time) in
        [("reduce_ring", 1.0), ("reduce_scatter_ring", 100.0), ("MPI_Reduce_scatter_block_ring", 10_000.0)]
    {
        write(folder.path(), &format!("{name}.txt"), &(format.text)("", time));
    }
    for (collective, time) in [("reduce", 1.0), ("reduce_scatter", 100.0), ("reduce_scatter_block", 10_000.0)]
    {
        let (measurements, _) = read(&folder, &requested(TOLD, Some(collective))).unwrap();
        assert_eq!(range(&measurements), (time, time), "{collective}");
        assert_eq!(measurements.labels().collect::<Vec<_>>(), ["ring"]);
    }
}

#[test]
fn files_without_a_collective_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "run1_ring.txt", &(FORMATS[5].text)("bcast", 1.0));
    write(folder.path(), "run2_ring.txt", &(FORMATS[6].text)("", 2.0));
    let (measurements, notes) = read(&folder, &requested(UNTOLD, None)).unwrap();
    assert_eq!(range(&measurements), (1.0, 2.0));
    let notes: Vec<String> = notes.lines().collect();
    assert_eq!(
        notes,
        ["files that do not name their collective are assumed to be of `bcast`, as other files say"]
    );
    let (_, notes) = read(&folder, &requested(UNTOLD, Some("bcast"))).unwrap();
    assert!(notes.is_empty());
}
