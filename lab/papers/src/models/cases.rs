//! The measured maps of the project.

use qtdec_core::DecisionMap;
use qtdec_papers::read;
use qtdec_study::notes::Notes;
use qtdec_study::readers::{self, ReadOptions};
use qtdec_study::selection::Recipe;
use xtask::run::root;

/// A measured map.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) map: DecisionMap,
    /// The same measured a second time.
    pub(super) again: Option<DecisionMap>,
}

/// The collectives that were measured on Fugaku.
const FUGAKU: [&str; 8] =
    ["allgather", "allreduce", "alltoall", "bcast", "gather", "reduce", "reduce_scatter", "scatter"];

/// Maps in files, and those of a second run.
const FILES: [(&str, &str, Option<&str>); 7] = [
    ("reduce_scatter_block on Polaris", "examples/build-script/maps/reduce_scatter_block.json", None),
    ("sorting", "examples/general/maps/sort.json", Some("examples/general/maps/sort-again.json")),
    (
        "products of matrices",
        "examples/general/maps/matmul.json",
        Some("examples/general/maps/matmul-again.json"),
    ),
    ("threads", "examples/general/maps/threads.json", Some("examples/general/maps/threads-again.json")),
    ("nalgebra's products", "examples/adopted/nalgebra/map.json", None),
    ("num-bigint's products", "examples/adopted/num-bigint/map.json", None),
    ("arrow-select's filters", "examples/adopted/arrow-select/map.json", None),
];

/// Returns all measured maps.
///
/// # Panics
///
/// Panics if a file of the project has no map.
pub(super) fn all() -> Vec<Case> {
    let fugaku = FUGAKU.map(|collective| Case {
        name: format!("{collective} on Fugaku"),
        map: measured("qt-cli/data/pico-fugaku", Some(collective), "default-default"),
        again: None,
    });
    let emulated = ["bcast", "allreduce"].map(|collective| {
        let run = |run: u8| {
            measured(&format!("lab/rates/reruns/emulated-{collective}-{run}.csv.xz"), None, "default")
        };
        Case { name: format!("{collective} on eight emulated nodes"), map: run(1), again: Some(run(2)) }
    });
    let files = FILES.map(|(name, file, again)| Case {
        name: name.to_owned(),
        map: in_file(file),
        again: again.map(in_file),
    });
    files.into_iter().chain(emulated).chain(fugaku).collect()
}

fn in_file(file: &str) -> DecisionMap {
    read::map(&root().join(file)).expect("the file has a map")
}

fn measured(path: &str, collective: Option<&str>, baseline: &str) -> DecisionMap {
    let options = ReadOptions { collective: collective.map(str::to_owned), ..ReadOptions::default() };
    let path = root().join(path).display().to_string();
    let read = readers::read(std::slice::from_ref(&path), &options, &mut |_, input| input);
    let Ok((measurements, _)) = read else { panic!("{path} cannot be read") };
    let recipe = Recipe { baseline: vec![baseline.to_owned()], ..Recipe::default() };
    recipe.map(&measurements, &mut Notes::default()).expect("the times make a map")
}
