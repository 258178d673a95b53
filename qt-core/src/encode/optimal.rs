//! The smallest tree there is.
//!
//! "Smallest" is among all trees of tests on one axis each, which is all that the papers' encodings and this crate's code
//! can be; and it is proved, by [dynamic programming](super::guillotine) over all boxes of the grid.

use std::ops::Range;

use super::boxes::{balanced, cells, common_decision};
use super::charges::Charges;
use super::grid::Grid;
use super::guillotine::{self, Ranges, Rule, Table, best_cut, halves};
use super::rules::{FewestLeaves, FewestTests, LeastCharge, LeastDepth};
use super::runs;
use super::sets::{SetId, Sets};
use super::{Encoded, Encoder, Input, OptionForm, mean, one_of};
use crate::domain::MethodIndex;
use crate::problem::{Place, Problem};
use crate::tree::Nodes;

/// The options of the smallest tree; as they stand by default it is exact and has the fewest leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Optimal {
    /// What is least.
    pub objective: Objective,
    /// The deepest a leaf may lie; no limit if `None`.
    pub max_depth: Option<u32>,
    /// What a mismatch counts beside a leaf: the tree may err where that is worth a leaf. Exact if `None`.
    pub lambda: Option<f64>,
}

/// What is least in an optimal tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The number of leaves.
    #[default]
    Leaves,
    /// The tests on the way to the deepest leaf, and among such trees the leaves.
    Depth,
    /// The tests in all calls together, each cell called as often as it counts.
    Tests,
}

const OBJECTIVES: [(&str, Objective); 3] =
    [("leaves", Objective::Leaves), ("depth", Objective::Depth), ("tests", Objective::Tests)];

impl Encoder for Optimal {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn options(&self) -> &'static [OptionForm] {
        &[
            OptionForm {
                name: "objective",
                value: "leaves|depth|tests",
                help: "what is least: the leaves, the depth of the deepest leaf, or the mean number of tests in a call",
            },
            super::MAX_DEPTH_FORM,
            OptionForm {
                name: "lambda",
                value: "NUMBER",
                help: "the tree may err: leaves and so much for every mismatch are least together",
            },
        ]
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "objective" => self.objective = one_of(value, &OBJECTIVES)?,
            "max_depth" => self.max_depth = Some(value.parse().map_err(|_| "a whole number, such as 3")?),
            _ => {
                let lambda = value.parse().ok().filter(|lambda: &f64| *lambda > 0.0 && lambda.is_finite());
                self.lambda = Some(lambda.ok_or("a number above 0, such as 0.5")?);
            }
        }
        Ok(())
    }

    fn changed(&self) -> Vec<(String, String)> {
        let objective = OBJECTIVES.iter().find(|(_, objective)| *objective == self.objective);
        let objective = objective.filter(|_| self.objective != Objective::default());
        let options = [
            ("objective", objective.map(|(name, _)| (*name).to_owned())),
            ("max_depth", self.max_depth.map(|depth| depth.to_string())),
            ("lambda", self.lambda.map(|lambda| lambda.to_string())),
        ];
        options.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    fn keeps_mean_budget(&self) -> bool {
        true
    }

    fn encode(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        match (self.objective, input.mean_budget(), self.lambda) {
            (Objective::Leaves, Some(mean), None) if self.max_depth.is_none() => mean::encode(input, mean),
            (_, Some(_), _) => Err(unfit("a mean budget", "`objective`, `max_depth` and `lambda`")),
            (Objective::Leaves, None, Some(lambda)) => self.lossy(input, lambda),
            (_, None, Some(_)) => Err(unfit("`lambda`", "`objective`")),
            (Objective::Tests, ..) if self.max_depth.is_some() => {
                Err(unfit("`max_depth`", "`objective = tests`"))
            }
            (_, None, None) => self.exact(input),
        }
    }
}

fn unfit(option: &str, others: &str) -> Problem {
    Problem::new(Place::File, format!("{option} does not go together with {others}"))
        .help("leave one of them out")
}

fn too_deep(least: u64) -> Problem {
    Problem::new(Place::File, format!("no exact tree of this map is less deep than {least}"))
        .help("raise `max_depth`, or give `lambda`, with which the tree may err")
}

