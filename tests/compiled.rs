//! Random maps, compiled: every emitted function is proved equal to its tree in every layout, and every exact tree to its
//! map.
//!
//! The functions go into one program. It is given all queries that could tell a function from its tree, with the answers
//! of the tree, and counts those on which they differ.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use qtdec_build::Style;
use qtdec_core::code::Layout;
use qtdec_core::encode::{self, Effort, Fill, Greedy, Quadtree, Terms};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Domain, Samples};
use qtdec_testkit::maps::{Chance, Pattern, Plan};
use qtdec_testkit::proof;

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

/// What the functions return where they give no decision.
const NONE: u64 = u64::MAX;

#[test]
fn random_maps() {
    let mut program = String::from(HEAD);
    let mut questions: Vec<u64> = Vec::new();
    let mut calls = String::new();
    let mut chance = Chance(0x5EED);
    let maps = SHAPES.into_iter().flat_map(|shape| PATTERNS.map(|pattern| (shape, pattern)));
    for (number, (shape, pattern)) in maps.enumerate() {
        let nulls = [0, 0, 10, 60][chance.below(4) as usize];
        let plan = Plan { nulls, ..Plan::new(shape, pattern, chance.below(u64::MAX)) };
        let (map, tree) = encoded(&plan, &mut chance);
        let arguments: Vec<String> = (0..shape.len()).map(|axis| format!("q[{axis}]")).collect();
        let arguments = arguments.join(", ");
        calls += "        &[\n";
        for (name, layout) in Layout::ALL {
            let function = format!("{name}_{number}");
            let style = Style {
                parameter_type: "u64".to_owned(),
                returns: Some("Option<u64>".to_owned()),
                layout,
                ..Style::named(&function)
            };
            program += &style.file(&tree, "a random map").unwrap();
            writeln!(calls, "            |q| {function}({arguments}).unwrap_or({NONE}),").unwrap();
        }
        calls += "        ],\n";
        ask(number, &map, &tree, &mut questions);
    }
    program += &MAIN.replace("CALLS", &calls);
    run(&program, &questions);
}

fn encoded(plan: &Plan, chance: &mut Chance) -> (DecisionMap, DecisionTree) {
    let mut map = plan.map();
    if chance.below(2) == 0 {
        map = spread(&map, chance);
    }
    let quadtree = Quadtree {
        max_depth: [None, None, Some(3)][chance.below(3) as usize],
        fill: [Fill::Stretch, Fill::Last][chance.below(2) as usize],
        ..Quadtree::default()
    };
    let mut encoders = encode::encoders();
    encoders[0] = Box::new(quadtree);
    let encoder = encoders.swap_remove(chance.below(encoders.len() as u64) as usize);
    let (_, borders) = Borders::ALL[chance.below(3) as usize];
    // Where the smallest tree takes long to find, a small one will do.
    let terms = Terms { borders, effort: Effort::BUILD, ..Terms::default() };
    let tree = encode::encode_on(&map, &*encoder, &terms);
    let tree = tree.or_else(|_| encode::encode_on(&map, &Greedy, &terms)).unwrap();
    (map, tree)
}

/// The same cells, sampled at sizes that grow by factors up to the largest there is.
fn spread(map: &DecisionMap, chance: &mut Chance) -> DecisionMap {
    let domain = map.domain();
    let mut axes = domain.axes().to_vec();
    for axis in &mut axes {
        let most = axis.len() as f64;
        let mut least = 0;
        let size = |sample: usize| {
            let size = 2_f64.powf(64.0 * (sample + 1) as f64 / most) as u64;
            let size = (size - chance.below(1 + size / 100)).max(least);
            least = size.saturating_add(1);
            size
        };
        axis.samples = Samples::Values((0..axis.len()).map(size).collect());
    }
    let domain = Domain::new(None, axes, domain.methods().to_vec()).unwrap();
    DecisionMap::new(domain, map.cells().to_vec()).unwrap()
}

/// Adds all queries: the number of the function, three sizes, the answer of the tree.
fn ask(number: usize, map: &DecisionMap, tree: &DecisionTree, questions: &mut Vec<u64>) {
    let sides = [proof::of_tree(tree), proof::of_map(map, tree.borders())];
    for query in proof::queries_of_tables(tree, &sides, u64::MAX) {
        let decision = tree.decide(&query);
        let exact = tree.statistics().encoding.quality.mismatches == 0;
        if let (true, Some(best)) = (exact, map.decide(&query, tree.borders())) {
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
    let (source, asked) = (folder.path().join("program.rs"), folder.path().join("questions"));
    fs::write(&source, program).unwrap();
    fs::write(&asked, questions.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>()).unwrap();
    for level in ["0", "3"] {
        let binary = folder.path().join(format!("program-{level}"));
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let compiled = Command::new(rustc)
            .args(["--edition=2024", "-C", &format!("opt-level={level}"), "-o"])
            .arg(&binary)
            .arg(&source)
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let said = said(&binary, &asked);
        assert_eq!(said, format!("{} asked, 0 wrong\n", questions.len() / 5), "at level {level}");
    }
}

fn said(binary: &Path, asked: &Path) -> String {
    let output = Command::new(binary).arg(asked).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}
