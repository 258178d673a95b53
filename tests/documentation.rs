//! What the documentation lists is what there is.

use qtdec_core::Options;
use qtdec_core::encode::{OptionForm, encoders};

#[test]
fn every_option_is_listed_with_its_values() {
    let documentation = include_str!("../src/lib.rs");
    let rows: Vec<&str> = documentation.lines().filter(|line| line.starts_with("/// | `")).collect();
    let forms: Vec<OptionForm> =
        Options::forms().into_iter().map(|(form, _)| form).chain(Options::forms_of_code()).collect();
    assert_eq!(rows.len(), forms.len());
    for form in forms {
        let row = rows.iter().find(|row| row.starts_with(&format!("/// | `{}` |", form.name)));
        let row = row.unwrap_or_else(|| panic!("`{}` is not listed", form.name));
        for value in form.value.split('|').filter(|_| form.value.contains('|')) {
            assert!(row.contains(&format!("`\"{value}\"`")), "{row}: `{value}` is missing");
        }
    }
    let row = rows.iter().find(|row| row.contains("`encoding`")).unwrap();
    for encoder in encoders() {
        assert!(row.contains(&format!("`\"{}\"`", encoder.name())), "{row}");
    }
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
    let rooms = ["", "qt-core/src", "qt-mpi/src", "qt-tune/src", "qt-core", "qt-tune"];
    for file in named {
        let is_there = file == "build.rs" || rooms.iter().any(|room| root.join(room).join(file).is_file());
        assert!(is_there, "ARCHITECTURE.md names `{file}`, which is not there");
    }
}
