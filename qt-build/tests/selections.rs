//! The machine code of selections: neither branches nor loads.

use std::fs;
use std::process::Command;

use qtdec_build::ItemOptions;
use qtdec_core::{Axis, DecisionMap, Document, Method, MethodIndex, Options};

/// Returns a map along two axes whose cells choose methods in turn; every `gap`-th cell is empty.
fn map(methods: usize, gap: usize) -> DecisionMap {
    let axes = vec![Axis::new("m", [1, 10, 100, 1000]), Axis::new("n", [1, 20, 300])];
    let mut named: Vec<Method> = (0..methods)
        .map(|number| Method { id: Some(7 * number as u64 % 11), ..Method::new(format!("m{number}")) })
        .collect();
    // It has no variant, and the numbers of the others are those of the enum.
    named.insert(1, Method { baseline: true, id: Some(99), ..Method::new(Method::BASELINE) });
    let domain = qtdec_core::Domain::new(None, axes, named).unwrap();
    let indexes: Vec<MethodIndex> = domain.choosable_methods(&[]).collect();
    let cells = (0..12).map(|cell| (cell % gap != gap - 1).then(|| indexes[cell * 5 % methods])).collect();
    DecisionMap::new(domain, cells).unwrap()
}

/// Returns the instructions of the only function of a library.
fn instructions(code: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let [source, assembly] = ["code.rs", "code.s"].map(|name| folder.path().join(name));
    fs::write(&source, code).unwrap();
    let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compiler.args(["--edition=2024", "--crate-type=lib", "-Copt-level=3", "--emit=asm", "-o"]);
    let output = compiler.arg(&assembly).arg(&source).output().expect("rustc runs");
    assert!(output.status.success(), "{}\n{code}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(assembly).unwrap();
    let lines = text.lines().skip_while(|line| !line.starts_with("decide:")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with(".Lfunc_end"));
    lines.map(str::trim).filter(|line| !line.starts_with('.')).map(str::to_owned).collect()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn selections_neither_branch_nor_load() {
    for (methods, gap) in [(3, 99), (3, 4), (5, 99), (5, 5), (11, 99), (11, 6), (10, 6), (7, 99), (9, 99)] {
        for returns in [None, Some("u8"), Some("u32"), Some("u64")] {
            let tree = Options::parse(&[("encoding", "optimal"), ("empty", "strict")]).unwrap();
            let tree = tree.tree(Document::Map(map(methods, gap))).unwrap();
            let options = ItemOptions {
                returns: returns.map(|ty| if gap < 99 { format!("Option<{ty}>") } else { ty.to_owned() }),
                optional: gap < 99,
                layout: qtdec_core::code::LayoutChoice::SELECT,
                ..ItemOptions::named("decide")
            };
            let file = options.file(&tree, "test").unwrap();
            assert!(!file.contains("Baseline"), "{file}");
            let code =
                file.replace("pub const fn decide", "#[unsafe(no_mangle)]\npub extern \"Rust\" fn decide");
            let instructions = instructions(&code);
            let is_branch = |line: &&String| line.starts_with('j') || line.starts_with("call");
            let is_load = |line: &&String| line.contains("(%r") && !line.starts_with("lea");
            let faults: Vec<&String> =
                instructions.iter().filter(|line| is_branch(line) || is_load(line)).collect();
            assert!(instructions.len() > 1, "{code}");
            assert_eq!(faults, [""; 0], "{methods} methods, a gap every {gap} cells, {returns:?}\n{code}");
        }
    }
}
