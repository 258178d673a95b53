//! The text of a program of decision functions.

use std::fmt::Write as _;

use qtdec_build::ItemOptions;
use qtdec_core::DecisionTree;
use qtdec_core::code::Layout;

use super::Fault;

/// What asks the functions; they stand below it.
const HARNESS: &str = include_str!("harness.rs");

/// The program, with what its functions decide.
pub(super) struct Source {
    pub(super) text: String,
    /// What the decisions of each function add up to, for each set of queries.
    pub(super) sums: Vec<Vec<u64>>,
    /// Which of the functions there are.
    pub(super) written: Vec<bool>,
}

impl Source {
    pub(super) fn of(functions: &[(&DecisionTree, Layout)], asked: &[&[Vec<u64>]]) -> Result<Self, Fault> {
        let axes = functions.first().map_or(0, |(tree, _)| tree.domain().axes().len());
        let mut source = Self { text: HARNESS.to_owned(), sums: Vec::new(), written: Vec::new() };
        let mut list = String::new();
        for (tree, layout) in functions {
            let style = ItemOptions {
                parameter_type: "u64".to_owned(),
                returns: Some("Option<u64>".to_owned()),
                layout: (*layout).into(),
                ..ItemOptions::named("decide")
            };
            let file = match style.file(tree, "a map") {
                Ok(file) => file,
                Err(_) if *layout != Layout::Branches => {
                    source.written.push(false);
                    continue;
                }
                Err(problems) => return Err(Fault::NotWritten(problems)),
            };
            let number = source.sums.len();
            // As in a program of many calls, where it is not unrolled into a loop of the same queries.
            let file = file.replace("pub const fn decide(", "#[inline(never)]\npub const fn decide(");
            let sizes: Vec<String> = (0..axes).map(|axis| format!("query[{axis}]")).collect();
            let sizes = sizes.join(", ");
            // A string takes all that is written into it.
            let _ = writeln!(source.text, "mod function_{number} {{\n{file}}}\n");
            let _ = writeln!(list, "    |asked| sum(asked, |query| function_{number}::decide({sizes})),");
            source.sums.push(asked.iter().map(|queries| sum(tree, queries)).collect());
            source.written.push(true);
        }
        let _ = writeln!(
            source.text,
            "const AXES: usize = {axes};\nconst FUNCTIONS: &[fn(&[[u64; AXES]]) -> u64] = &[\n{list}];"
        );
        Ok(source)
    }
}

/// What the decisions of a tree add up to, as the functions return them: the id of a method, or else its index.
fn sum(tree: &DecisionTree, queries: &[Vec<u64>]) -> u64 {
    let number = |query: &Vec<u64>| {
        let method = tree.decide(query)?;
        Some(tree.domain().method(method).id.unwrap_or(method.get() as u64))
    };
    queries.iter().fold(0, |sum, query| sum.wrapping_add(number(query).unwrap_or(0)))
}
