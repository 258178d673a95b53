//! What hand-written rules cost on the shipped maps, by `qtdec-mpi compare`.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Returns what `qtdec-mpi` prints.
fn printed(words: &[&str]) -> String {
    let program = Path::new(qtdec_commands::qtdec()).with_file_name("qtdec-mpi");
    let output = Command::new(program).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The expected means and medians are those of a simulator that was written separately, to the digits that it printed.
#[test]
fn every_cell_of_the_papers_reductions_is_counted() {
    for (map, cells, simulated, mean, median) in
        [("grig-reduce", 1200, 500, 179.5, Some(85.0)), ("frodo-reduce", 1862, 637, 244.8, None)]
    {
        let rows: Vec<Value> =
            serde_json::from_str(&printed(&["compare", map, "--rules", "ft-mpi", "--json"])).unwrap();
        let row = rows.iter().find(|row| row["rules"] == "ft-mpi").unwrap();
        let counts = ["cells", "priced", "unpriced", "simulated"].map(|key| row[key].as_u64().unwrap());
        assert_eq!(counts, [cells, cells, 0, simulated]);
        let is_near = |key: &str, expected: f64| (row[key].as_f64().unwrap() - expected).abs() < 0.05;
        assert!(is_near("penalty_mean", mean), "{row}");
        assert!(median.is_none_or(|median| is_near("penalty_median", median)), "{row}");
    }
}

/// The number of chains of `predict` is that of `schedule`, and a chain of one is the pipeline.
#[test]
fn predicted_chains_are_those_of_the_schedule() {
    let call = ["--comm-size", "13", "--msg-size", "100K", "--segment-size", "1K"];
    let predict = ["predict", "grig", "--collective", "reduce", "--algorithms", "chain,pipeline", "--json"];
    let schedule = ["schedule", "reduce", "chain", "--network", "grig", "--json"];
    for chains in ["1", "5", "12"] {
        let with_chains = [&call[..], &["--chains", chains]].concat();
        let all: Value = serde_json::from_str(&printed(&[&predict[..], &with_chains].concat())).unwrap();
        let time = |algorithm: &str| {
            let is_it = |line: &&Value| line["algorithm"] == algorithm && line["segment_size"] == 1024;
            all.as_array().unwrap().iter().find(is_it).unwrap()["seconds"].as_f64().unwrap()
        };
        let built: Value = serde_json::from_str(&printed(&[&schedule[..], &with_chains].concat())).unwrap();
        assert_eq!(built["times"]["total"].as_f64().unwrap(), time("chain"), "{chains} chains");
        assert_eq!(chains == "1", time("chain") == time("pipeline"));
    }
}

/// The table of the README is what the command above it prints.
#[test]
fn the_readme_shows_the_table_of_the_command() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let (_, section) = readme.split_once("## Compared with hand-written rules\n").unwrap();
    let (_, command) = section.split_once("$ qtdec-mpi ").unwrap();
    let words: Vec<&str> = command.lines().next().unwrap().split_whitespace().collect();
    let table = printed(&words);
    assert!(section.contains(table.trim_end()), "{table}");
}

/// The measured maps are those that the commands of their README make of the archives.
#[test]
fn the_measured_maps_are_those_of_the_archives() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let maps = package.join("mpi/command/maps");
    let readme = fs::read_to_string(maps.join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (_, commands) = readme.rsplit_once("```text\n").unwrap();
    let commands = commands
        .replace("```", "")
        .replace("qt-cli/data", &package.join("qt-cli/data").display().to_string());
    let commands = commands.replace("qtdec read", "\"$QTDEC\" read").replace("qtdec map", "\"$QTDEC\" map");
    let mut shell = Command::new("sh");
    shell.args(["-ec", &commands]).env("QTDEC", qtdec_commands::qtdec()).current_dir(folder.path());
    let made = shell.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for name in ["fugaku-allreduce.json", "polaris-reduce-scatter-block.json"] {
        let mut packed =
            lzma_rust2::XzReader::new(fs::File::open(maps.join(format!("{name}.xz"))).unwrap(), true);
        let shipped = std::io::read_to_string(&mut packed).unwrap();
        assert!(shipped == fs::read_to_string(folder.path().join(name)).unwrap(), "{name}");
    }
}
