//! Maps whose names are keywords or macros, or become equal as identifiers, in every language and layout: the
//! generated code compiles and decides like the interpreter, or the name is rejected with its place.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_build::{EnumItem, ItemOptions};
use qtdec_core::code::LayoutChoice;
use qtdec_core::encode::{self, Quadtree};
use qtdec_core::naming::{snake, upper_camel};
use qtdec_core::{Axis, Borders, DecisionMap, DecisionTree, Domain, Method, Place, Problems, Samples};
use qtdec_terminal::c_header::{Shape, header};
use qtdec_testkit::maps::TestRng;

const AXES: [&str; 44] = [
    "int",
    "_Bool",
    "BCAST_A",
    "BCAST_NONE",
    "method",
    "select",
    "decide",
    "algorithm",
    "uint64_t",
    "UINT64_MAX",
    "UINT64_C",
    "INT8_MAX",
    "I",
    "linux",
    "unix",
    "contract_assert",
    "typeof_unqual",
    "constexpr",
    "nullptr",
    "requires",
    "co_await",
    "char8_t",
    "alignas",
    "restrict",
    "wchar_t",
    "import",
    "errno",
    "__LINE__",
    "_x",
    "op",
    "Op",
    "OP",
    "size",
    "threshold",
    "below",
    "chosen",
    "index",
    "place",
    "QTDEC_TABLE",
    "qtdec_select",
    "qtdec_step_0",
    "bcast",
    "Some",
    "None",
];
const METHODS: [&str; 26] = [
    "a",
    "A",
    "b",
    "none",
    "None",
    "some",
    "op_a",
    "op-b",
    "method a",
    "x\u{202e}y",
    "\u{2066}z",
    "q\"uote\\",
    "??/",
    "*/ //",
    "größe",
    "decide",
    "all",
    "2d",
    "max",
    "c",
    "select",
    "id",
    "self",
    "h",
    "{}",
    "{{0}}",
];
const LABELS: [&str; 10] = ["a", "b", "c", "A b", "x\u{202e}", "none", "2", "self", "*/", "true"];
const COLLECTIVES: [&str; 8] =
    ["bcast", "b\rcast", "\u{202e}bcast", "*/", "a\n/// b", "\u{1b}[31m", "`", "\u{2028}"];
const UNITS: [&str; 6] = ["bytes", "by\rtes", "\u{2066}", "*/", "\u{1b}[31m", "a\nb"];
const FUNCTIONS: [&str; 8] = ["bcast", "op", "uint64", "int8", "qtdec", "größe", "method", "main_"];

/// Every layout of Rust.
const LAYOUTS: [&str; 3] = ["branches", "table", "select"];

struct Hostile {
    tree: DecisionTree,
    function: &'static str,
}

