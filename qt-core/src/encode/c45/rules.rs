//! Production rules from an unpruned tree: Quinlan 1993, chapter 5.
//!
//! Every leaf gives a rule. Conditions are dropped while the pessimistic error rate of the rule does not rise. For each class, a subset of
//! its rules is chosen by the length of their description. The classes are tried in the order of their false positives, and what
//! no rule covers is of a default class.

mod describe;
mod order;

use std::fmt::Write as _;

use super::cases::Cases;
use super::estimate::Estimate;
use super::grow::{Test, Tree};
use super::printed;
use crate::borders::Borders;
use crate::domain::{Domain, MethodIndex};
use crate::tree::Thresholds;

/// Rules in the order in which they are tried: the first one whose conditions hold decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The number of rules, without the default.
    pub rules: u64,
    /// The number of conditions of all rules.
    pub conditions: u64,
    /// The number of training cases that are decided otherwise than measured.
    pub errors: u64,
    /// The decision in each cell that is a training case.
    pub decisions: Vec<Option<MethodIndex>>,
    /// The rules as text, one a line, with the numbers of cases that each covers and of those of other classes: `size < 8: linear
    /// (8.0/1.0)`. The last line has no conditions.
    pub text: String,
}

/// A condition on the sample of one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// The sample is before (0) or from (1) a place on.
    Side {
        axis: usize,
        at: usize,
        side: usize,
    },
    Label {
        axis: usize,
        label: usize,
    },
}

impl Condition {
    fn holds(self, case: u32, cases: &Cases) -> bool {
        match self {
            Self::Side { axis, at, side } => usize::from(cases.sample(case, axis) >= at) == side,
            Self::Label { axis, label } => cases.sample(case, axis) == label,
        }
    }
}

/// A rule, and the cases that it covers.
#[derive(Clone, Debug)]
struct Rule {
    conditions: Vec<Condition>,
    class: usize,
    covered: Vec<u32>,
}

impl Rule {
    /// Returns the number of covered cases that are not of the rule's class.
    fn errors(&self, cases: &Cases) -> usize {
        self.covered.iter().filter(|&&case| cases.class(case) != self.class).count()
    }
}

pub(super) fn rules(
    tree: &Tree,
    cases: &Cases,
    estimate: &Estimate,
    domain: &Domain,
    borders: Borders,
) -> Rules {
    let mut found: Vec<Rule> = Vec::new();
    paths(tree, &mut Vec::new(), &mut |conditions, class| {
        let rule = generalised(conditions.to_vec(), class, cases, estimate);
        let is_new = |rule: &Rule| {
            found.iter().all(|other| other.class != rule.class || other.conditions != rule.conditions)
        };
        found.extend(rule.filter(is_new));
    });
    let mut chosen = Vec::new();
    for class in 0..cases.classes() {
        let of_class: Vec<Rule> = found.iter().filter(|rule| rule.class == class).cloned().collect();
        chosen.push(describe::shortest(of_class, class, cases));
    }
    let ordered = order::ordered(chosen, cases, estimate);
    shown(&ordered, cases, domain, &Thresholds::of_rule(borders))
}

/// Calls `leaf` with the conditions and the class of every leaf that has cases.
fn paths(tree: &Tree, above: &mut Vec<Condition>, leaf: &mut impl FnMut(&[Condition], usize)) {
    let Some(test) = tree.test else {
        if let (Some(class), false) = (tree.class, tree.cases.is_empty()) {
            leaf(above, class);
        }
        return;
    };
    for (outcome, child) in tree.children.iter().enumerate() {
        above.push(match test {
            Test::Cut { axis, at } => Condition::Side { axis, at, side: outcome },
            Test::Labels { axis } => Condition::Label { axis, label: outcome },
        });
        paths(child, above, leaf);
        above.pop();
    }
}

/// Drops conditions, the one whose absence gives the lowest pessimistic error rate first, while the rate does not rise. Returns `None` if
/// the rule is then no better than deciding for its class everywhere.
fn generalised(
    mut conditions: Vec<Condition>,
    class: usize,
    cases: &Cases,
    estimate: &Estimate,
) -> Option<Rule> {
    let all = cases.all();
    let rate = |covered: &[u32]| {
        let errors = covered.iter().filter(|&&case| cases.class(case) != class).count();
        estimate.rate(covered.len() as f64, errors as f64)
    };
    let holds = |case: u32, conditions: &[Condition], except: usize| {
        let mut others = conditions.iter().enumerate().filter(|(place, _)| *place != except);
        others.all(|(_, condition)| condition.holds(case, cases))
    };
    let cover = |conditions: &[Condition], except: usize| -> Vec<u32> {
        all.iter().copied().filter(|&case| holds(case, conditions, except)).collect()
    };
    let mut covered = cover(&conditions, usize::MAX);
    let mut current = rate(&covered);
    while !conditions.is_empty() {
        let without = (0..conditions.len()).map(|place| {
            let covered = cover(&conditions, place);
            (rate(&covered), place, covered)
        });
        let best = without.min_by(|one, other| one.0.total_cmp(&other.0))?;
        if best.0 > current {
            break;
        }
        conditions.remove(best.1);
        (current, covered) = (best.0, best.2);
    }
    (!conditions.is_empty() && current < rate(&all)).then_some(Rule { conditions, class, covered })
}

fn shown(ordered: &order::Ordered, cases: &Cases, domain: &Domain, thresholds: &Thresholds) -> Rules {
    let mut text = String::new();
    let label = |class: usize| domain.method(cases.method(class)).label();
    for rule in &ordered.rules {
        let conditions = rule.conditions.iter().map(|condition| match *condition {
            Condition::Side { axis, at, side } => {
                let name = &domain.axes()[axis].name;
                format!("{name}{}", printed::side((axis, at), side, domain, thresholds))
            }
            Condition::Label { axis, label } => {
                let axis = &domain.axes()[axis];
                format!("{} = {}", axis.name, axis.sample(label))
            }
        });
        let conditions: Vec<String> = conditions.collect();
        let errors = match rule.errors(cases) {
            0 => String::new(),
            errors => format!("/{errors}.0"),
        };
        let line =
            format!("{}: {} ({}.0{errors})\n", conditions.join(", "), label(rule.class), rule.covered.len());
        text.push_str(&line);
    }
    if let Some(class) = ordered.default {
        let _ = writeln!(text, ": {}", label(class));
    }
    let decided = ordered.decisions(cases);
    let errors = decided.iter().zip(cases.all()).filter(|(class, case)| **class != Some(cases.class(*case)));
    let errors = errors.count() as u64;
    Rules {
        rules: ordered.rules.len() as u64,
        conditions: ordered.rules.iter().map(|rule| rule.conditions.len() as u64).sum(),
        errors,
        decisions: decided.into_iter().map(|class| class.map(|class| cases.method(class))).collect(),
        text,
    }
}
