//! The optimal encoder, which makes the smallest possible tree.
//!
//! The tree is the smallest among all trees whose tests each compare one axis, which includes all encodings of the papers and all
//! code of this crate. Dynamic programming over all boxes of the grid proves that it is the smallest.

mod frontiers;
pub(super) mod guillotine;
mod leaf_costs;
mod mean;
mod objectives;
pub(super) mod search;

use super::boxes::common_decision;
use super::grid::Grid;
use super::sets::Sets;
use super::setting::{Setting, choose, depth};
use super::{Algorithm, Encoded, Input};
use crate::fixed_point::Units;
use crate::listing::name_of;
use crate::message::Message;
use crate::problem::{Place, Problem};

use guillotine::TreeCosts;
use leaf_costs::LeafCosts;
use objectives::{
    Called, FewestLeaves, FewestMispredictions, FewestTests, LeastCost, LeastDepth, PART, Uniform,
};
use search::Search;

/// The options of the optimal encoder. By default it is exact and minimises the number of leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Optimal {
    /// The quantity to minimise.
    pub objective: Objective,
    /// The maximum depth of a leaf; no limit if `None`.
    pub max_depth: Option<u32>,
    /// Allows errors: minimises leaves + λ × mismatches. Exact if `None`.
    pub lambda: Option<f64>,
}

/// The quantity that an optimal tree minimises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Objective {
    /// The number of leaves.
    #[default]
    Leaves,
    /// The number of tests on the path to the deepest leaf; among trees with the same depth, the number of leaves.
    Depth,
    /// The number of tests in all calls, with each cell weighted by its calls.
    Tests,
    /// Expected branch mispredictions for uncorrelated calls; each test adds 1/8.
    Mispredictions,
}

const OBJECTIVES: [(&str, Objective); 4] = [
    ("leaves", Objective::Leaves),
    ("depth", Objective::Depth),
    ("tests", Objective::Tests),
    ("mispredictions", Objective::Mispredictions),
];

impl Algorithm for Optimal {
    const NAME: &'static str = "optimal";

    const SETTINGS: &'static [Setting<Self>] = &[
        Setting {
            name: "objective",
            value: "leaves|depth|tests|mispredictions",
            help: "minimise the leaves, the depth of the deepest leaf, or the mean number per call of tests or of mispredicted branches",
            set: |own, value| choose(&mut own.objective, value, &OBJECTIVES),
            get: |own| Some(name_of(&own.objective, &OBJECTIVES).to_owned()),
        },
        Setting::max_depth(
            |own, value| depth(value).map(|limit| own.max_depth = limit),
            |own| own.max_depth.map(|limit| limit.to_string()),
        ),
        Setting {
            name: "lambda",
            value: "NUMBER",
            help: "allow errors: minimise the leaves plus this much for every mismatch",
            set: |own, value| {
                let lambda = value.parse().ok().filter(|lambda: &f64| *lambda > 0.0 && lambda.is_finite());
                own.lambda = Some(lambda.ok_or("a number above 0, such as 0.5")?);
                Ok(())
            },
            get: |own| own.lambda.map(|lambda| lambda.to_string()),
        },
    ];

    const KEEPS_MEAN_BUDGET: bool = true;

    fn tree(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        match (self.objective, input.budget.mean, self.lambda) {
            (Objective::Leaves, Some(mean), None) if self.max_depth.is_none() => mean::encode(input, mean),
            (_, Some(_), _) => Err(unfit("a mean budget".into(), |message| {
                message.options(&["objective", "max_depth", "lambda"])
            })),
            (Objective::Leaves, None, Some(lambda)) => self.lossy(input, lambda),
            (_, None, Some(_)) => {
                Err(unfit(Message::default().option("lambda"), |message| message.option("objective")))
            }
            (Objective::Tests | Objective::Mispredictions, ..) if self.max_depth.is_some() => {
                let objective = name_of(&self.objective, &OBJECTIVES);
                Err(unfit(Message::default().option("max_depth"), |message| {
                    message.setting("objective", objective)
                }))
            }
            (_, None, None) => self.exact(input),
        }
    }
}

/// The tie-breaking weight of cells that are never called, relative to the mean cell.
const UNCALLED: f64 = 1.0 / (1 << 20) as f64;

