//! Small trees for the benchmark: the smallest ones of real maps.

use qtdec_core::encode::{self, Budget, EncodeSettings, Optimal};
use qtdec_core::{Borders, DecisionTree, Document};

/// A tree and its name.
pub(super) struct NamedTree {
    pub(super) name: &'static str,
    /// The origin of the tree, as a sentence.
    pub(super) origin: &'static str,
    pub(super) tree: DecisionTree,
}

/// `MPI_Reduce_scatter_block` on Polaris with the library's own choice among the methods, by `qtdec map
/// qt-cli/data/polaris-reduce-scatter/cells.csv --columns comm_size=comm_size,msg_size=bytes_per_rank,time=median_us
/// --basis block --time-unit us --baseline MPI_Reduce_scatter_block`: its recommended trees have 5 or 11 regions.
const RECOMMENDED: &str = include_str!("../../results/reduce_scatter_block.json");

/// The same without the library's own choice.
const POLARIS: &str = include_str!("../../../../tests/golden/polaris.json");

/// The tables of MVAPICH for Frontera; the 23rd is that of bcast with 128 ranks.
const FRONTERA: &str = include_str!("../../../../qt-core/tests/data/frontera.jsonl");
const FRONTERA_BCAST: usize = 22;

const WITHIN_5: &str = "The smallest tree with a mean penalty of at most 5 % for `MPI_Reduce_scatter_block` on Polaris, with the library's own \
     choice among the methods ([reduce_scatter_block.json](reduce_scatter_block.json)).";
const WITHIN_1: &str = "The smallest tree of the same map with a mean penalty of at most 1 %.";
const EXACT: &str = "The smallest exact tree of the same measurements without the library's own choice.";
const MVAPICH: &str = "The smallest exact tree of MVAPICH's table for broadcasts on Frontera.";

/// Returns trees from recommended ones to one that is too large for selections.
pub(super) fn all() -> Result<Vec<NamedTree>, String> {
    let frontera = FRONTERA.lines().nth(FRONTERA_BCAST).unwrap_or_default();
    Ok(vec![
        named("5 regions", WITHIN_5, RECOMMENDED, Some(5.0))?,
        named("11 regions", WITHIN_1, RECOMMENDED, Some(1.0))?,
        named("22 regions", EXACT, POLARIS, None)?,
        named("49 regions", MVAPICH, frontera, None)?,
    ])
}

/// Returns the smallest tree of a map whose mean penalty is within `mean` per cent; its name states the number of regions.
fn named(
    name: &'static str,
    origin: &'static str,
    map: &str,
    mean: Option<f64>,
) -> Result<NamedTree, String> {
    let map = Document::from_json(map.as_bytes()).map_err(|problems| problems.to_string())?;
    let map = map.into_map().ok_or("a tree in place of a map")?;
    let settings = EncodeSettings {
        budget: Budget { mean, ..Budget::default() },
        borders: Borders::Floor,
        ..EncodeSettings::default()
    };
    let tree =
        encode::encode_with(&map, &Optimal::default(), &settings).map_err(|problem| problem.to_string())?;
    let regions = tree.root().leaves();
    if format!("{regions} regions") == name {
        Ok(NamedTree { name, origin, tree })
    } else {
        Err(format!("the tree of {name} has {regions}"))
    }
}
