//! Programs that some compilers translate wrongly with optimisation, in the form that the crate uses instead.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, clippy::disallowed_types)]

use std::path::Path;
use std::process::Command;

/// The result of the closure depends on the compiler and is not checked; it is printed for information.
#[test]
fn a_cell_is_not_changed_by_asking_for_its_neighbour() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/optimised/closure.rs");
    let folder = tempfile::tempdir().unwrap();
    for level in ["0", "1", "2", "3"] {
        let binary = folder.path().join(format!("closure-{level}"));
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut compile = Command::new(rustc);
        compile.args(["--edition=2024", "-C", &format!("opt-level={level}"), "-o"]).arg(&binary).arg(&source);
        let compiled = compile.output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let said = String::from_utf8(Command::new(&binary).output().unwrap().stdout).unwrap();
        println!("at level {level}:\n{said}");
        assert_eq!(said.lines().next(), Some("function [4, 5, 5]"), "at level {level}");
    }
}
