//! The tree that is recommended by default, and the costs of smaller and larger ones.
//!
//! This was evaluated on fifteen pairs of runs that no tree was made from: a mean of 1 % keeps a third of the exact leaves and
//! costs half a point more; without a cap per cell, some cells are slower than the library's own choice.

use qtdec_core::encode::{self, Budget, EncodeSettings, Greedy, Optimal};
use qtdec_core::{Borders, DecisionMap, DecisionTree, Document, Options, Place, Problem, Problems, Ties};

use super::assess::{Assessment, LeaveOut, assess};
use super::held_out::{HeldOut, Split};

/// The maximum mean penalty of a recommended tree, in per cent.
const MEAN: f64 = 1.0;

/// The maximum slowdown of a cell relative to the library's own choice, in per cent.
const CAP: f64 = 1.0;

/// The mean penalties of the smaller trees shown with a recommendation, in per cent.
const SMALLER: [f64; 2] = [2.0, 5.0];

/// A tree of the map, and the budget within which it was made.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name of the tree in tables: `recommended`, `exact`, `mean 5%, baseline 1%`.
    pub name: String,
    /// The options that make it.
    pub options: Vec<(String, String)>,
    /// The tree.
    pub tree: DecisionTree,
}

/// The user's requirements on a recommended tree.
#[derive(Clone, Debug, Default)]
pub struct RecommendOptions {
    /// The maximum number of leaves.
    pub max_leaves: Option<u64>,
}

/// A choice and its cost.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The tree of all measurements.
    pub choice: Choice,
    /// The cost at the points from which the tree was made.
    pub own: Option<Assessment>,
    /// The cost of trees with the same options at held-out points; empty if nothing was held out.
    pub held_out: HeldOut,
}

/// The recommended tree among others.
#[derive(Clone, Debug)]
pub struct Recommendation {
    /// The smallest tree without a wrong cell.
    pub exact: Rated,
    /// The recommended tree.
    pub recommended: Rated,
    /// Trees that cost more and are smaller; none for a map without costs.
    pub smaller: Vec<Rated>,
}

/// Returns the budget for a mean penalty, with the cap over the baseline if the map has one that can be chosen.
fn budget(map: &DecisionMap, mean: f64) -> Budget {
    let can_be_kept = map.domain().baseline().is_some_and(|baseline| map.candidates().contains(&baseline));
    Budget { mean: Some(mean), baseline: can_be_kept.then_some(CAP), ..Budget::default() }
}

/// Returns the options of the smallest tree within a budget, or of the exact tree without a mean penalty or costs.
fn options(map: &DecisionMap, mean: Option<f64>) -> Vec<(String, String)> {
    let pair = |name: &str, value: String| (name.to_owned(), value);
    let mut options = vec![pair("encoding", "optimal".to_owned())];
    if let (Some(mean), Some(_)) = (mean, map.costs()) {
        options.push(pair("budget", budget(map, mean).to_string()));
    }
    options
}

/// Creates the tree of these options.
///
/// # Errors
///
/// Fails if options are invalid, or if the map lacks what they need.
pub fn tree(map: &DecisionMap, options: &[(String, String)]) -> Result<DecisionTree, Problems> {
    Options::parse(options)?.tree(Document::Map(map.clone()))
}

fn choice(map: &DecisionMap, name: &str, options: Vec<(String, String)>) -> Result<Choice, Problems> {
    Ok(Choice { name: name.to_owned(), tree: tree(map, &options)?, options })
}

/// Returns the recommended tree: the smallest whose mean penalty is at most 1 %, with no cell more than 1 % slower than the
/// library's own choice. A map without costs gives its smallest exact tree. If a lower number of leaves is required, the budget
/// for the mean is raised until it is reached.
///
/// # Errors
///
/// Fails if the map is too large for the search, or if no tree within the cap has so few leaves.
pub fn recommended(map: &DecisionMap, recommend: &RecommendOptions) -> Result<Choice, Problems> {
    let first = choice(map, "recommended", options(map, Some(MEAN)))?;
    let Some(most) = recommend.max_leaves else { return Ok(first) };
    let leaves = |choice: &Choice| choice.tree.statistics().regions;
    if leaves(&first) <= most {
        return Ok(first);
    }
    let at = |mean: f64| choice(map, "recommended", options(map, Some(mean)));
    let (mut above, mut within) = (MEAN, None);
    let mut mean = MEAN;
    while within.is_none() && mean < 1e6 && map.costs().is_some() {
        mean *= 4.0;
        let tried = at(mean)?;
        if leaves(&tried) <= most { within = Some((mean, tried)) } else { above = mean }
    }
    let Some((mut enough, mut best)) = within else {
        let message = format!(
            "every tree with at most {most} leaves has a cell that is more than {CAP} % \
             slower than the default"
        );
        return Err(Problem::new(Place::File, message)
            .help(format!("the smallest tree without one has {} leaves", leaves(&at(1e6).unwrap_or(first))))
            .into());
    };
    // Find the smallest budget to two digits.
    while enough / above > 1.01 {
        let between = ((above * enough).sqrt() * 1000.0).round() / 1000.0;
        if between <= above || between >= enough {
            break;
        }
        let tried = at(between)?;
        if leaves(&tried) <= most { (enough, best) = (between, tried) } else { above = between }
    }
    Ok(best)
}