impl Optimal {
    fn exact(&self, input: &Input<'_>) -> Result<Encoded, Problem> {
        let mut sets = Sets::new();
        let cells = sets.of_cells(input);
        let grid = Grid::new(input.shape().lens(), cells);
        let grid = match self.objective {
            // Every slice has its own calls: only what is the same throughout has the same best tests.
            Objective::Tests => grid,
            // A slice may be decided as its neighbour is, where that is right in both.
            _ => grid.merged(|one, other| sets.stricter(one, other)),
        };
        let lens = grid.lens();
        let exact = Search {
            input,
            grid: &grid,
            decide: &|samples| common_decision(input, &self::cells(input, samples)),
        };
        match (self.objective, self.max_depth) {
            (Objective::Leaves, None) => exact.fewest_leaves(&mut sets),
            (Objective::Tests, _) => {
                exact.check_effort("the tree of fewest tests", 1, size_of::<f64>())?;
                let calls: Vec<f64> = (0..grid.cells().len()).map(|cell| input.weight(cell)).collect();
                let mut rule = FewestTests::new(&lens, grid.cells(), &calls, &mut sets);
                let table = Table::best(&mut rule, &lens);
                Ok(exact.encoded(&mut rule, &Tables::Any(&table), None))
            }
            (objective, limit) => {
                let most = limit.unwrap_or(u32::MAX);
                if exact.is_line() {
                    // The fewest leaves, told apart by balanced cuts, are the shallowest tree too.
                    let encoded = exact.fewest_leaves(&mut sets)?;
                    return if encoded.depth.max <= most.into() {
                        Ok(encoded)
                    } else {
                        Err(too_deep(encoded.depth.max))
                    };
                }
                exact.check_effort("the shallowest tree", 1, size_of::<i16>())?;
                let mut rule = LeastDepth::new(&lens, grid.cells(), &mut sets);
                let least = Table::best(&mut rule, &lens).value(&exact.whole()) as u32;
                if least > most {
                    return Err(too_deep(least.into()));
                }
                let limit = if objective == Objective::Depth { least } else { most };
                let mut rule = FewestLeaves::new(&lens, grid.cells(), &mut sets);
                exact.within_depth(&mut rule, limit)
            }
        }
    }

    fn lossy(&self, input: &Input<'_>, lambda: f64) -> Result<Encoded, Problem> {
        let charges = Charges::of_mismatches(input, lambda);
        let (grid, of_cells) = charges.merged(input.shape().lens());
        let search = Search { input, grid: &grid, decide: &|samples| charges.decision(input, samples) };
        let mut rule = LeastCharge::new(&grid.lens(), 1.0, &of_cells);
        match self.max_depth {
            Some(limit) => search.within_depth(&mut rule, limit),
            None => search.best(&mut rule, "the tree of least charge"),
        }
    }
}

/// The search for a tree of a grid.
pub(super) struct Search<'s, C> {
    pub(super) input: &'s Input<'s>,
    pub(super) grid: &'s Grid<C>,
    /// The decision of a leaf, by its samples.
    pub(super) decide: &'s dyn Fn(&[Range<usize>]) -> Option<MethodIndex>,
}

impl<C: Copy> Search<'_, C> {
    pub(super) fn whole(&self) -> Vec<Range<usize>> {
        self.grid.lens().into_iter().map(|len| 0..len).collect()
    }

    /// Whether only one axis is left.
    fn is_line(&self) -> bool {
        self.grid.lens().into_iter().filter(|&len| len > 1).count() == 1
    }

    /// No tree needs to be deeper.
    fn deepest(&self) -> u32 {
        self.grid.lens().into_iter().map(|len| len as u32 - 1).sum()
    }

    /// Refuses to fill so many tables with values of so many bytes, where that is too long.
    pub(super) fn check_effort(&self, what: &str, tables: usize, value: usize) -> Result<(), Problem> {
        let lens = self.grid.lens();
        let (steps, boxes) = (guillotine::steps(&lens), guillotine::boxes(&lens));
        let tables = tables as u128;
        self.input.effort().check(
            what,
            "take the encoding `greedy`",
            &lens,
            steps * tables,
            boxes * tables * value as u128,
        )
    }

    /// The best tree of any depth.
    pub(super) fn best<R: Rule>(&self, rule: &mut R, what: &str) -> Result<Encoded, Problem> {
        self.check_effort(what, 1, size_of::<R::Value>())?;
        let table = Table::best(rule, &self.grid.lens());
        Ok(self.encoded(rule, &Tables::Any(&table), None))
    }

    fn within_depth<R: Rule>(&self, rule: &mut R, limit: u32) -> Result<Encoded, Problem> {
        let limit = limit.min(self.deepest());
        self.check_effort("the best tree of limited depth", limit as usize + 1, size_of::<R::Value>())?;
        let lens = self.grid.lens();
        let mut tables = vec![Table::of_leaves(rule, &lens)];
        for level in 0..limit as usize {
            let deeper = tables[level].one_deeper(rule, &lens);
            tables.push(deeper);
        }
        if tables[limit as usize].value(&self.whole()) >= R::NEVER {
            let message = format!("a tree of depth {limit} cannot keep methods from where they may not run");
            return Err(Problem::new(Place::File, message).help("raise `max_depth`"));
        }
        Ok(self.encoded(rule, &Tables::OfDepth(&tables), None))
    }

    pub(super) fn encoded<R: Rule>(
        &self,
        rule: &mut R,
        tables: &Tables<'_, R>,
        lower_bound: Option<u64>,
    ) -> Encoded {
        let nodes = self.tree(rule, tables, &self.whole());
        Encoded::of(&nodes, self.input.shape(), lower_bound)
    }

    /// The best tree of a box.
    fn tree<R: Rule>(&self, rule: &mut R, tables: &Tables<'_, R>, whole: &[Range<usize>]) -> Nodes {
        let cut = best_cut(&tables.sides(), whole);
        let ranges = Ranges::of(self.grid.lens()[whole.len() - 1]);
        let (leaf, test) = rule.leaf_and_test(whole, ranges, cut.map(|cut| cut.value));
        match cut {
            Some(cut) if test < leaf => {
                let [below, from] = halves(whole, cut.axis, cut.at);
                let [of_below, of_from] = tables.of_sides(cut.pair);
                let (below, from) = (self.tree(rule, &of_below, &below), self.tree(rule, &of_from, &from));
                Nodes::test(cut.axis, self.grid.sample(cut.axis, cut.at), below, &from)
            }
            _ => Nodes::leaf((self.decide)(&self.grid.samples(whole))),
        }
    }
}

