//! The output of programs whose `main` returns an error of this package.

use std::process::{Command, Termination};

use qtdec_build::{Builder, Error, Problems};
use qtdec_core::{Document, Options};

/// The environment variable that turns this test into the program: it names the error that `main` returns.
const PROGRAM: &str = "QTDEC_RETURNED";

const MAP: &[u8] =
    br#"{"format": "qtdec-map/1", "axes": [{"name": "n", "values": [2, 1]}], "methods": ["a", "a"]}"#;

fn problems() -> Result<(), Problems> {
    Options::parse(&[("max_depth", "3")])?.tree(Document::from_json(MAP)?)?;
    Ok(())
}

fn options() -> Result<(), Problems> {
    let options = Options::parse(&[("max_deep", "3"), ("threshold", "120")])?;
    options.tree(Document::from_json(MAP)?).map(drop)
}

fn build_script() -> Result<(), Error> {
    Options::parse(&[("max_deep", "3")])?;
    Builder::new().generate()
}

fn no_map() -> Result<(), Error> {
    Builder::new().generate()
}

/// Runs this test as a separate program, and returns what its `main` prints.
fn printed(program: &str) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "the_text_of_an_error_is_printed", "--nocapture"]).env(PROGRAM, program);
    String::from_utf8(child.output().unwrap().stderr).unwrap()
}

#[test]
fn the_text_of_an_error_is_printed() {
    if let Ok(program) = std::env::var(PROGRAM) {
        // This is what Rust's runtime does with the result of `main`.
        match &*program {
            "problems" => problems().report(),
            "options" => options().report(),
            "build script" => build_script().report(),
            _ => no_map().report(),
        };
        std::process::exit(1)
    }
    assert_eq!(
        printed("problems"),
        "Error: methods[0]: expected an object, found `\"a\"`\n\
         methods[1]: expected an object, found `\"a\"`\n\
         axes[0].values[1]: `values` must increase: 1 comes after 2 (sort the values, and the entries of `cells` with them)\n\
         the key `cells` is missing\n"
    );
    assert_eq!(
        printed("options"),
        "Error: unknown option `max_deep`: did you mean `max_depth`?\n\
         `threshold` is a number from 0 to 100, not `120`\n"
    );
    assert_eq!(printed("build script"), "Error: unknown option `max_deep`: did you mean `max_depth`?\n");
    assert_eq!(printed("no map"), "Error: no map was named: call `map(\"maps/file.json\")`\n");
}