impl Hostile {
    fn draw(rng: &mut TestRng) -> Option<Self> {
        let mut pick = |names: &[&'static str]| names[rng.below(names.len() as u64) as usize];
        let axes: Vec<Axis> = (0..2 + usize::from(pick(&["", "3"]) == "3"))
            .map(|_| {
                let mut axis = Axis::new(pick(&AXES), [1, 8, 1024]);
                if pick(&["size", "size", "label"]) == "label" {
                    axis.samples = Samples::Labels(
                        [pick(&LABELS), pick(&LABELS), pick(&LABELS)].map(str::to_owned).into(),
                    );
                } else {
                    axis.unit = Some(pick(&UNITS).to_owned());
                }
                axis
            })
            .collect();
        let methods: Vec<Method> = (0..5).map(|_| Method::new(pick(&METHODS))).collect();
        let (collective, function) = (pick(&COLLECTIVES).to_owned(), pick(&FUNCTIONS));
        let cells: usize = axes.iter().map(Axis::len).product();
        let domain = Domain::new(Some(collective), axes, methods).ok()?;
        let indexes: Vec<_> = domain.method_indexes().map(Some).collect();
        let cells = (0..cells).map(|_| indexes[rng.below(5) as usize]).collect();
        let map = DecisionMap::new(domain, cells).expect("the cells are those of the grid");
        let tree =
            encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
        Some(Self { tree, function })
    }

    /// Returns sizes on both sides of every border, with the decisions.
    fn points(&self) -> Vec<(Vec<u64>, usize)> {
        let sizes = |axis: &Axis| match axis.values() {
            Some(_) => vec![0, 1, 7, 8, 1023, 1024, u64::from(u32::MAX)],
            None => (0..axis.len() as u64).collect(),
        };
        let points =
            self.tree.domain().axes().iter().fold(vec![Vec::new()], |points: Vec<Vec<u64>>, axis| {
                let extended = |point: &Vec<u64>| {
                    sizes(axis).into_iter().map(|size| [&point[..], &[size]].concat()).collect::<Vec<_>>()
                };
                points.iter().flat_map(extended).collect()
            });
        let decided = |point: Vec<u64>| {
            let method = self.tree.decide(&point).expect("every cell has a method").get();
            (point, method)
        };
        points.into_iter().map(decided).collect()
    }

    /// Returns a module with the function, and a block that evaluates it.
    fn rust(&self, layout: &str, module: &str) -> Result<String, Problems> {
        let layout = LayoutChoice::parse(layout).expect("it is one of them");
        let (enum_items, notes) = (vec![EnumItem::Name], vec!["a\n}\r\u{202e}".to_owned()]);
        let options = ItemOptions { layout, enum_items, notes, ..ItemOptions::named(self.function) };
        let file = options.file(&self.tree, "a\r\u{202e}\u{1b}[0m.json")?;
        let argument = |(axis, size): (&Axis, &u64)| match &axis.samples {
            Samples::Values(_) => size.to_string(),
            Samples::Labels(labels) => {
                format!("{module}::{}::{}", upper_camel(&axis.name), upper_camel(&labels[*size as usize]))
            }
        };
        let axes = self.tree.domain().axes();
        let mut requested = String::new();
        for (point, method) in self.points() {
            let arguments: Vec<String> = axes.iter().zip(&point).map(argument).collect();
            let label = self.tree.domain().methods()[method].label();
            let _ = writeln!(requested, "({}, {:?}),", arguments.join(", "), label);
        }
        let names: Vec<String> = (0..axes.len()).map(|axis| format!("v{axis}")).collect();
        let names = names.join(", ");
        Ok(format!(
            "mod {module} {{\n{file}\n}}\n#[test]\nfn ask_{module}() {{ for ({names}, label) in [{requested}] {{ \
             assert_eq!({module}::{}({names}).name(), label); }} }}\n",
            snake(self.function)
        ))
    }

    /// Returns a program that includes the header, and fails if it decides differently.
    fn c(&self, shape: Shape) -> String {
        let header = header(&self.tree, self.function, "a\r\u{202e}*/.json", shape);
        let prefix = snake(self.function).replace(|char: char| !char.is_ascii_alphanumeric(), "_");
        let axes = self.tree.domain().axes().len();
        let mut points = String::new();
        for (point, method) in self.points() {
            let sizes: Vec<String> = point.iter().map(ToString::to_string).collect();
            let _ = writeln!(points, "    {{ {{ {} }}, {method} }},", sizes.join(", "));
        }
        let is_label = |axis: usize| self.tree.domain().axes()[axis].values().is_none();
        let cast = |axis| if is_label(axis) { "(int) " } else { "" };
        let arguments: Vec<String> =
            (0..axes).map(|axis| format!("{}zz[i].size[{axis}]", cast(axis))).collect();
        format!(
            "#include <errno.h>\n#include <limits.h>\n#include <stdio.h>\n{header}\n\
             static const struct {{ uint64_t size[{axes}]; int method; }} zz[] = {{\n{points}}};\n\
             int main(void)\n{{\n    unsigned i;\n    for (i = 0; i < sizeof zz / sizeof zz[0]; i++)\n        \
             if ((int) {prefix}_decide({}) != zz[i].method) return 1;\n    return 0;\n}}\n",
            arguments.join(", ")
        )
    }
}

fn hostile(seed: u64, count: usize) -> Vec<Hostile> {
    let mut rng = TestRng(seed);
    let mut found = Vec::new();
    while found.len() < count {
        found.extend(Hostile::draw(&mut rng));
    }
    found
}

#[test]
fn rust_compiles_and_decides_like_the_tree_or_names_the_fault() {
    let mut text = String::new();
    let mut refused = 0;
    for (number, hostile) in hostile(1, 60).iter().enumerate() {
        for layout in LAYOUTS {
            match hostile.rust(layout, &format!("m{number}_{layout}")) {
                Ok(module) => text.push_str(&module),
                Err(problems) => {
                    refused += 1;
                    for problem in &problems {
                        let is_asked = problem.to_string().contains("cannot be the name of");
                        assert!(is_asked || !matches!(problem.place, Place::File), "{problem}");
                    }
                }
            }
        }
    }
    assert!((15..165).contains(&refused), "{refused} of 180 are refused");
    let folder = tempfile::tempdir().expect("there is room for a folder");
    fs::write(folder.path().join("hostile.rs"), &text).expect("it is writable");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut build = Command::new(rustc);
    build.args([
        "--edition",
        "2024",
        "--test",
        "--cap-lints=warn",
        "-Awarnings",
        "-Dtext_direction_codepoint_in_literal",
    ]);
    build.args(["-Dtext_direction_codepoint_in_comment", "-o", "hostile", "hostile.rs"]);
    succeeds(build.current_dir(folder.path()), &text);
    succeeds(&mut Command::new(folder.path().join("hostile")), &text);
}

#[test]
fn headers_compile_as_c_and_cpp_and_decide_like_the_tree() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let compilers = [("gcc", "main.c", "-std=gnu17"), ("g++", "main.cpp", "-std=gnu++20")];
    let there: Vec<_> = compilers
        .into_iter()
        .filter(|(compiler, ..)| {
            let found = Command::new(compiler).arg("--version").output().is_ok();
            if !found {
                eprintln!("skipped: there is no {compiler}");
            }
            found
        })
        .collect();
    for hostile in hostile(2, 16) {
        for shape in [Shape::Branches, Shape::Quadrants { error: Some("*/ %n") }, Shape::Select] {
            let text = hostile.c(shape);
            for (compiler, file, standard) in &there {
                fs::write(folder.path().join(file), &text).expect("it is writable");
                let mut build = Command::new(compiler);
                build.args([standard, "-Wall", "-Wextra", "-Werror", "-Wbidi-chars=any", "-o", "ask", file]);
                succeeds(build.current_dir(folder.path()), &text);
                succeeds(&mut Command::new(folder.path().join(Path::new("ask"))), &text);
            }
        }
    }
}

