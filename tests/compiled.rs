//! Random maps, compiled: every generated function is proved equal to its tree in every layout, and every exact tree
//! to its map.
//!
//! All functions are in one program. It receives every query that could distinguish a function from its tree, with
//! the answers of the tree, and counts the differences.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_build::ItemOptions;
use qtdec_core::code::{LayoutChoice, MAX_SELECTED, layouts};
use qtdec_core::encode::{self, EncodeSettings, Encoder as _, Fill, Greedy, Quadtree, SearchLimit};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Domain, Samples};
use qtdec_testkit::maps::{Pattern, Plan, TestRng};
use qtdec_testkit::proof;
use qtdec_testkit::sample::one_in;

const PATTERNS: [Pattern; 7] = [
    Pattern::Noise,
    Pattern::Smooth,
    Pattern::Stripes,
    Pattern::Checkerboard,
    Pattern::Corner,
    Pattern::Equal,
    Pattern::Different,
];

const SHAPES: [&[usize]; 12] = [
    &[1],
    &[2],
    &[70],
    &[1, 1],
    &[1, 33],
    &[33, 1],
    &[7, 12],
    &[25, 48],
    &[70, 70],
    &[16, 16],
    &[3, 4, 5],
    &[8, 8, 8],
];

/// The number that represents no decision.
const NONE: u64 = u64::MAX;

#[test]
fn random_maps() {
    let mut program = Program::default();
    let mut rng = TestRng(0x5EED);
    for (shape, pattern) in SHAPES.into_iter().flat_map(|shape| PATTERNS.map(|pattern| (shape, pattern))) {
        let nulls = [0, 0, 10, 60][rng.below(4) as usize];
        let plan = Plan { nulls, ..Plan::new(shape, pattern, rng.below(u64::MAX)) };
        let (map, tree) = encoded(&plan, &mut rng);
        program.add(&map, &tree, "Option<u64>");
    }
    assert!(program.selected > 50);
    program.run();
}

/// Between two samples, a method may not run although it runs at both: powers of two, and as many elements as ranks.
#[test]
fn methods_that_may_not_run_everywhere() {
    let mut program = Program::default();
    let mut rng = TestRng(0xF00D);
    let shapes: [&[usize]; 4] = [&[9], &[7, 12], &[12, 7], &[3, 4, 5]];
    for (shape, pattern) in shapes.into_iter().flat_map(|shape| PATTERNS.map(|pattern| (shape, pattern))) {
        let nulls = [0, 20][rng.below(2) as usize];
        let plan = Plan { nulls, requires: true, ..Plan::new(shape, pattern, rng.below(u64::MAX)) };
        let map = plan.map();
        let tree = encode::encode(&map, &Greedy, Borders::Floor).unwrap();
        program.guarded += usize::from(!tree.guards().is_empty());
        program.add(&map, &tree, "Option<u64>");
    }
    assert!(program.guarded > 10, "{} trees have conditions", program.guarded);
    program.run();
}

/// Names that occur in generated code, or that it depends on.
const HOSTILE: [&str; 31] = [
    "QTDEC_TABLE",
    "QTDEC_TABLE_",
    "QTDEC_AXIS_0",
    "QTDEC_AXIS_1",
    "qtdec_select",
    "qtdec_part_0",
    "qtdec_part_1",
    "qtdec_step_0",
    "qtdec_step_1",
    "qtdec_step_1_",
    "above",
    "below",
    "cell",
    "chosen",
    "decided",
    "decided_",
    "index",
    "label",
    "place",
    "size",
    "test",
    "threshold",
    "unmapped",
    "core",
    "std",
    "u64",
    "usize",
    "Option",
    "bool",
    "matches",
    "main",
];

