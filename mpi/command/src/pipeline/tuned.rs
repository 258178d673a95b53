//! The results for one collective.

use qtdec_core::{Calls, DecisionMap, DecisionTree, MethodIndex};
use qtdec_mpi_run::own;
use qtdec_study::hold_out::HoldOut;
use qtdec_study::study::claim::Claim;
use qtdec_study::study::launch_gain::LaunchGains;
use qtdec_study::study::one_line::OneLine;
use qtdec_study::study::over_default::OverDefault;
use qtdec_study::study::recommend::{Rated, Recommendation};
use qtdec_study::study::unmeasured::Unmeasured;

use qtdec_mpi_library::tuning::LibraryRules;

/// The results for one collective.
#[derive(Debug)]
pub struct Tuned {
    /// MPI's name in lower case.
    pub collective: String,
    /// The map of the methods that the library can be told to use, its default, and our own schedules.
    pub map: DecisionMap,
    /// The recommended tree, and the costs of others.
    pub rated: Recommendation,
    /// The gain of the recommended tree in each launch, decided by the others; empty if there is only one launch.
    pub gains: LaunchGains,
    /// The cost of the recommended tree at sizes that were not measured, or the reason why it is unknown.
    pub unmeasured: Result<Unmeasured, String>,
    /// The calls of the cells, or `None` without a profile or if it has none of this collective.
    pub calls: Option<Calls>,
    /// The part of the repeats that was held out, or `None` if launches or nothing could be held out.
    pub held_out: Option<HoldOut>,
    /// The recommended tree, whose rules leave the calls of our own schedules to the library.
    pub ruled: Ruled,
    /// The tree that keeps the library's default everywhere, or `None` if no method is its default.
    pub(super) left: Option<Ruled>,
    /// The gain of the tuning file alone in each launch, or `None` without times of our own schedules.
    pub(super) of_the_file: Option<LaunchGains>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// A tree that can be deployed, and what carries it out.
#[derive(Debug)]
pub struct Ruled {
    /// The tree.
    pub tree: DecisionTree,
    /// The rules of the tuning file.
    pub rules: LibraryRules,
    /// The rules of the file beside it, if one is written for the collective.
    pub beside: Option<LibraryRules>,
}

/// A cell in which the recommended tree keeps the library's default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptCell {
    /// The cell, row-major.
    pub cell: usize,
    /// The best method.
    pub best: MethodIndex,
    /// The slowdown of the default relative to it, in per cent: 0 if the default is the best.
    pub percent: f64,
}

impl Tuned {
    /// Returns the rule of one line that costs about as little as the recommended tree at the sizes left out, if there is one.
    pub fn one_line(&self) -> Option<OneLine> {
        let figure = self.unmeasured.as_ref().ok()?;
        OneLine::instead_of_tree(&self.recommended().choice.tree, &self.map, Some(figure))
    }

    /// Returns the recommended tree if it is to be deployed, otherwise the one that leaves every choice to the library.
    pub fn ruled_if(&self, is_deployed: bool) -> &Ruled {
        self.left.as_ref().filter(|_| !is_deployed).unwrap_or(&self.ruled)
    }

    /// Returns the gain of the tuning file in each launch, decided by the others, if nothing carries out our own schedules.
    pub fn gains_of_the_file(&self) -> &LaunchGains {
        self.of_the_file.as_ref().unwrap_or(&self.gains)
    }

    /// Returns whether times of our own schedules are among those that decide.
    pub fn has_own(&self) -> bool {
        self.of_the_file.is_some()
    }

    /// Returns our own schedules that the recommended tree chooses, and the number of its cells that have one.
    pub fn own_schedules(&self) -> (Vec<String>, usize) {
        let domain = self.map.domain();
        let is_own = |method: &MethodIndex| {
            let method = domain.method(*method);
            self.has_own() && !method.baseline && own::carries_out(&self.collective, &method.name)
        };
        let cells = self.recommended().choice.tree.cells();
        let own: Vec<MethodIndex> = cells.into_iter().flatten().filter(is_own).collect();
        let is_chosen = |method: &MethodIndex| own.contains(method);
        let labels = domain.method_indexes().filter(is_chosen).map(|method| domain.method(method).label());
        (labels.collect(), own.len())
    }

    /// Returns whether the interposer is to carry out some of the decisions.
    pub fn is_interposed(&self, claim: &Claim) -> bool {
        claim.is_written() && !self.own_schedules().0.is_empty()
    }

    /// Returns the recommended tree.
    pub fn recommended(&self) -> &Rated {
        &self.rated.recommended
    }

    /// Returns its comparison with the library's default, on the times from which it was made.
    pub fn over_default(&self) -> Option<OverDefault> {
        OverDefault::everywhere(&self.recommended().choice.tree.cells(), &self.map)
    }

    /// Returns the cells in which it keeps the library's default.
    pub fn kept(&self) -> Vec<KeptCell> {
        let (Some(costs), Some(default)) = (self.map.costs(), self.map.domain().baseline()) else {
            return Vec::new();
        };
        let decisions = self.recommended().choice.tree.cells();
        let kept = |(cell, decision): (usize, &Option<MethodIndex>)| {
            let best = self.map.cells()[cell].filter(|_| *decision == Some(default))?;
            let percent = 100.0 * (costs.get(cell, default)? / costs.get(cell, best)? - 1.0);
            Some(KeptCell { cell, best, percent })
        };
        decisions.iter().enumerate().filter_map(kept).collect()
    }
}
