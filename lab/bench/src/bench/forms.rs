//! The forms of a decision, each the source of a crate with `pub fn decide(comm_size: u64, msg_size: u64) -> u32`.

use std::path::PathBuf;

use qtdec_build::ItemOptions;
use qtdec_core::code::{self, LayoutChoice};
use qtdec_core::encode::{self, Encoder, Objective, Optimal, Quadtree};
use qtdec_core::{Borders, DecisionMap, DecisionTree, lookup};
use qtdec_papers::prototype::Prototype;

/// A form of a decision.
pub(super) struct Form {
    pub(super) name: String,
    pub(super) source: String,
    /// The data that the source includes.
    pub(super) data: Vec<u8>,
    /// Whether it decides like the map; hand-written rules do not.
    pub(super) is_exact: bool,
    /// The C library that it calls.
    pub(super) linked: Option<Linked>,
}

/// A C library, and its cost.
pub(super) struct Linked {
    pub(super) folder: PathBuf,
    pub(super) library: String,
    pub(super) compiler_seconds: f64,
    pub(super) text_bytes: u64,
    pub(super) table_bytes: u64,
}

/// Returns a tree in every layout, and an empty call.
pub(super) fn of_tree(tree: &DecisionTree) -> Result<Vec<Form>, String> {
    let nothing = form("nothing", "pub fn decide(_: u64, _: u64) -> u32 { 3 }\n");
    let is_quadtree = tree.statistics().encoding.name == "quadtree";
    let layouts = code::layouts().iter().filter(|layout| is_quadtree || layout.name() != "quadrants");
    let layouts = layouts.map(|layout| generated(layout.name(), LayoutChoice::Fixed(layout), tree));
    std::iter::once(Ok(nothing)).chain(layouts).collect()
}

/// Returns all forms of one map.
pub(super) fn all(map: &DecisionMap) -> Result<Vec<Form>, String> {
    let mut forms = vec![form("nothing", "pub fn decide(_: u64, _: u64) -> u32 { 3 }\n")];
    let tree = encoded(map, &Quadtree::default())?;
    forms.extend(layouts(&tree)?);
    forms.push(predicted(map)?);
    forms.push(in_memory(&tree)?);
    forms.extend(prototypes(map, &Quadtree::default())?);
    forms.push(form("ompi_1.2_bcast", include_str!("rules/ompi_1_2_bcast.rs")));
    forms.push(form("ompi_1.2_reduce", include_str!("rules/ompi_1_2_reduce.rs")));
    forms.push(form("ompi_4.1_bcast", include_str!("rules/ompi_4_1_bcast.rs")));
    Ok(forms)
}

/// Returns the rules of FT-MPI's line for broadcast and reduce.
pub(super) fn ft_mpi() -> [Form; 2] {
    [
        form("ft-mpi_bcast", include_str!("rules/ft_mpi_bcast.rs")),
        form("ft-mpi_reduce", include_str!("rules/ft_mpi_reduce.rs")),
    ]
}

/// Returns the papers' code, and their tree of nodes and pointers.
pub(super) fn prototypes(map: &DecisionMap, quadtree: &Quadtree) -> Result<[Form; 2], String> {
    let prototype = Prototype::new(map, quadtree)?;
    let exact = |name: &str, source: &str| Form { is_exact: true, ..form(name, source) };
    Ok([exact("paper", &prototype.code()), exact("pointers", &prototype.pointers())])
}

fn form(name: &str, source: &str) -> Form {
    let source = source.replace("pub fn decide", "#[inline(never)]\npub fn decide");
    Form { name: name.to_owned(), source, data: Vec::new(), is_exact: false, linked: None }
}

/// Returns the forms that users get, in every layout that supports a tree of any size.
pub(super) fn layouts(tree: &DecisionTree) -> Result<Vec<Form>, String> {
    let layouts = code::layouts().iter().filter(|layout| layout.name() != "select");
    layouts.map(|layout| generated(layout.name(), LayoutChoice::Fixed(layout), tree)).collect()
}

/// Returns the form without branches, if the tree is small enough.
pub(super) fn select(tree: &DecisionTree) -> Option<Form> {
    let layout = code::layouts().iter().find(|layout| layout.name() == "select")?;
    generated(layout.name(), LayoutChoice::Fixed(layout), tree).ok()
}

/// Returns the branches of the tree that should be easiest to predict for a processor.
fn predicted(map: &DecisionMap) -> Result<Form, String> {
    let optimal = Optimal { objective: Objective::Mispredictions, ..Optimal::default() };
    generated("branches_smallest", LayoutChoice::BRANCHES, &encoded(map, &optimal)?)
}

/// Returns the branches of the quadtree with borders where methods cross.
pub(super) fn crossing(map: &DecisionMap) -> Result<Form, String> {
    let tree = encode::encode(map, &Quadtree::default(), Borders::Crossing);
    generated("crossing", LayoutChoice::BRANCHES, &tree.map_err(|problem| problem.to_string())?)
}

pub(super) fn encoded(map: &DecisionMap, encoder: &dyn Encoder) -> Result<DecisionTree, String> {
    encode::encode(map, encoder, Borders::Floor).map_err(|problem| problem.to_string())
}

fn generated(name: &str, layout: LayoutChoice, tree: &DecisionTree) -> Result<Form, String> {
    let style = ItemOptions {
        parameter_type: "u64".to_owned(),
        returns: Some("u32".to_owned()),
        layout,
        ..ItemOptions::named("decide")
    };
    let source = style.file(tree, "map").map_err(|problems| problems.to_string())?;
    Ok(Form { is_exact: true, ..form(name, &source.replace("pub const fn decide", "pub fn decide")) })
}

/// Returns the form that is loaded with the first decision.
pub(super) fn in_memory(tree: &DecisionTree) -> Result<Form, String> {
    let source = "use std::sync::OnceLock;\nuse qtdec_lookup::Table;\n\
        static LOADED: OnceLock<Table<'static, 2>> = OnceLock::new();\n\
        pub fn decide(comm_size: u64, msg_size: u64) -> u32 {\n    \
        let Some(loaded) = LOADED.get() else { return load(comm_size, msg_size) };\n    \
        loaded.decide([comm_size, msg_size]).map_or(u32::MAX, u32::from)\n}\n\
        #[cold]\n#[inline(never)]\nfn load(comm_size: u64, msg_size: u64) -> u32 {\n    \
        LOADED.get_or_init(|| Table::load(include_bytes!(\"data\")).unwrap());\n    \
        decide(comm_size, msg_size)\n}\n";
    let data = lookup::table(tree).map_err(|too_large| format!("{too_large:?}"))?;
    Ok(Form { is_exact: true, data, ..form("memory_table", source) })
}
