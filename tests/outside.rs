//! Packages outside the workspace, built by Cargo as a user builds them.

use std::collections::BTreeSet;
use std::fs;

mod user;

use user::Package;

const ATTRIBUTE: &str = "[dependencies]\nqtdec = { path = \"ROOT\" }\n";

const MAP: &str = r#"{
  "format": "qtdec-map/1",
  "axes": [{ "name": "comm_size", "values": [2, 8] }, { "name": "msg_size", "values": [1, 1024] }],
  "methods": [{ "name": "binomial" }, { "name": "ring" }],
  "cells": [[0, 0], [0, 1]],
  "source": "no program is to carry this text"
}
"#;

const MAIN: &str = r#"
#[qtdec::decision_map("maps/map.json")]
pub const fn select(comm_size: usize, msg_size: usize) -> &'static str;

fn main() {
    println!("{} {} {}", select(7, 4096), select(8, 1023), select(8, 1024));
}
"#;

#[test]
fn a_package_with_the_attribute_rebuilds_when_its_map_changes() {
    let package = Package::new("outside-attribute", ATTRIBUTE);
    package.write("maps/map.json", MAP);
    package.write("src/main.rs", MAIN);
    assert_eq!(package.run(), "binomial binomial ring\n");
    assert!(package.is_fresh());

    package.write("maps/map.json", &MAP.replace("[[0, 0], [0, 1]]", "[[1, 1], [1, 0]]"));
    assert!(!package.is_fresh(), "an edit has the package built again");
    assert_eq!(package.run(), "ring ring binomial\n");

    fs::remove_file(package.path("maps/map.json")).unwrap();
    let (success, _, stderr) = package.cargo(&["build"]);
    assert!(!success && stderr.contains("cannot read `maps/map.json`"), "{stderr}");

    package.write("maps/map.json", MAP);
    assert_eq!(package.run(), "binomial binomial ring\n");
}

#[test]
fn the_map_adds_no_byte_to_the_library() {
    let package = Package::new("outside-library", ATTRIBUTE);
    package.write("maps/map.json", MAP);
    package.write("src/lib.rs", MAIN.split_once("fn main").unwrap().0);
    let (success, _, stderr) = package.cargo(&["build"]);
    assert!(success, "{stderr}");
    let library = fs::read(Package::target().join("debug/liboutside_library.rlib")).unwrap();
    let carries = |text: &str| library.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(carries("binomial") && !carries("no program is to carry this text"));
}

/// The maximum number of crates that a package with the attribute has Cargo compile, including the package: four of qtdec, and those of syn,
/// quote, proc-macro2, `serde_json` and strsim.
const MAX_CRATES: usize = 15;

#[test]
fn the_attribute_takes_few_crates() {
    let package = Package::new("outside-crates", ATTRIBUTE);
    package.write("src/lib.rs", "");
    let (success, stdout, stderr) = package.cargo(&["tree", "--edges", "normal,build", "--prefix", "none"]);
    assert!(success, "{stderr}");
    let crates: BTreeSet<&str> = stdout.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    assert!(crates.iter().any(|one| one.starts_with("qtdec-core ")), "{crates:?}");
    assert!(crates.len() <= MAX_CRATES, "{} crates, {MAX_CRATES} are allowed: {crates:#?}", crates.len());
}

#[test]
fn an_error_hides_consequential_errors() {
    let package = Package::new("outside-mistake", ATTRIBUTE);
    package.write("maps/map.json", &MAP.replace("[0, 1]", "[0, 2]"));
    package.write("src/main.rs", MAIN);
    let (success, _, stderr) = package.cargo(&["build"]);
    assert!(!success);
    assert!(stderr.contains("there is no method 2") && stderr.contains("maps/map.json:5:25"), "{stderr}");
    assert_eq!(
        stderr.matches("error: ").count(),
        2,
        "the mistake, and that the package could not be compiled: {stderr}"
    );
    assert!(!stderr.contains("warning"), "{stderr}");
}

#[test]
fn a_package_with_a_build_script_rebuilds_when_its_map_changes() {
    let package = Package::new(
        "outside-build-script",
        "[build-dependencies]\nqtdec-build = { path = \"ROOT/qt-build\" }\n",
    );
    package.write("maps/map.json", MAP);
    package.write(
        "build.rs",
        r#"fn main() -> Result<(), qtdec_build::Error> {
    qtdec_build::Builder::new().map("maps/map.json").function("select").returns("&'static str").generate()
}
"#,
    );
    let include = r#"include!(concat!(env!("OUT_DIR"), "/qtdec/map.rs"));"#;
    package.write("src/main.rs", &format!("{include}\n\nfn main{}", MAIN.split_once("fn main").unwrap().1));
    assert_eq!(package.run(), "binomial binomial ring\n");
    assert!(package.is_fresh());

    package.write("maps/map.json", &MAP.replace("[[0, 0], [0, 1]]", "[[1, 1], [1, 0]]"));
    assert!(!package.is_fresh(), "an edit has the package built again");
    assert_eq!(package.run(), "ring ring binomial\n");

    package.write("maps/map.json", &MAP.replace("[0, 1]", "[0, 2]"));
    let (success, _, stderr) = package.cargo(&["build"]);
    assert!(!success);
    assert!(
        stderr.contains("Error: there is no method 2") && stderr.contains("maps/map.json:5:25"),
        "{stderr}"
    );
    assert!(!stderr.contains("panicked") && !stderr.contains("stack backtrace"), "{stderr}");
}

const IN_MEMORY: &str = r#"use qtdec_build::{Axis, Builder, DecisionMap, Method};

fn main() -> Result<(), qtdec_build::Error> {
    let text = std::fs::read_to_string("times.txt").unwrap();
    let times: Vec<f64> = text.split_whitespace().map(|time| time.parse().unwrap()).collect();
    let axes = vec![Axis::new("size", [1, 100])];
    let methods = vec![Method::new("binomial"), Method::new("ring")];
    let map = DecisionMap::from_costs(axes, methods, |point, method| {
        times[2 * usize::from(point[0] == 100) + method.get()]
    })?;
    Builder::new().decision_map("map", map).function("select").returns("&'static str")/* AND */.generate()
}
"#;

/// The script runs again if any file of the package changes or, if it names files, only when these change.
#[test]
fn a_package_with_a_map_in_memory_rebuilds_when_its_sources_change() {
    let build = |name, and: &str| {
        let package =
            Package::new(name, "[build-dependencies]\nqtdec-build = { path = \"ROOT/qt-build\" }\n");
        package.write("build.rs", &IN_MEMORY.replace("/* AND */", and));
        package.write("times.txt", "1 2 2 1");
        package.write("notes.txt", "nothing");
        let main = r#"include!(concat!(env!("OUT_DIR"), "/qtdec/map.rs"));"#;
        package.write(
            "src/main.rs",
            &format!("{main}\n\nfn main() {{ println!(\"{{}} {{}}\", select(9), select(10)); }}"),
        );
        assert_eq!(package.run(), "binomial ring\n");
        assert!(package.is_fresh());
        package.write("times.txt", "2 1 1 2");
        assert!(!package.is_fresh(), "an edit has the package built again");
        assert_eq!(package.run(), "ring binomial\n");
        assert!(package.is_fresh());
        package.write("notes.txt", "something");
        package.is_fresh()
    };
    assert!(!build("outside-in-memory", ""), "Cargo watches the whole package");
    assert!(build("outside-made-of", ".made_of(\"times.txt\")"), "Cargo watches what was named");
}
