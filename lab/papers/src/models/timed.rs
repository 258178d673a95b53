//! What decisions cost: their time beside that of a table, in one program for each map, and the bytes of their code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use qtdec_build::ItemOptions;
use qtdec_core::code::{self, LayoutChoice};
use qtdec_core::{DecisionMap, DecisionTree};
use xtask::files;
use xtask::run::{printed, rustc};

use super::cases::Case;
use super::learned::Learned;
use super::{Kind, WAYS, trees};

/// The time of a decision, and what it takes in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// Relative to the table of the exact quadtree.
    pub(super) time: f64,
    /// The bytes of code and constants; none for a model that has no compiled form.
    pub(super) bytes: Option<u64>,
}

/// The costs of all ways in a case, in the order of [`WAYS`]; none of the rule in use.
pub(super) type Costs = Vec<Option<Cost>>;

/// The models that `models.py` writes as C.
const COMPILED: [&str; 2] = ["forest", "boosting"];

/// A form in the program: what is linked, and the statement that calls it with `size`.
struct Form {
    bytes: u64,
    module: String,
    object: Option<PathBuf>,
}

/// Returns the costs in each case whose axes all have sizes, and whose points all have a method: a function is then complete.
pub(super) fn costs(cases: &[Case], learned: &Learned, folder: &Path) -> Result<Vec<Costs>, String> {
    let mut all = Vec::new();
    for (number, (case, in_python)) in cases.iter().zip(&learned.in_python).enumerate() {
        let has_sizes = case.map.domain().axes().iter().all(|axis| axis.values().is_some());
        if !has_sizes || case.map.cells().contains(&None) {
            continue;
        }
        let own = folder.join(number.to_string());
        files::folder(&own)?;
        let mut forms = vec![of_tree(&trees::tree(&case.map, &[])?, table(), &own.join("table.rs"))?];
        for (at, way) in WAYS.iter().enumerate() {
            match way.kind {
                Kind::Tree(options) => {
                    let tree = trees::tree(&case.map, options)?;
                    let layout = ItemOptions::named("decide").layout;
                    forms.push(of_tree(&tree, layout, &own.join(format!("tree_{at}.rs")))?);
                }
                Kind::Learned(name) if COMPILED.contains(&name) => {
                    forms.push(of_c(name, case.map.domain().axes().len(), &own)?);
                }
                Kind::Learned(_) | Kind::Baseline => {}
            }
        }
        let times = times(&forms, &case.map, &own)?;
        let mut compiled = forms.iter().zip(&times).skip(1);
        let of_way = |kind: Kind| match kind {
            Kind::Baseline => None,
            Kind::Learned(name) if !COMPILED.contains(&name) => {
                Some(Cost { time: in_python.get(name)? / times[0], bytes: None })
            }
            Kind::Tree(_) | Kind::Learned(_) => {
                let (form, time) = compiled.next()?;
                Some(Cost { time: time / times[0], bytes: Some(form.bytes) })
            }
        };
        all.push(WAYS.map(|way| way.kind).into_iter().map(of_way).collect());
    }
    Ok(all)
}

fn table() -> LayoutChoice {
    let table = code::layouts().iter().find(|layout| layout.name() == "table");
    LayoutChoice::Fixed(table.expect("there is a layout of this name"))
}

/// Returns the form of a tree, whose source is written to a file.
fn of_tree(tree: &DecisionTree, layout: LayoutChoice, path: &Path) -> Result<Form, String> {
    let options = ItemOptions {
        parameter_type: "u64".to_owned(),
        returns: Some("u32".to_owned()),
        layout,
        ..ItemOptions::named("decide")
    };
    let source = options.file(tree, "map").map_err(|problems| problems.to_string())?;
    // What takes part in the time is a call, as it is of C.
    files::write(path, source.replace("pub const fn decide", "#[inline(never)]\npub fn decide"))?;
    let object = path.with_extension("o");
    printed(optimised().args(["--crate-type=lib", "--emit=obj", "-o"]).arg(&object).arg(path))?;
    let sizes: Vec<String> = (0..tree.domain().axes().len()).map(|axis| format!("size[{axis}]")).collect();
    let module = format!(
        "#[path = \"{}\"]\nmod own;\npub fn decide(size: &[u64]) -> u32 {{ own::decide({}) }}\n",
        path.display(),
        sizes.join(", ")
    );
    Ok(Form { bytes: bytes(&object)?, module, object: None })
}