/// Returns the calls of every cell, in units in which the sum over all tests is exact, and so is an eighth of it.
fn calls(input: &Input<'_>) -> Vec<f64> {
    let lens = input.shape.lens();
    let cells = input.shape.cells();
    let calls = (0..cells).map(|cell| input.map.weight(cell));
    let sum: f64 = calls.clone().sum();
    let least = UNCALLED * sum / cells as f64;
    // A call takes at most this many tests, each of which counts as its calls and, if it is mispredicted, once more.
    let deepest = lens.iter().sum::<usize>() as f64;
    let units = Units::for_sums(2.0 * PART * deepest * (sum + sum * UNCALLED), 0.0);
    calls.map(|calls| PART * units.count(calls + least).max(1.0)).collect()
}

fn unfit(option: Message, others: impl FnOnce(Message) -> Message) -> Problem {
    Problem::new(Place::File, others(option.text(" cannot be combined with "))).help("remove one of them")
}

fn too_deep(least: u64) -> Problem {
    Problem::new(Place::File, format!("every exact tree of this map has a depth of at least {least}"))
        .help(Message::from("raise ").option("max_depth"))
        .help(Message::from("set ").option("lambda").text(" to allow errors"))
}

impl Optimal {
    fn exact(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        let mut sets = Sets::new();
        let cells = sets.of_cells(input);
        let grid = Grid::new(input.shape.lens(), cells);
        let grid = match self.objective {
            // Every slice has its own calls, so only equal slices have the same best tests.
            Objective::Tests | Objective::Mispredictions => grid,
            // A slice may take the decisions of its neighbour if they are acceptable in both.
            _ => grid.merged(|one, other| sets.stricter(one, other)),
        };
        let lens = grid.lens();
        let exact = Search { input, grid: &grid, decide: &|samples| common_decision(input, samples) };
        match (self.objective, self.max_depth) {
            (Objective::Leaves, None) => exact.fewest_leaves(&mut sets),
            (Objective::Tests, _) => exact.best(
                || FewestTests(Called::new(&lens, grid.cells(), &calls(input), &mut sets)),
                "the tree of fewest tests",
            ),
            (Objective::Mispredictions, _) => exact.best(
                || FewestMispredictions(Called::new(&lens, grid.cells(), &calls(input), &mut sets)),
                "the tree of fewest mispredictions",
            ),
            (objective, limit) => {
                let most = limit.unwrap_or(u32::MAX);
                if exact.is_line() {
                    // A tree with the fewest leaves and balanced cuts is also the shallowest.
                    let encoded = exact.fewest_leaves(&mut sets)?;
                    return if encoded.depth.max <= most.into() {
                        Ok(encoded)
                    } else {
                        Err(too_deep(encoded.depth.max))
                    };
                }
                exact.check_search_limit::<LeastDepth<'_>>("the shallowest tree", 1)?;
                let mut model = LeastDepth(Uniform::new(&lens, grid.cells(), &mut sets));
                let least = TreeCosts::best(&mut model, &lens).value(&exact.whole()) as u32;
                if least > most {
                    return Err(too_deep(least.into()));
                }
                let limit = if objective == Objective::Depth { least } else { most };
                exact.within_depth(|| FewestLeaves(Uniform::new(&lens, grid.cells(), &mut sets)), limit)
            }
        }
    }

    fn lossy(&self, input: &Input<'_>, lambda: f64) -> Result<Encoded, Problem> {
        // No sum is above that of a leaf and a mismatch for every cell.
        let cells = input.shape.cells();
        let calls: f64 = (0..cells).map(|cell| input.map.weight(cell)).sum();
        let units = Units::for_sums(lambda * calls + cells as f64, 0.0);
        LeafCosts::check_search_limit(input, "the tree of lowest cost", Message::set("encoding", "greedy"))?;
        let leaf_costs = LeafCosts::from_mismatches(input, lambda).in_units(units, f64::INFINITY);
        let (grid, of_cells) = leaf_costs.merged(input.shape.lens());
        let search = Search { input, grid: &grid, decide: &|samples| leaf_costs.decision(input, samples) };
        let model = || LeastCost::new(&grid.lens(), units.count(1.0), &of_cells);
        match self.max_depth {
            Some(limit) => search.within_depth(model, limit),
            None => search.best(model, "the tree of lowest cost"),
        }
    }
}
