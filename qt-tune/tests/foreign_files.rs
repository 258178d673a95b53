//! Files as other programs and people write them: names of axes, sizes, defaults and folders of all kinds.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use qtdec_core::{Document, SourceFile};

fn qtdec(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_qtdec")).current_dir(folder).args(arguments).output().unwrap()
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

/// The offered command calls general sizes by their own names; it is run as it is printed.
#[test]
fn only_tables_of_mpi_are_offered_axes_of_mpi() {
    let folder = tempfile::tempdir().unwrap();
    for (header, rows, offered) in [
        ("algo,len,time", "a,8,1.5\nb,16,2.5\n", "len=len"),
        ("name,count,size,us", "a,8,2,1.5\nb,16,2,2.5\n", "count=count,size=size"),
        ("variant,m,p,time", "a,8,2,1.5\nb,16,2,2.5\n", "m=m,p=p"),
        ("variant,tile,rep,time", "a,8,1,1.5\nb,16,1,2.5\n", "tile=tile"),
        ("variant,Matrix Size,time", "a,8,1.5\nb,16,2.5\n", "matrix_size="),
        ("algo,np,bytes,us", "a,8,64,1.5\nb,16,64,2.5\n", "comm_size=np,msg_size=bytes,"),
        ("algo,collective,p,bytes,us", "a,bcast,8,64,1.5\nb,bcast,16,64,2.5\n", "comm_size=p,msg_size=bytes,"),
    ] {
        write(folder.path(), "t.csv", &format!("{header}\n{rows}"));
        let error = refused(folder.path(), &["map", "t.csv"]);
        let (_, command) = error.split_once("; perhaps qtdec ").unwrap_or_else(|| panic!("{header}: {error}"));
        let words = shlex::split(command.lines().next().unwrap()).unwrap();
        assert!(words.iter().any(|word| word.contains(offered)), "{header}: {words:?}");
        let output = qtdec(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(output.status.success(), "{header}: {words:?}: {}", stderr(&output));
    }
    write(folder.path(), "t.csv", "a 8 1.5\nb 16 2.5\na 16 3.5\n");
    let error = refused(folder.path(), &["map", "t.csv"]);
    assert!(error.contains("perhaps qtdec map t.csv --columns 'method=1,time=3,x2=2'"), "{error}");
}

/// Whole numbers with decimals and sizes with suffixes are those numbers, exactly; nothing is rounded.
#[test]
fn sizes_as_programs_write_them() {
    let folder = tempfile::tempdir().unwrap();
    let table = |rows: &[&str]| {
        let rows: String = rows.iter().map(|size| format!("{size},a,1\n{size},b,2\n")).collect();
        write(folder.path(), "t.csv", &format!("n,method,time\n{rows}"));
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
        let tune = ["tune", "t.csv", "--collective", "bcast", "--library", "open-mpi", "-o", "tuned"];
        let output = qtdec(folder.path(), &[&tune[..], &["--columns", "time=time_us"]].concat());
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let assumed = format!("`{name}` is assumed to be the library's own choice");
        assert!(stderr(&output).contains(&assumed), "{name}: {}", stderr(&output));
    }
}
