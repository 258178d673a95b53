//! Trees to export: of the maps in the repository, and of random ones for every collective.

use std::fs;

use qtdec_core::encode::{self, Quadtree};
use qtdec_core::{Axis, Basis, Borders, DecisionMap, DecisionTree, Document, Domain, Method};
use qtdec_testkit::maps::{Chance, Pattern, Plan as Coloured};
use qtdec_tune::libraries::Unit;
use qtdec_tune::libraries::open_mpi::{COLLECTIVES, Collective};

use crate::run::root;

/// Maps of the repository whose methods Open MPI knows.
const MAPS: [&str; 6] = [
    "examples/maps/bcast.json",
    "tests/golden/bcast.json",
    "tests/golden/barrier.json",
    "tests/golden/constant.json",
    "tests/golden/partial.json",
    "qt-tune/tests/commands.in/bcast.json",
];

/// The maps of the repository that Open MPI knows the methods of, and random ones for every collective.
pub(super) fn trees() -> Result<Vec<(DecisionTree, &'static Collective)>, String> {
    let mut trees = Vec::new();
    for path in MAPS {
        let bytes = fs::read(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        let document = Document::from_json(&bytes).map_err(|problems| problems.to_string())?;
        let Document::Map(map) = document else { return Err(format!("{path} is no map")) };
        for borders in Borders::ALL {
            let known = COLLECTIVES.iter().find(|known| Some(known.name) == map.domain().collective());
            trees.push((tree(&map, borders.1)?, known.ok_or_else(|| format!("{path}: no collective"))?));
        }
    }
    let mut seed = 1;
    for known in &COLLECTIVES {
        for basis in [Basis::Block, Basis::Buffer, Basis::Total] {
            let fits = match known.unit {
                Unit::Buffer | Unit::Nothing => basis == Basis::Buffer,
                Unit::PerRank => basis == Basis::Block,
                Unit::TimesRanks | Unit::Total => true,
            };
            for pattern in [Pattern::Noise, Pattern::Smooth, Pattern::Stripes] {
                seed += 1;
                if fits && !(["scan", "exscan"].contains(&known.name) && basis == Basis::Buffer) {
                    let shape: &[usize] = if known.unit == Unit::Nothing { &[9] } else { &[9, 12] };
                    let map =
                        random(&Coloured { nulls: 10, ..Coloured::new(shape, pattern, seed) }, known, basis)?;
                    trees.push((tree(&map, Borders::ALL[seed as usize % 3].1)?, known));
                }
            }
        }
    }
    Ok(trees)
}

fn tree(map: &DecisionMap, borders: Borders) -> Result<DecisionTree, String> {
    encode::encode(map, &Quadtree::default(), borders).map_err(|problem| problem.to_string())
}

/// A coloured grid whose colours are algorithms of a collective, some with segments.
fn random(plan: &Coloured, known: &Collective, basis: Basis) -> Result<DecisionMap, String> {
    let algorithms: Vec<_> =
        known.algorithms().iter().filter(|algorithm| algorithm.since.is_none()).collect();
    let coloured = Coloured { methods: 7, ..plan.clone() }.map();
    let mut chance = Chance(plan.seed);
    let methods = (0..coloured.domain().methods().len() as u64).map(|index| {
        let algorithm = algorithms[index as usize % algorithms.len()];
        // Different numbers, so that no two methods are alike.
        let segment_size = Some(index * 100_000 + 1 + chance.below(90_000));
        Method { segment_size, ..Method::new(algorithm.name) }
    });
    let methods: Vec<Method> = methods.collect();
    let axes = coloured.domain().axes().iter().map(|axis| {
        // Communicators small enough for rules of their own.
        let values = axis.values().unwrap_or(&[]);
        let is_comm = axis.name == "comm_size";
        let shrunk = values
            .iter()
            .enumerate()
            .map(|(index, value)| if is_comm { 2 + 7 * index as u64 } else { *value });
        Axis {
            basis: (!is_comm).then_some(basis),
            ..Axis::new(axis.name.clone(), shrunk.collect::<Vec<u64>>())
        }
    });
    let domain = Domain::new(Some(known.name.to_owned()), axes.collect(), methods);
    let domain = domain.map_err(|problems| problems.to_string())?;
    DecisionMap::new(domain, coloured.cells().to_vec()).map_err(|problems| problems.to_string())
}
