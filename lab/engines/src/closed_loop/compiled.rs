//! A tree as a user's function, compiled by rustc and called in a separate process.

use std::fmt::Write as _;
use std::process::Command;

use qtdec_build::ItemOptions;
use qtdec_core::code::LayoutChoice;
use qtdec_core::{DecisionTree, MethodIndex};
use qtdec_mpi_predict::predict::Size;
use tempfile::TempDir;

use xtask::files;
use xtask::run::rustc;

/// A program that reads lines `comm_size msg_size` from a file, and prints the number of the method for each.
const MAIN: &str = "
fn main() {
    let calls = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    for call in calls.lines() {
        let (comm_size, msg_size) = call.split_once(' ').unwrap();
        println!(\"{}\", decide(comm_size.parse().unwrap(), msg_size.parse().unwrap()));
    }
}
";

/// A compiled function.
pub(super) struct Compiled {
    folder: TempDir,
    tree: DecisionTree,
}

impl Compiled {
    /// Compiles the layout `select` of a tree.
    pub(super) fn build(tree: DecisionTree) -> Result<Self, String> {
        let style = ItemOptions {
            parameter_type: "u64".to_owned(),
            returns: Some("u32".to_owned()),
            layout: LayoutChoice::SELECT,
            ..ItemOptions::named("decide")
        };
        let source = style.file(&tree, "map").map_err(|problems| problems.to_string())?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("program.rs");
        files::write(&file, source + MAIN)?;
        let mut compiler = rustc();
        compiler.args(["--edition=2024", "-Copt-level=3", "--cap-lints=allow", "-o"]);
        compiler.arg(folder.path().join("program")).arg(&file).current_dir(folder.path());
        if !compiler.status().is_ok_and(|status| status.success()) {
            return Err(format!("{compiler:?} failed"));
        }
        Ok(Self { folder, tree })
    }

    /// Returns the index of the method that the function chooses for each call.
    pub(super) fn decide(&self, calls: &[Size]) -> Result<Vec<usize>, String> {
        let mut text = String::new();
        for call in calls {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{} {}", call.comm_size, call.msg_size);
        }
        let file = self.folder.path().join("calls");
        files::write(&file, text)?;
        let output = Command::new(self.folder.path().join("program")).arg(&file).output();
        let output = output.map_err(|error| error.to_string())?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let chosen: Vec<usize> = printed.lines().filter_map(|line| line.parse().ok()).collect();
        let expected = calls
            .iter()
            .map(|call| self.tree.decide(&[u64::from(call.comm_size), call.msg_size]).map(MethodIndex::get));
        if chosen.iter().copied().map(Some).eq(expected) {
            Ok(chosen)
        } else {
            Err("the compiled function does not decide as its tree".to_owned())
        }
    }
}