impl Recommendation {
    /// The position of the recommended tree in [`trees`](Self::trees).
    pub const AT: usize = 1;

    /// Makes the trees, with their costs at the points of the map, and at the points of `splits`, each of which has a map to make
    /// trees from and one to evaluate them on.
    ///
    /// # Errors
    ///
    /// The same as for [`recommended`]; also if parts have other axes than the map.
    pub fn new(
        map: &DecisionMap,
        recommend: &RecommendOptions,
        splits: &[(DecisionMap, DecisionMap)],
    ) -> Result<Self, Problems> {
        let exact = choice(map, "exact", options(map, None))?;
        let recommended = recommended(map, recommend)?;
        let means = if map.costs().is_some() { &SMALLER[..] } else { &[] };
        let smaller =
            means.iter().map(|mean| choice(map, &budget(map, *mean).to_string(), options(map, Some(*mean))));
        let smaller: Vec<Choice> = smaller.collect::<Result<_, _>>()?;
        let splits = splits.iter().map(|(train, test)| Ok((Split::new(train, test)?, train)));
        let splits: Vec<(Split<'_>, &DecisionMap)> = splits.collect::<Result<_, Problems>>()?;
        let rated = |choice: Choice| Rated::new(choice, map, &splits);
        Ok(Self {
            exact: rated(exact)?,
            recommended: rated(recommended)?,
            smaller: smaller.into_iter().map(rated).collect::<Result<_, _>>()?,
        })
    }

    /// Returns all trees, the exact one first.
    pub fn trees(&self) -> impl Iterator<Item = &Rated> {
        [&self.exact, &self.recommended].into_iter().chain(&self.smaller)
    }
}

impl Rated {
    fn new(
        choice: Choice,
        map: &DecisionMap,
        splits: &[(Split<'_>, &DecisionMap)],
    ) -> Result<Self, Problems> {
        let leave_out = LeaveOut::default();
        let mut held_out = HeldOut::default();
        for (split, train) in splits {
            split.judge(tree(train, &choice.options)?, [&leave_out; 2], &mut held_out)?;
        }
        Ok(Self { own: assess(&choice.tree.cells(), map, &leave_out), held_out, choice })
    }
}

/// Returns the number of regions of a map's smallest nested cuts, and the number that remains if methods within `tolerance` per
/// cent of the best count as equal to it: borders between such methods are noise if every time is a single sample. Returns `None`
/// for a map without costs.
///
/// # Errors
///
/// Fails if the map is too large for any encoder.
pub fn surviving_regions(map: &DecisionMap, tolerance: f64) -> Result<Option<(u64, u64)>, Problems> {
    let Some(costs) = map.costs() else { return Ok(None) };
    let plain = DecisionMap::new(map.domain().clone(), map.cells().to_vec())?;
    let choosable = map.candidates();
    let ties = Ties::new(map.cells().iter().enumerate().map(|(cell, best)| {
        let Some(best) = *best else { return Vec::new() };
        let limit = costs.get(cell, best).unwrap_or(f64::INFINITY) * (1.0 + tolerance / 100.0);
        let sizes = map.domain().sizes(cell);
        let tied = choosable.iter().copied().filter(|&method| {
            map.domain().may_run(method, &sizes) && costs.get(cell, method).is_some_and(|cost| cost <= limit)
        });
        let mut tied: Vec<_> = tied.collect();
        if !tied.contains(&best) {
            tied.push(best);
            tied.sort_unstable();
        }
        tied
    }));
    let tied = plain.clone().with_ties(ties)?;
    Ok(Some((regions(&plain)?, regions(&tied)?)))
}

/// Returns the number of regions of the smallest nested cuts, or of small ones of a map that is too large for those.
fn regions(map: &DecisionMap) -> Result<u64, Problems> {
    let settings = EncodeSettings { borders: Borders::Floor, ..EncodeSettings::default() };
    let smallest = encode::encode_with(map, &Optimal::default(), &settings);
    let tree = smallest.or_else(|_| encode::encode_with(map, &Greedy, &settings))?;
    Ok(tree.statistics().regions)
}
