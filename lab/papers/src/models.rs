//! Trees beside the models of later papers: what the choices of each cost at sizes that decided nothing.
//!
//! Every other size of an axis is left out, and a way of deciding learns from the rest; then the other half is left out. Where a collective
//! was measured twice, the first run decides for the second one too.

mod cases;
mod folds;
mod learned;
mod page;
mod prices;
mod timed;
mod trees;

use xtask::outcome::Outcome;
use xtask::run::target;

use prices::Prices;

/// A way of deciding, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

/// Who makes the decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// An encoder with these options.
    Tree(&'static [(&'static str, &'static str)]),
    /// A model of scikit-learn, by its name in `models.py`.
    Learned(&'static str),
    /// The rule that the times have as their baseline.
    Baseline,
}

/// The ways that are compared.
pub(crate) const WAYS: [Way; 11] = [
    Way { name: "quadtree, exact", kind: Kind::Tree(&[]) },
    Way { name: "quadtree, depth 3", kind: Kind::Tree(&[("max_depth", "3")]) },
    Way { name: "quadtree, threshold 50 %", kind: Kind::Tree(&[("threshold", "50")]) },
    Way { name: "C4.5", kind: Kind::Tree(&[("encoding", "c45")]) },
    Way { name: "optimal, mean 1 %", kind: Kind::Tree(&[("encoding", "optimal"), ("budget", "mean 1%")]) },
    Way { name: "the rule in use", kind: Kind::Baseline },
    Way { name: "nearest point", kind: Kind::Learned("nearest") },
    Way { name: "five nearest, times of each method", kind: Kind::Learned("five_nearest") },
    Way { name: "splines, times of each method", kind: Kind::Learned("splines") },
    Way { name: "random forest", kind: Kind::Learned("forest") },
    Way { name: "gradient boosting", kind: Kind::Learned("boosting") },
];

/// Compares all ways on all measured maps of the project, and writes the table of `lab/results/models.md`.
pub(crate) fn models() -> Result<Outcome, String> {
    let folder = target().join("models");
    let cases = cases::all();
    let folds: Vec<Vec<folds::Fold>> = cases.iter().map(folds::of).collect();
    let learned = learned::decisions(&cases, &folds, &folder)?;
    let costs = timed::costs(&cases, &learned, &folder)?;
    let mut prices = Vec::new();
    for ((case, folds), learned) in cases.iter().zip(&folds).zip(&learned.decisions) {
        prices.push(Prices::of(case, folds, learned)?);
    }
    page::write(&cases, &prices, &costs)?;
    Ok(Outcome::Held(format!("{} ways on {} maps", WAYS.len(), cases.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tree_can_be_made_of_a_measured_map() {
        let case = &cases::all()[1];
        for way in WAYS {
            if let Kind::Tree(options) = way.kind {
                trees::tree(&case.map, options).unwrap();
            }
        }
    }

    /// Each size of an axis decides in one half and is priced in the other; a second run is priced everywhere.
    #[test]
    fn folds_leave_every_size_out_once() {
        let case = &cases::all()[2];
        let (folds, cells) = (folds::of(case), case.map.cells().len());
        assert_eq!(folds.len(), 5);
        for pair in folds[..4].chunks(2) {
            let mut all = [&pair[0].cells[..], &pair[1].cells[..]].concat();
            all.sort_unstable();
            assert_eq!(all, (0..cells).collect::<Vec<_>>());
        }
        assert!(folds[4].is_again && folds[4].cells.len() == cells);
    }
}