/// Tries each name on each axis, in maps with few and many sizes and methods: small enough for selections, as a
/// whole, and in parts.
#[test]
fn axes_called_like_what_is_generated() {
    let mut program = Program::default();
    let mut rng = TestRng(0xBAD);
    let large: [&[usize]; 5] = [&[7, 12], &[25, 48], &[16, 16], &[8, 8, 8], &[25, 25]];
    let small: [&[usize]; 3] = [&[5, 6], &[3, 4, 4], &[12, 2]];
    for number in 0..HOSTILE.len() {
        let names = [0, 5, 11].map(|step| HOSTILE[(number + step) % HOSTILE.len()]);
        let pattern = [Pattern::Noise, Pattern::Smooth, Pattern::Different][number % 3];
        let nulls = [0, 30][number % 2];
        for shape in [large[number % large.len()], small[number % small.len()]] {
            let plan = Plan { nulls, ..Plan::new(shape, pattern, rng.below(u64::MAX)) };
            let map = if number % 4 == 0 { spread(&plan.map(), &mut rng) } else { plan.map() };
            let map = renamed(&map, &names);
            let tree = encode::encode(&map, &Quadtree::default(), Borders::Floor).unwrap();
            program.add(&map, &tree, ["Option<u64>", "Option<&'static str>"][number / 2 % 2]);
        }
    }
    assert!(program.selected >= HOSTILE.len());
    program.run();
}

/// Returns the same map with other names of its axes.
fn renamed(map: &DecisionMap, names: &[&str]) -> DecisionMap {
    let mut axes = map.domain().axes().to_vec();
    for (axis, name) in axes.iter_mut().zip(names) {
        (*name).clone_into(&mut axis.name);
    }
    let domain = Domain::new(None, axes, map.domain().methods().to_vec()).unwrap();
    DecisionMap::new(domain, map.cells().to_vec()).unwrap()
}

/// A program of functions, with their queries.
#[derive(Default)]
struct Program {
    functions: String,
    /// For each tree, the functions of all layouts.
    calls: String,
    /// The number of the tree, three sizes, and the expected answer.
    questions: Vec<u64>,
    trees: usize,
    /// The number of functions that were small enough for selections.
    selected: usize,
    /// The number of functions with conditions.
    guarded: usize,
}

impl Program {
    /// Adds the functions of a tree in every layout, with all queries that could distinguish one from the tree.
    fn add(&mut self, map: &DecisionMap, tree: &DecisionTree, returns: &str) {
        let arguments: Vec<String> =
            (0..map.domain().axes().len()).map(|axis| format!("q[{axis}]")).collect();
        let arguments = arguments.join(", ");
        let number = self.trees;
        self.calls += "        &[\n";
        for &layout in layouts() {
            let name = layout.name();
            let function = format!("{name}_{number}");
            let style = ItemOptions {
                parameter_type: "u64".to_owned(),
                returns: Some(returns.to_owned()),
                layout: LayoutChoice::Fixed(layout),
                ..ItemOptions::named(&function)
            };
            if name == "select" && tree.root().leaves() > MAX_SELECTED {
                assert!(
                    style.file(tree, "a map").unwrap_err().to_string().contains("use `layout = \"table\"`")
                );
                continue;
            }
            if name == "quadrants" && tree.statistics().encoding.name != Quadtree::default().name() {
                assert!(style.file(tree, "a map").unwrap_err().to_string().contains("writes quadtrees"));
                continue;
            }
            self.selected += usize::from(name == "select");
            self.functions += &style.file(tree, "a map").unwrap();
            writeln!(self.calls, "            |q| {function}({arguments}).map_or({NONE}, Id::id),").unwrap();
        }
        self.calls += "        ],\n";
        ask(number, map, tree, &mut self.questions);
        self.trees += 1;
    }

    fn run(&self) {
        run(&[HEAD, &self.functions, &MAIN.replace("CALLS", &self.calls)].concat(), &self.questions);
    }
}

fn encoded(plan: &Plan, rng: &mut TestRng) -> (DecisionMap, DecisionTree) {
    let mut map = plan.map();
    if rng.below(2) == 0 {
        map = spread(&map, rng);
    }
    let quadtree = Quadtree {
        max_depth: [None, None, Some(3)][rng.below(3) as usize],
        fill: [Fill::Stretch, Fill::Last][rng.below(2) as usize],
        ..Quadtree::default()
    };
    let mut encoders = encode::encoders();
    encoders[0] = Box::new(quadtree);
    let encoder = encoders.swap_remove(rng.below(encoders.len() as u64) as usize);
    let (_, borders) = Borders::ALL[rng.below(Borders::ALL.len() as u64) as usize];
    // If the smallest tree takes long to find, any small tree suffices.
    let settings = EncodeSettings { borders, search_limit: SearchLimit::BUILD, ..EncodeSettings::default() };
    let tree = encode::encode_with(&map, &*encoder, &settings);
    let tree = tree.or_else(|_| encode::encode_with(&map, &Greedy, &settings)).unwrap();
    (map, tree)
}