/// Returns the form of a model that stands as C in a folder of its name.
fn of_c(name: &str, axes: usize, own: &Path) -> Result<Form, String> {
    let folder = own.join(name);
    let entries = std::fs::read_dir(&folder).map_err(files::named(&folder))?;
    let mut objects = Vec::new();
    for source in entries.flatten().map(|entry| entry.path()) {
        if source.extension().is_some_and(|extension| extension == "c") {
            let object = source.with_extension("o");
            printed(Command::new("gcc").args(["-O2", "-c", "-o"]).arg(&object).arg(&source))?;
            objects.push(object);
        }
    }
    // All models have the same names in their code.
    let (object, symbol) = (own.join(format!("{name}.o")), format!("{name}_decide"));
    printed(Command::new("ld").arg("-r").args(&objects).arg("-o").arg(&object))?;
    printed(
        Command::new("objcopy")
            .args(["--redefine-sym", &format!("decide={symbol}"), "--keep-global-symbol", &symbol])
            .arg(&object),
    )?;
    let module = format!(
        "unsafe extern \"C\" {{ fn {symbol}(size: *const u64) -> u32; }}\n\
         pub fn decide(size: &[u64]) -> u32 {{ assert_eq!(size.len(), {axes}); unsafe {{ {symbol}(size.as_ptr()) }} }}\n"
    );
    Ok(Form { bytes: bytes(&object)?, module, object: Some(object) })
}

/// Returns the nanoseconds of a decision of each form.
fn times(forms: &[Form], map: &DecisionMap, own: &Path) -> Result<Vec<f64>, String> {
    let axes = map.domain().axes();
    let mut text = include_str!("../../models/harness.rs").to_owned();
    let ends = axes.iter().filter_map(|axis| Some((*axis.values()?.first()?, *axis.values()?.last()?)));
    let _ = writeln!(text, "\nconst ENDS: &[(u64, u64)] = &{:?};", ends.collect::<Vec<_>>());
    let names: Vec<String> = (0..forms.len()).map(|number| format!("form_{number}")).collect();
    for (name, form) in names.iter().zip(forms) {
        let module = own.join(format!("{name}.rs"));
        files::write(&module, &form.module)?;
        let _ = writeln!(text, "#[path = \"{}\"]\nmod {name};", module.display());
    }
    let calls: Vec<String> = names.iter().map(|name| format!("{name}::decide")).collect();
    let _ = writeln!(text, "const FORMS: &[fn(&[u64]) -> u32] = &[{}];", calls.join(", "));
    let (source, program) = (own.join("program.rs"), own.join("program"));
    files::write(&source, text)?;
    let mut compiler = optimised();
    for object in forms.iter().filter_map(|form| form.object.as_ref()) {
        compiler.arg(format!("-Clink-arg={}", object.display()));
    }
    printed(compiler.arg("-Clink-arg=-lm").arg("-o").arg(&program).arg(&source))?;
    let output = printed(&mut Command::new(&program))?;
    output.lines().map(|line| line.parse().map_err(|_| format!("not a time: {line}"))).collect()
}

fn optimised() -> Command {
    let mut command = rustc();
    command.args(["--edition=2024", "-Copt-level=3", "-Ccodegen-units=1", "--cap-lints=allow"]);
    command
}

/// Returns the bytes of code and constants in an object file.
fn bytes(object: &Path) -> Result<u64, String> {
    let listed = printed(Command::new("size").arg("-A").arg(object))?;
    let is_part = |line: &&str| [".text", ".rodata", ".data"].iter().any(|begin| line.starts_with(begin));
    let sizes =
        listed.lines().filter(is_part).filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    Ok(sizes.sum())
}
