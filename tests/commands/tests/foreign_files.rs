//! Files as other programs and people write them: names of axes, sizes, defaults and folders of all kinds.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_core::{Document, SourceFile};

fn qtdec(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(qtdec_commands::qtdec()).current_dir(folder).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns the axes of the map that these arguments make: the name and the sizes of each.
fn axes(folder: &Path, arguments: &[&str]) -> Vec<(String, Vec<u64>)> {
    let output = qtdec(folder, &[&["map"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    let Document::Map(map) = SourceFile::read("map", &output.stdout[..]).unwrap().document().unwrap() else {
        panic!("this is no map")
    };
    let axis = |axis: &qtdec_core::Axis| (axis.name.clone(), axis.values().unwrap().to_vec());
    map.domain().axes().iter().map(axis).collect()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = qtdec(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn axes_may_resemble_keywords() {
    let folder = tempfile::tempdir().unwrap();
    for axis in ["range", "times", "runs", "tile", "bank", "ranks", "rows", "mode", "ram"] {
        write(folder.path(), "t.csv", &format!("{axis},method,time\n8,a,1\n8,b,2\n16,a,2\n16,b,1\n"));
        let columns = format!("{axis}={axis},method=method,time=time");
        assert_eq!(axes(folder.path(), &["t.csv", "--columns", &columns]), [(axis.to_owned(), vec![8, 16])]);
        write(folder.path(), "8/t.csv", "method,time\na,1\nb,2\n");
        let path = format!("{{{axis}}}/t.csv");
        assert_eq!(axes(folder.path(), &["8", "--path", &path]), [(axis.to_owned(), vec![8])]);
        let fixed = format!("{axis}=8");
        assert_eq!(axes(folder.path(), &["8/t.csv", "--fixed", &fixed]), [(axis.to_owned(), vec![8])]);
    }
}

/// Tables of other choices are read as they come, with sizes by their own names; what is shown reads them in the same way.
#[test]
fn tables_of_any_choice_need_no_option() {
    let folder = tempfile::tempdir().unwrap();
    for (header, rows, shown) in [
        ("algo,len,time", "a,8,1.5\nb,8,2.5\n", "len=len,method=algo,time=time"),
        ("variant,m,p,time", "a,8,2,1.5\nb,8,2,2.5\n", "m=m,p=p,method=variant,time=time"),
        ("variant,tile,rep,time", "a,8,1,1.5\nb,8,1,2.5\n", "tile=tile,method=variant,time=time"),
        (
            "variant,Matrix Size,time",
            "a,8,1.5\nb,8,2.5\n",
            "matrix_size=Matrix Size,method=variant,time=time",
        ),
        (
            "order,len,method,time_ns",
            "x,8,a,15\nx,8,b,25\ny,8,b,9\n",
            "order=order,len=len,method=method,time=time_ns",
        ),
        ("len,quick,merge", "8,1.5,2.5\n16,2.5,3.5\n", "len=len,time=quick+merge"),
    ] {
        write(folder.path(), "t.csv", &format!("{header}\n{rows}"));
        let output = qtdec(folder.path(), &["map", "t.csv"]);
        assert!(output.status.success(), "{header}: {}", stderr(&output));
        let note = format!("warning: the columns were recognised: --columns '{shown}'\n");
        assert!(stderr(&output).contains(&note), "{header}: {}", stderr(&output));
        let named = qtdec(folder.path(), &["map", "t.csv", "--columns", shown]);
        assert_eq!(named.stdout, output.stdout, "{header}");
        assert!(!stderr(&named).contains("recognised"), "{header}");
    }
}

/// Columns that may be something else are shown with their first values, and no command is offered. General tables hear nothing of MPI.
#[test]
fn columns_that_are_not_clear_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    for (table, parts) in [
        // A row has a field more than the header.
        (
            "cycle,ranks,size,time,algbw\n0,1,8,64,5.5,1\n0,1,8,128,6.5,2\n0,1,8,256,7.5,3\n",
            &["the header has 5 names, and every row 6 fields"][..],
        ),
        ("cycle,ranks,size,time,algbw\n0,8,64,5.5,1\n", &["`method`", "ranks (8), size (64), time (5.5)"]),
        (
            "merge/64 109 us 128 us 10\nradix/64 46.7 us 66.2 us 10\n",
            &["Google Benchmark's output for the console", "--benchmark_out_format=json"],
        ),
        ("scalars,seq,par\n2**10,0.68,52\n2**14,13.9,111\n", &["not clear", "scalars (2**10), seq (0.68)"]),
        (
            "Benchmark,Threads,Score,Error,Unit,Param: n\na,1,7.7,NaN,ns/op,10\nb,1,1.9,NaN,us/op,10\n",
            &["not clear", "Threads (1), Score (7.7), Error (NaN), Unit (ns/op), Param: n (10)"],
        ),
        (
            "Latency of two ranks\n\nsize,iterations,t_us\n0,9000,3.5\n4,900,4.5\n8,9,7\n",
            &["line 3 looks like the header"],
        ),
        (
            "size (bytes),iterations,time (s)\n0,9000,3.5\n4,900,4.5\n8,90,7\n",
            &["count the calls in each time"],
        ),
        ("n,method,time_ns\n8,a,1.5\n8,b,-6.0\n", &["`time_ns` is `-6.0`, not a time above 0\n--> t.csv:3"]),
        ("n,method,time_ns\n8,a,inf\n8,b,2.5\n", &["`time_ns` is `inf`, not a time above 0\n--> t.csv:2"]),
        ("n,method,time_ns\n8,a,fast\n", &["`time_ns` is `fast`, not a time above 0\n--> t.csv:2"]),
        ("n,method,time_ns\nx,a,1.5\n8,b,2.5\n8,a,2.5\n", &["`n` is `x`, not a whole number\n--> t.csv:2"]),
        ("n,method,time_ns\n", &["the table has only a header, and no times\n--> t.csv:1"]),
    ] {
        write(folder.path(), "t.csv", table);
        let error = refused(folder.path(), &["map", "t.csv"]);
        for part in parts {
            assert!(error.contains(part), "{table}: {error}");
        }
        assert!(!error.contains("perhaps") && !error.contains("--columns '"), "{table}: {error}");
        assert!(table.contains("ranks") || !error.contains("comm_size"), "{table}: {error}");
    }
    let table = "scalars,sequential,rayon\n2**10,0.68,52\n2**14,13.9,111\n2**18,251,190\n";
    write(folder.path(), "t.csv", table);
    let columns = "rayon=rayon,method=scalars,time=sequential";
    let error = refused(folder.path(), &["map", "t.csv", "--columns", columns]);
    assert!(error.contains("`scalars` is another number in each row, as sizes are"), "{error}");
}

/// Whole numbers with decimals and sizes with suffixes are those numbers, exactly; nothing is rounded.
#[test]
fn sizes_as_programs_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let table = |rows: &[&str]| {
        let rows: Vec<String> = rows.iter().map(|size| format!("{size},a,1\n{size},b,2\n")).collect();
        write(folder.path(), "t.csv", &format!("n,method,time\n{}", rows.concat()));
    };
    let columns = ["t.csv", "--columns", "n=n,method=method,time=time"];
    table(&["4.0", "1e3", "4K", "4KiB", "1M", "9007199254740993.0"]);
    assert_eq!(
        axes(folder.path(), &columns),
        [("n".to_owned(), vec![4, 1000, 4096, 1 << 20, 9_007_199_254_740_993])]
    );
    for wrong in ["4.5", "0.3K", "4X", "1e-1"] {
        table(&["4", wrong]);
        let error = refused(folder.path(), &[&["map"], &columns[..]].concat());
        assert!(error.contains(&format!("`n` is `{wrong}`, not a whole number")), "{error}");
        assert!(!error.contains("thousands") && !error.contains("decimal point"), "{error}");
    }
    table(&["1.024", "4"]);
    let error = refused(folder.path(), &[&["map"], &columns[..]].concat());
    assert!(error.contains("without thousands separators"), "{error}");

    let printed = "\
sorts          fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ merge                     │               │               │               │         │
   ├─ 4K       29 ns         │ 42 ns         │ 30 ns         │ 31 ns         │ 100     │ 100
   ╰─ 1024     49 ns         │ 62 ns         │ 50 ns         │ 51 ns         │ 100     │ 100
";
    write(folder.path(), "divan.txt", printed);
    assert_eq!(axes(folder.path(), &["divan.txt"]), [("value".to_owned(), vec![1024, 4096])]);
    for (name, size) in [("4K", 4096), ("64.0", 64), ("1e3", 1000), ("8KiB", 8192)] {
        write(folder.path(), &format!("paths{size}/ring_{name}.csv"), "method,time\na,1\nb,2\n");
        let files = [&*format!("paths{size}"), "--path", "ring_{n}.csv"];
        assert_eq!(axes(folder.path(), &files), [("n".to_owned(), vec![size])], "{name}");
        let files = [&*format!("paths{size}/ring_{name}.csv"), "--fixed", &format!("n={name}")];
        assert_eq!(axes(folder.path(), &files), [("n".to_owned(), vec![size])], "{name}");
    }
    write(folder.path(), "half/ring_4.5.csv", "method,time\na,1\nb,2\n");
    let error = refused(folder.path(), &["map", "half", "--path", "ring_{n}.csv"]);
    assert!(error.contains("`n` is `4.5`, not a whole number"), "{error}");
}

/// The library's own choice is called `default` in any case.
#[test]
fn defaults_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["default", "Default", "DEFAULT", "Library Default"] {
        let rows: String = [(2, 8), (2, 1024), (4, 8), (4, 1024)]
            .map(|(p, m)| format!("{p},{m},{name},5\n{p},{m},binomial,4\n{p},{m},chain,6\n"))
            .concat();
        write(folder.path(), "t.csv", &format!("comm_size,msg_size,method,time_us\n{rows}"));
        let read = ["read", "t.csv", "--collective", "bcast", "-o", "times.csv"];
        let output = qtdec(folder.path(), &[&read[..], &["--columns", "time=time_us"]].concat());
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let tune = ["mpi", "tune", "times.csv", "--library", "open-mpi", "-o", "tuned", "--verbose"];
        let output = qtdec(folder.path(), &tune);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let printed = String::from_utf8(output.stdout).unwrap();
        let assumed = format!("`{name}` is assumed to be the library's own choice");
        assert!(printed.contains(&assumed), "{name}: {printed}");
    }
}

/// The arguments of divan's benchmarks are sizes whatever else names axes.
#[test]
fn arguments_of_divan_are_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let printed = |arguments: [&str; 2]| {
        let row = |name: &str| {
            format!("{name}  9 ns          │ 12 ns         │ 10 ns         │ 10.5 ns       │ 100     │ 100\n")
        };
        let header = "sorts          fastest       │ slowest       │ median        │ mean          │ samples │ iters\n";
        let of = |method: &str| {
            let empty = "               │               │               │               │         │\n";
            let rows = arguments.map(|argument| row(&format!("│  ├─ {argument}")));
            format!("├─ {method}{empty}{}", rows.concat())
        };
        format!("{header}{}{}", of("merge"), of("radix"))
    };
    let axis = |name: &str, sizes: &[u64]| (name.to_owned(), sizes.to_vec());
    write(folder.path(), "r256/t.txt", &printed(["64", "1024"]));
    let both = [axis("keyrange", &[256]), axis("value", &[64, 1024])];
    let sorted = |arguments: &[&str]| {
        let mut axes = axes(folder.path(), arguments);
        axes.sort();
        axes
    };
    assert_eq!(sorted(&["r256", "--fixed", "keyrange=256"]), both);
    assert_eq!(sorted(&["r256", "--path", "r{keyrange}/*.txt"]), both);
    assert_eq!(sorted(&["r256", "--columns", "len=value"]), [axis("len", &[64, 1024])]);
    let named = ["r256", "--columns", "len=value", "--fixed", "keyrange=256"];
    assert_eq!(sorted(&named), [axis("keyrange", &[256]), axis("len", &[64, 1024])]);
    let output = qtdec(folder.path(), &["map", "r256", "--path", "r{keyrange}/*.txt"]);
    assert!(stderr(&output).contains("2 methods"), "{}", stderr(&output));

    write(folder.path(), "two.txt", &printed(["128x256", "256x128"]));
    let two = ["two.txt", "--columns", "rows=1,cols=2", "--gaps", "nearest"];
    assert_eq!(sorted(&two), [axis("cols", &[128, 256]), axis("rows", &[128, 256])]);
    write(folder.path(), "named.txt", &printed(["len=128,range=256", "len=256,range=256"]));
    assert_eq!(sorted(&["named.txt"]), [axis("len", &[128, 256]), axis("range", &[256])]);
    write(folder.path(), "odd.txt", &printed(["4.5", "5.5"]));
    assert!(refused(folder.path(), &["map", "odd.txt"]).contains("`4.5` is not a size"));
}

#[test]
fn selectors_that_match_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.csv", "n,op,method,time\n8,sum,a,1\n8,sum,b,2\n8,max,a,1\n8,max,b,2\n");
    write(
        folder.path(),
        "bcast.txt",
        "# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n1            1.34\n1024         2.06\n",
    );
    write(
        folder.path(),
        "divan.txt",
        "b  fastest │ slowest │ median │ mean │ samples │ iters\n╰─ merge\n   ╰─ 64  9 ns │ 12 ns │ 10 ns │ 10.5 ns │ 100 │ 100\n",
    );
    let columns = ["--columns", "n=n,method=method,time=time"];
    let table = ["map", "t.csv", columns[0], columns[1]];
    let osu = ["map", "bcast.txt", "--fixed", "comm_size=4", "--fixed", "method=ring"];
    for (arguments, more, expected) in [
        (
            &table[..],
            &["--where", "op=min"][..],
            &["--where op=min matches no row", "the values of `op` are max, sum"][..],
        ),
        (
            &table,
            &["--where", "opp=max"],
            &["there is no column `opp`", "n (8), op (sum), method (a), time (1)"],
        ),
        (
            &table,
            &["--where", "op=max", "--exclude", "c*"],
            &["no method is called `c*`", "the methods are a, b"],
        ),
        (
            &table,
            &["--where", "op=max", "--fixed", "segment_size=8"],
            &["--fixed segment_size=8 has no effect"],
        ),
        (
            &["map", "t.csv", "--where", "op=max"],
            &["--columns", "n=m,method=method,time=time"],
            &["there is no column `m`"],
        ),
        (&osu, &["--columns", "n=Size"], &["--columns n=Size has no effect", "these are of osu"]),
        (
            &osu,
            &["--fixed", "msg_size=8"],
            &["--fixed msg_size=8 has no effect", "a `msg_size` of their own"],
        ),
        (&osu, &["--exclude", "chain"], &["no method is called `chain`", "the methods are ring"]),
        (
            &["map", "divan.txt"],
            &["--columns", "n=len"],
            &["--columns n=len has no effect", "the arguments of the benchmarks are value"],
        ),
        (&["map", "divan.txt"], &["--fixed", "value=3"], &["--fixed value=3 has no effect"]),
    ] {
        let error = refused(folder.path(), &[arguments, more].concat());
        for part in expected {
            assert!(error.contains(part), "{more:?}: {error}");
        }
    }
}

/// Files of other kinds in a folder of results are skipped and listed; named themselves, they are errors.
#[test]
fn foreign_files_in_folders_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let times = "comm_size,msg_size,method,time\n2,8,a,1\n2,8,b,2\n";
    write(folder.path(), "all/t.csv", times);
    let foreign = [
        ("README", "Measured on Monday, by Jo.\n\nThree runs, four nodes, no other jobs.\n"),
        ("README.md", "# Results\n\nThe nodes were new, and idle; 4 of them.\n- t.csv, the times\n"),
        ("nodes.csv", "host,rack,memory\nn1,2,64\nn2,2,64\n"),
        ("picture.png", "\u{89}PNG\0\0,1,2"),
        ("job.sh", "#!/bin/sh\nsrun -n 4 ./bench, 1 2 3\n"),
        ("machine.json", "{\"nodes\": 4, \"cores\": 128}\n"),
        ("page.html", "<p>1, 2\n<p>3, 4\n"),
    ];
    for (name, text) in foreign {
        write(folder.path(), &format!("all/{name}"), text);
    }
    let output = qtdec(folder.path(), &["map", "all", "--collective", "bcast"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("skipped"), "{}", stderr(&output));
    for (name, text) in foreign {
        let alone = tempfile::tempdir().unwrap();
        write(alone.path(), &format!("all/{name}"), text);
        write(alone.path(), "all/t.csv", times);
        let output = qtdec(alone.path(), &["map", "all", "--collective", "bcast"]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let listed = stderr(&output).lines().any(|line| line.contains("skipped") && line.contains(name));
        assert!(listed, "{name}: {}", stderr(&output));
        let file = format!("all/{name}");
        refused(alone.path(), &["map", &file, "--collective", "bcast"]);
    }
    // Where nothing else was read, the missing columns are named.
    let alone = tempfile::tempdir().unwrap();
    write(alone.path(), "all/nodes.csv", "host,rack,memory\nn1,2,64\nn2,2,64\n");
    assert!(refused(alone.path(), &["map", "all"]).contains("host (n1), rack (2), memory (64)"));
}

/// What `tune` wrote into the folder of the times is not read as times by the next command.
#[test]
fn results_beside_their_times() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "comm_size,msg_size,method,time_us,collective\n".to_owned();
    for collective in ["bcast", "reduce"] {
        for (p, m) in [(2, 8), (2, 1024), (4, 8), (4, 1024)] {
            for (method, time) in [("default", 5 + p), ("binomial", 4 + m / 100), ("chain", 9)] {
                writeln!(text, "{p},{m},{method},{time},{collective}").unwrap();
            }
        }
    }
    write(folder.path(), "r/times.csv", &text);
    let tune = ["mpi", "tune", "r", "--library", "open-mpi", "-o", "r"];
    let first = qtdec(folder.path(), &tune);
    assert!(first.status.success(), "{}", stderr(&first));
    let tree = fs::read(folder.path().join("r/bcast.tree.json")).unwrap();
    for target in ["open-mpi", "intel-mpi"] {
        let mut emit = vec!["mpi", "emit", "r/bcast.map.json", "--target", target, "-o"];
        let file = format!("r/rules.{target}");
        emit.push(&file);
        qtdec(folder.path(), &emit);
    }
    let again = qtdec(folder.path(), &tune);
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(!stderr(&again).contains("kept.csv"), "{}", stderr(&again));
    assert_eq!(fs::read(folder.path().join("r/bcast.tree.json")).unwrap(), tree);
    let map = qtdec(folder.path(), &["map", "r", "--collective", "bcast"]);
    assert!(map.status.success(), "{}", stderr(&map));
    let named = refused(folder.path(), &["map", "r/bcast.kept.csv", "--collective", "bcast"]);
    assert!(named.contains("the file was written by qtdec, and contains no times"), "{named}");
}

/// The selection file that MPICH ships has `comm_size<8` below a property of the call, and names only later releases have.
#[test]
fn the_selection_file_of_mpich_is_accepted_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let whole = include_str!("commands.in/whole.json");
    let leaf = "{\"algorithm=MPIR_Alltoall_intra_pairwise\": {}}";
    let ranks = format!("{{\"comm_size<8\": {leaf}, \"comm_size=any\": {leaf}}}");
    let from = "{\n    \"algorithm=MPIR_Alltoall_intra_pairwise\": {}\n   }";
    assert!(whole.contains(from));
    let shipped = whole.replacen(from, &ranks, 1);
    let newer = shipped.replacen(
        "\"algorithm=MPIR_Barrier_intra_dissemination\": {}",
        "\"algorithm=MPIR_Barrier_intra_k_dissemination\": {\"k=2\": {}}",
        1,
    );
    assert_ne!(shipped, newer);
    for (name, text) in [("generic-4.0.json", &shipped), ("generic-5.0.json", &newer)] {
        write(folder.path(), name, text);
        let output = qtdec(folder.path(), &["mpi", "check", name]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("`comm_size<8` is read as `comm_size<=8`"), "{}", stderr(&output));
    }
    let error = refused(folder.path(), &["mpi", "check", "generic-5.0.json", "--release", "4.0"]);
    assert!(error.contains("MPICH 4.0 has no `MPIR_Barrier_intra_k_dissemination`"), "{error}");
    // Below the size of a message, the limit is a mistake of the file's author.
    let sized = format!("{{\"avg_msg_size=any\": {ranks}}}");
    write(folder.path(), "sized.json", &whole.replacen(from, &sized, 1));
    assert!(refused(folder.path(), &["mpi", "check", "sized.json"]).contains("`comm_size<8` is read as"));
}