/// Returns the same cells, with sizes that grow by factors up to the largest possible one.
fn spread(map: &DecisionMap, rng: &mut TestRng) -> DecisionMap {
    let domain = map.domain();
    let mut axes = domain.axes().to_vec();
    for axis in &mut axes {
        let most = axis.len() as f64;
        let mut least = 0;
        let size = |sample: usize| {
            let size = 2_f64.powf(64.0 * (sample + 1) as f64 / most) as u64;
            let size = (size - rng.below(1 + size / 100)).max(least);
            least = size.saturating_add(1);
            size
        };
        axis.samples = Samples::Values((0..axis.len()).map(size).collect());
    }
    let domain = Domain::new(None, axes, domain.methods().to_vec()).unwrap();
    DecisionMap::new(domain, map.cells().to_vec()).unwrap()
}

/// Adds all queries: the number of the function, three sizes, and the answer of the tree.
fn ask(number: usize, map: &DecisionMap, tree: &DecisionTree, questions: &mut Vec<u64>) {
    let sides = [proof::of_tree(tree), proof::of_gaps(tree)];
    for query in proof::queries_of_tables(tree, &sides, u64::MAX) {
        let decision = tree.decide(&query);
        let exact = tree.statistics().encoding.quality.mismatches == 0;
        if let (true, Some(best)) = (exact, proof::by_map(map, tree, &query)) {
            assert_eq!(decision, Some(best), "map {number} at {query:?}");
        }
        let id = decision.map_or(NONE, |method| tree.domain().method(method).id.unwrap());
        questions.push(number as u64);
        questions.extend((0..3).map(|axis| query.get(axis).copied().unwrap_or(0)));
        questions.push(id);
    }
}

const HEAD: &str = "#![deny(warnings)]\n";

const MAIN: &str = "
trait Id {
    fn id(self) -> u64;
}

impl Id for u64 {
    fn id(self) -> u64 {
        self
    }
}

impl Id for &str {
    fn id(self) -> u64 {
        100 + self.strip_prefix(\"method \").unwrap().parse::<u64>().unwrap()
    }
}

fn main() {
    let functions: &[&[fn(&[u64]) -> u64]] = &[
CALLS    ];
    let mut arguments = std::env::args_os().skip(1);
    let bytes = std::fs::read(arguments.next().unwrap()).unwrap();
    let numbers: Vec<u64> = bytes.chunks_exact(8).map(|chunk| u64::from_ne_bytes(chunk.try_into().unwrap())).collect();
    let mut wrong = 0;
    for question in numbers.chunks_exact(5) {
        for (layout, function) in functions[question[0] as usize].iter().enumerate() {
            let answer = function(&question[1..4]);
            if answer != question[4] {
                wrong += 1;
                if wrong < 10 {
                    println!(
                        \"map {} in layout {layout} at {:?}: {answer}, not {}\",
                        question[0],
                        &question[1..4],
                        question[4]
                    );
                }
            }
        }
    }
    println!(\"{} asked, {wrong} wrong\", numbers.len() / 5);
}
";

fn run(program: &str, questions: &[u64]) {
    let folder = tempfile::tempdir().unwrap();
    let (source, requested) = (folder.path().join("program.rs"), folder.path().join("questions"));
    fs::write(&source, program).unwrap();
    fs::write(&requested, questions.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>())
        .unwrap();
    for level in ["0", "3"].into_iter().step_by(one_in(2)) {
        let binary = folder.path().join(format!("program-{level}"));
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let compiled = Command::new(rustc)
            .args(["--edition=2024", "-C", &format!("opt-level={level}"), "-o"])
            .arg(&binary)
            .arg(&source)
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let said = said(&binary, &requested);
        assert_eq!(said, format!("{} asked, 0 wrong\n", questions.len() / 5), "at level {level}");
    }
}

fn said(binary: &Path, requested: &Path) -> String {
    let output = Command::new(binary).arg(requested).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}
