//! Checks that lists in the documentation match the code.

use qtdec_build::ItemOptions;
use qtdec_core::code::{ERROR, LayoutChoice, TRUE_LABEL};
use qtdec_core::encode::encoders;
use qtdec_core::{Document, Options};

#[test]
fn every_option_is_listed_with_its_values() {
    let documentation = include_str!("../src/lib.rs");
    let rows: Vec<&str> = documentation.lines().filter(|line| line.starts_with("/// | `")).collect();
    let own = Options::forms().into_iter().map(|(form, _)| (form.name, form.value.split('|').collect()));
    let layouts = (LayoutChoice::OPTION, LayoutChoice::names());
    let of_code = [layouts, (TRUE_LABEL.name, vec![TRUE_LABEL.value]), (ERROR.name, vec![ERROR.value])];
    let options: Vec<(&str, Vec<&str>)> = own.chain(of_code).collect();
    assert_eq!(rows.len(), options.len());
    for (name, values) in options {
        let row = rows.iter().find(|row| row.starts_with(&format!("/// | `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("`{name}` is not listed"));
        for value in values.iter().filter(|_| values.len() > 1) {
            assert!(row.contains(&format!("`\"{value}\"`")), "{row}: `{value}` is missing");
        }
    }
    let row = rows.iter().find(|row| row.contains("`encoding`")).unwrap();
    for encoder in encoders() {
        assert!(row.contains(&format!("`\"{}\"`", encoder.name())), "{row}");
    }
}

/// The README and the attribute show what is generated for the same map.
#[test]
fn the_papers_form_is_the_generated_one() {
    let map = include_bytes!("../examples/maps/bcast.json");
    let branches = |depth: &str| {
        let options = Options::parse(&[("max_depth", depth)]).unwrap();
        let tree = options.tree(Document::from_json(map).unwrap()).unwrap();
        let returns = Some("&'static str".to_owned());
        let style = ItemOptions { returns, layout: LayoutChoice::QUADRANTS, ..ItemOptions::named("bcast") };
        let function = style.function(&tree, "bcast.json").unwrap();
        let start = function.find("    if comm_size").unwrap();
        function[start..].trim_end().trim_end_matches('}').trim_end().to_owned() + "\n"
    };
    assert!(include_str!("../README.md").contains(&branches("1")));
    let shown = branches("2").trim_end().replace('\n', "\n/// ");
    assert!(include_str!("../src/lib.rs").contains(&format!("/// {shown}\n")));
}

#[test]
fn every_file_that_the_architecture_names_is_there() {
    let text = include_str!("../ARCHITECTURE.md");
    let named: Vec<&str> =
        text.split('`').skip(1).step_by(2).filter(|word| word.rsplit('.').next() == Some("rs")).collect();
    let life = text.split("## The life of one cell").nth(1).and_then(|rest| rest.split("\n## ").next());
    let steps = life.expect("there is such a chapter").matches(".rs`").count();
    assert!(steps >= 15, "the chapter names {steps} files");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = [
        "",
        "qt-core/src",
        "qt-study/src",
        "mpi/library/src",
        "mpi/predict/src",
        "mpi/schedule/src",
        "qt-cli/src",
        "qt-core",
        "qt-study",
    ];
    for file in named {
        let is_there = file == "build.rs" || crates.iter().any(|one| root.join(one).join(file).is_file());
        assert!(is_there, "ARCHITECTURE.md names `{file}`, which is not there");
    }
}

#[test]
fn no_file_of_tests_is_forgotten() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut joined = 0;
    for package in ["qt-core", "qt-study", "mpi/predict", "mpi/schedule", "tests/commands"] {
        let read = |name: &str| std::fs::read_to_string(root.join(package).join(name)).unwrap();
        let (manifest, main) = (read("Cargo.toml"), read("tests/main.rs"));
        for entry in std::fs::read_dir(root.join(package).join("tests")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let is_module = main.lines().any(|line| line == format!("mod {name};"));
            let is_binary = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            joined += usize::from(is_module);
            let has_tests = path.extension().is_some_and(|extension| extension == "rs");
            assert!(
                name == "main" || !has_tests || is_module != is_binary,
                "{package}/tests/{name}.rs is either `mod {name};` in tests/main.rs or a `[[test]]` of the manifest"
            );
            // Files of a folder with a `main.rs` of its own.
            if path.join("main.rs").is_file() {
                assert!(
                    main.contains(&format!("#[path = \"{name}/main.rs\"]\nmod {name};")),
                    "{package}/tests/{name}"
                );
            }
        }
    }
    assert!(joined > 40, "{joined} files share a binary");
}

/// The gains on the front pages are those that a command prints in the guide.
#[test]
fn gains_are_those_of_the_guide() {
    let chapter = include_str!("../guide/src/cargo-bench.md");
    let line = chapter.lines().find(|line| line.starts_with("gain ")).expect("the chapter shows a gain");
    let gains: Vec<String> = line
        .split(" %")
        .filter_map(|part| part.rsplit([' ', ',']).next())
        .map(|gain| gain.trim_start_matches('+').to_owned())
        .collect();
    let [over_method, over_threshold, ..] = &gains[..] else { panic!("two gains: {line}") };
    for page in [include_str!("../README.md"), include_str!("../examples/general/README.md")] {
        for gain in [over_method, over_threshold] {
            assert!(gain.parse::<f64>().is_ok() && page.contains(&format!("{gain} %")), "{gain} of {line}");
        }
    }
}