/// All that a command lacks is reported at once, with one command line that contains all of it.
#[test]
fn everything_that_is_missing_is_reported_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let table =
        "comm_size,msg_size,method,time\n2,8,binomial,1\n2,8,default,2\n4,8,binomial,1\n4,8,default,2\n";
    write(folder.path(), "t.csv", table);
    let tune = ["mpi", "tune", "t.csv", "--library", "mpich", "-o", "out"];
    let error = refused(folder.path(), &tune);
    for part in [
        "the collective is not specified",
        "nothing specifies which bytes the message sizes count",
        "MPICH aborts if the file lacks a collective",
        "make canonical times of the others with qtdec read t.csv -o times.csv --collective NAME --basis-in block",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    // With names in place of the placeholders, the command works, and what it writes is tuned.
    write(folder.path(), "generic.json", include_str!("commands.in/whole.json"));
    let (_, command) = error.split_once("with qtdec ").unwrap();
    let command = command.lines().next().unwrap().replace("NAME", "bcast").replace("block", "buffer");
    let words = shlex::split(&command).unwrap();
    let output = qtdec(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(output.status.success(), "{}", stderr(&output));
    let tune = ["mpi", "tune", "times.csv", "--library", "mpich", "-o", "out", "--into", "generic.json"];
    let output = qtdec(folder.path(), &tune);
    assert!(output.status.success(), "{}", stderr(&output));

    let rows: String = [(2, 8), (2, 64), (4, 8), (4, 64)]
        .map(|(p, n)| format!("ours,0,0,{p},{n},0.001,1\nMPI_Other,0,0,{p},{n},0.002,1\n"))
        .concat();
    write(folder.path(), "c.csv", &format!("algorithm_name,k,b,nprocs,send_count,time,is_correct\n{rows}"));
    let error = refused(folder.path(), &["mpi", "tune", "c.csv", "--library", "mpich", "-o", "out2"]);
    for part in [
        "the message sizes count elements",
        "qtdec read c.csv -o times.csv --element-size BYTES",
        "MPICH aborts if",
        "with --into",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }

    // Reading alone: the size of an element and one of two collectives.
    let both = "algorithm_name,k,b,nprocs,send_count,time,is_correct\nx,0,0,2,8,0.001,1\n";
    for collective in ["allgather", "allreduce"] {
        write(folder.path(), &format!("two/{collective}/c.csv"), both);
    }
    let error = refused(folder.path(), &["map", "two", "--path", "{collective}/c.csv"]);
    assert!(error.contains("--element-size BYTES --collective allgather"), "{error}");
    assert!(error.contains("the times are of 2 collectives"), "{error}");
}
