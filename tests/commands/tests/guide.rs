//! The commands of the guide and of the pages of results: their outputs and pictures are compared with those shown there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use snapbox::{Assert, Data};

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guide/src")
}

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lab/results")
}

/// Returns a folder with the measurements that the chapters use.
fn with_measurements() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../qt-cli/data");
    fs::copy(data.join("polaris-reduce-scatter/raw.tar.xz"), folder.path().join("polaris.tar.xz")).unwrap();
    let of_launches = [
        "five-jobs.csv",
        "launches.csv",
        "launches-alike.csv",
        "launches-followed.csv",
        "launches-ignored.csv",
        "calls.csv",
        "lammps.csv",
        "lammps-later.csv",
        "late.csv",
    ];
    for name in
        ["open-mpi-4.1-bcast.conf", "logp_mpi.txt", "nodes.json", "whole.json"].into_iter().chain(of_launches)
    {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands.in").join(name);
        fs::copy(file, folder.path().join(name)).unwrap();
    }
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands.in/qtdec-results");
    fs::create_dir(folder.path().join("qtdec-results")).unwrap();
    for entry in fs::read_dir(results).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), folder.path().join("qtdec-results").join(entry.file_name())).unwrap();
    }
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/kernels/data");
    fs::copy(kernels.join("intel_avx512_mmv.txt"), folder.path().join("intel_avx512_mmv.txt")).unwrap();
    fs::create_dir(folder.path().join("general")).unwrap();
    let general = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/general/maps");
    for entry in fs::read_dir(general).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), folder.path().join("general").join(entry.file_name())).unwrap();
    }
    fs::create_dir(folder.path().join("images")).unwrap();
    let maps = data.join("../../mpi/command/maps");
    for (kept, named) in [(data.join("pico-fugaku"), "fugaku"), (maps, "papers")] {
        fs::create_dir(folder.path().join(named)).unwrap();
        for entry in fs::read_dir(kept).unwrap().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|ending| ending == "xz") {
                fs::copy(entry.path(), folder.path().join(named).join(entry.file_name())).unwrap();
            }
        }
    }
    folder
}

/// Returns the output of a command, warnings first.
fn output(command: &str, folder: &Path) -> String {
    let words = shlex::split(command).expect("quotes match");
    let (program, words) = words.split_first().expect("a command has a name");
    let program = Path::new(qtdec_commands::qtdec()).with_file_name(program);
    let output = Command::new(program).args(words).current_dir(folder).output().unwrap();
    let reported = String::from_utf8([output.stderr, output.stdout].concat()).unwrap();
    // The guide shows the folder of an imaginary reader.
    reported.replace(&folder.display().to_string(), "/home/me/tuning")
}

/// Returns whether lines are an output, parts of which are left out where a line is `...`.
fn is_excerpt(shown: &[&str], printed: &str) -> bool {
    let mut rest: Vec<&str> = printed.lines().collect();
    let parts: Vec<&[&str]> = shown.split(|line| *line == "...").collect();
    let last = parts.len() - 1;
    for (index, part) in parts.into_iter().enumerate() {
        let at = match index {
            _ if part.is_empty() => Some(0),
            0 => rest.starts_with(part).then_some(0),
            _ if index == last => rest.ends_with(part).then(|| rest.len() - part.len()),
            _ => rest.windows(part.len()).position(|lines| lines == part),
        };
        let Some(at) = at else { return false };
        rest.drain(..at + part.len());
    }
    rest.is_empty() || shown.last() == Some(&"...")
}

#[test]
fn an_excerpt_has_the_lines_of_its_output_in_order() {
    let printed = "a\nb\nc\nd\n";
    for (shown, is) in [
        (&["a", "b", "c", "d"][..], true),
        (&["a", "...", "d"], true),
        (&["...", "b", "...", "d"], true),
        (&["a", "..."], true),
        (&["..."], true),
        (&["a", "b"], false),
        (&["b", "..."], false),
        (&["...", "c"], false),
        (&["...", "d", "...", "b", "..."], false),
        (&["a", "...", "b", "d"], false),
    ] {
        assert_eq!(is_excerpt(shown, printed), is, "{shown:?}");
    }
}

/// Returns the chapter with the current outputs of its commands.
fn played(chapter: &str, folder: &Path) -> String {
    let mut played: Vec<String> = Vec::new();
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        played.push(line.to_owned());
        if line == "```console" {
            let command =
                lines.next().and_then(|line| line.strip_prefix("$ ")).expect("a command comes first");
            let shown: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let printed = output(command, folder);
            let kept = if is_excerpt(&shown, &printed) { shown } else { printed.lines().collect() };
            played.push(format!("$ {command}"));
            played.extend(kept.into_iter().map(str::to_owned));
            played.push("```".to_owned());
        }
    }
    played.join("\n") + "\n"
}

#[test]
fn the_guide_shows_what_commands_print_and_draw() {
    let files = [guide(), results()].into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let chapters = Mutex::new(files.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    let play = || {
        loop {
            let next = chapters.lock().unwrap().next();
            let Some(chapter) = next else { break };
            compare(&chapter);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(play);
        }
    });
}

/// Compares a chapter and its pictures with what its commands print and draw.
fn compare(chapter: &Path) {
    let assert = Assert::new().action_env("SNAPSHOTS");
    let folder = with_measurements();
    let text = played(&fs::read_to_string(chapter).unwrap(), folder.path());
    assert.eq(text, Data::read_from(chapter, None).raw());
    for entry in fs::read_dir(folder.path().join("images")).unwrap().map(Result::unwrap) {
        let shown = chapter.with_file_name("images").join(entry.file_name());
        assert.eq(fs::read_to_string(entry.path()).unwrap(), Data::read_from(&shown, None).raw());
    }
}

#[test]
fn the_chapter_about_networks_shows_the_file_that_it_converts() {
    let chapter = fs::read_to_string(guide().join("network.md")).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands.in/logp_mpi.txt");
    assert!(chapter.contains(&format!("```text\n{}```", fs::read_to_string(file).unwrap())));
}