/// Where the value of a tree is found, and where those of its sides.
pub(super) enum Tables<'t, R: Rule> {
    /// Trees of any size: the sides are valued by the same table.
    Any(&'t Table<R>),
    /// Trees of at most as many levels of tests as there are tables, less one.
    OfDepth(&'t [Table<R>]),
    /// Trees of at most as many leaves as there are tables.
    OfLeaves(&'t [Table<R>]),
}

impl<'t, R: Rule> Tables<'t, R> {
    /// The pairs of tables that value the two sides of a test.
    fn sides(&self) -> Vec<(&'t Table<R>, &'t Table<R>)> {
        match *self {
            Self::Any(table) => vec![(table, table)],
            Self::OfDepth([.., shallower, _]) => vec![(shallower, shallower)],
            Self::OfLeaves([fewer @ .., _]) => fewer.iter().zip(fewer.iter().rev()).collect(),
            Self::OfDepth(_) | Self::OfLeaves([]) => Vec::new(),
        }
    }

    /// Where the sides of a test are found, if it is valued by this one of the pairs.
    fn of_sides(&self, pair: usize) -> [Self; 2] {
        match *self {
            Self::Any(table) => [Self::Any(table), Self::Any(table)],
            Self::OfDepth(tables) => [(); 2].map(|()| Self::OfDepth(&tables[..tables.len() - 1])),
            Self::OfLeaves(tables) => {
                [pair + 1, tables.len() - 1 - pair].map(|leaves| Self::OfLeaves(&tables[..leaves]))
            }
        }
    }
}

impl Search<'_, SetId> {
    fn fewest_leaves(&self, sets: &mut Sets) -> Result<Encoded, Problem> {
        if !self.is_line() {
            self.check_effort("the smallest tree", 1, size_of::<i16>())?;
        }
        let (nodes, leaves) = self.smallest(sets);
        Ok(Encoded::of(&nodes, self.input.shape(), Some(leaves)))
    }

    /// The tree of the fewest leaves, and how many it has.
    pub(super) fn smallest(&self, sets: &mut Sets) -> (Nodes, u64) {
        let lens = self.grid.lens();
        let long: Vec<usize> = (0..lens.len()).filter(|&axis| lens[axis] > 1).collect();
        if let [axis] = long[..] {
            return self.smallest_along(axis, sets);
        }
        let mut rule = FewestLeaves::new(&lens, self.grid.cells(), sets);
        let table = Table::best(&mut rule, &lens);
        (self.tree(&mut rule, &Tables::Any(&table), &self.whole()), table.value(&self.whole()) as u64)
    }

    /// The same along one axis: as many cells as have a decision in common make a leaf, and so on.
    fn smallest_along(&self, axis: usize, sets: &mut Sets) -> (Nodes, u64) {
        let runs = runs::longest(self.grid.cells(), sets);
        let leaf = |range: &Range<usize>| {
            let mut whole = self.whole();
            whole[axis] = range.clone();
            Nodes::leaf((self.decide)(&self.grid.samples(&whole)))
        };
        let leaves: Vec<Nodes> = runs.iter().map(leaf).collect();
        let starts: Vec<usize> = runs.iter().map(|range| self.grid.sample(axis, range.start)).collect();
        (balanced(axis, &starts, &leaves), runs.len() as u64)
    }
}