/// An axis named like a constant once hid it, so that every method had the number of the size.
#[test]
fn an_axis_named_like_a_method_of_the_header_does_not_hide_it() {
    let axes = vec![Axis::new("BCAST_A", [1, 8]), Axis::new("method", [1, 8])];
    let domain = Domain::new(None, axes, vec![Method::new("a"), Method::new("b")]).expect("it is one");
    let methods: Vec<_> = domain.method_indexes().map(Some).collect();
    let map =
        DecisionMap::new(domain, vec![methods[0], methods[0], methods[1], methods[0]]).expect("it is one");
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    let text = header(&tree, "bcast", "map.json", Shape::Branches);
    assert!(text.contains("bcast_decide(uint64_t BCAST_A_, uint64_t method)"), "{text}");
}

#[test]
fn enums_of_labels_that_would_be_one_are_refused() {
    let labels = |name: &str| Axis {
        samples: Samples::Labels(["a", "b", "c"].map(str::to_owned).into()),
        ..Axis::new(name, [])
    };
    let domain =
        Domain::new(None, vec![labels("op"), labels("Op")], vec![Method::new("ring")]).expect("it is one");
    let method = domain.method_indexes().next();
    let map = DecisionMap::new(domain, vec![method; 9]).expect("it is one");
    let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).expect("a quadtree needs nothing");
    let problems =
        ItemOptions::named("bcast").file(&tree, "map.json").expect_err("there cannot be two of one name");
    assert_eq!(
        problems.to_string(),
        "axes[1].name: the labels of `op` and of `Op` would both be the enum `Op` (rename the axis, or use \
             an enum of your own with `axis_type` of the builder)"
    );
}

fn succeeds(command: &mut Command, text: &str) {
    let output = command.output().expect("it can be run");
    let said = [output.stdout, output.stderr].concat();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&said);
        panic!(
            "{}\n{}",
            said.chars().take(6000).collect::<String>(),
            if text.len() < 20000 { text } else { "" }
        );
    }
}
