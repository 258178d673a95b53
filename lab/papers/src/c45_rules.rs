//! C4.5's production rules from an unpruned tree: Quinlan 1993, chapter 5.
//!
//! Every leaf gives a rule. Conditions are dropped while the pessimistic error rate of the rule does not rise. For each class, a subset of
//! its rules is chosen by the length of their description. The classes are tried in the order of their false positives, and what
//! no rule covers is of a default class.

mod describe;
mod order;

use std::fmt::Write as _;

use qtdec_core::encode::{C45, Condition};
use qtdec_core::{Axis, DecisionMap, MethodIndex, Problem};

/// Rules in the order in which they are tried: the first one whose conditions hold decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The number of rules, without the default.
    pub rules: u64,
    /// The number of conditions of all rules.
    pub conditions: u64,
    /// The number of training cases that are decided otherwise than measured.
    pub errors: u64,
    /// The decision in each cell that is a training case, and `None` elsewhere.
    pub decisions: Vec<Option<MethodIndex>>,
    /// The rules as text, one a line, with the numbers of cases that each covers and of those of other classes: `size < 8: linear
    /// (8.0/1.0)`. The last line has no conditions.
    pub text: String,
}

/// The training cases: the measured cells of a map, whose methods are the classes.
struct Cases<'m> {
    map: &'m DecisionMap,
    /// The cell of each case.
    cells: Vec<usize>,
    /// The class of each case.
    classes: Vec<usize>,
    /// The methods that are classes.
    methods: Vec<MethodIndex>,
}

impl<'m> Cases<'m> {
    fn new(map: &'m DecisionMap) -> Self {
        let measured = map.cells().iter().enumerate().filter_map(|(cell, method)| Some((cell, (*method)?)));
        let (cells, decided): (Vec<usize>, Vec<MethodIndex>) = measured.unzip();
        let methods: Vec<_> =
            map.domain().method_indexes().filter(|method| decided.contains(method)).collect();
        let class = |method| methods.iter().position(|known| known == method).unwrap_or_default();
        Self { map, cells, classes: decided.iter().map(class).collect(), methods }
    }

    fn len(&self) -> usize {
        self.cells.len()
    }

    fn all(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }

    fn axes(&self) -> &'m [Axis] {
        self.map.domain().axes()
    }

    /// Returns the index of the sample of a case on an axis; the last axis varies fastest.
    fn sample(&self, case: u32, axis: usize) -> usize {
        let faster: usize = self.axes()[axis + 1..].iter().map(Axis::len).product();
        self.cells[case as usize] / faster % self.axes()[axis].len()
    }

    fn class(&self, case: u32) -> usize {
        self.classes[case as usize]
    }

    fn holds(&self, condition: Condition, case: u32) -> bool {
        match condition {
            Condition::Side { axis, at, side } => usize::from(self.sample(case, axis) >= at) == side,
            Condition::Label { axis, label } => self.sample(case, axis) == label,
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
    fn errors(&self, cases: &Cases<'_>) -> usize {
        self.covered.iter().filter(|&&case| cases.class(case) != self.class).count()
    }
}

/// Returns production rules that are derived from the tree before pruning, with the pessimistic errors of the confidence level, and
/// borders at the first sample from which on a condition holds or does not.
///
/// # Errors
///
/// Returns an error for a map with too many cells, or a tree that takes too much work.
pub fn rules(c45: &C45, map: &DecisionMap) -> Result<Rules, Problem> {
    let cases = Cases::new(map);
    let mut found: Vec<Rule> = Vec::new();
    for leaf in c45.leaves(map)? {
        let class = cases.methods.iter().position(|method| *method == leaf.method).unwrap_or_default();
        let rule = generalised(leaf.conditions, class, &cases, c45);
        let is_new = |rule: &Rule| {
            found.iter().all(|other| other.class != rule.class || other.conditions != rule.conditions)
        };
        found.extend(rule.filter(is_new));
    }
    let mut chosen = Vec::new();
    for class in 0..cases.methods.len() {
        let of_class: Vec<Rule> = found.iter().filter(|rule| rule.class == class).cloned().collect();
        chosen.push(describe::shortest(of_class, class, &cases));
    }
    Ok(shown(&order::ordered(chosen, &cases, c45), &cases))
}

/// Drops conditions, the one whose absence gives the lowest pessimistic error rate first, while the rate does not rise. Returns `None` if
/// the rule is then no better than deciding for its class everywhere.
fn generalised(mut conditions: Vec<Condition>, class: usize, cases: &Cases<'_>, c45: &C45) -> Option<Rule> {
    let all = cases.all();
    let rate = |covered: &[u32]| {
        let errors = covered.iter().filter(|&&case| cases.class(case) != class).count();
        c45.error_rate(covered.len(), errors)
    };
    let holds = |case: u32, conditions: &[Condition], except: usize| {
        let mut others = conditions.iter().enumerate().filter(|(place, _)| *place != except);
        others.all(|(_, condition)| cases.holds(*condition, case))
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

fn shown(ordered: &order::Ordered, cases: &Cases<'_>) -> Rules {
    let mut text = String::new();
    let label = |class: usize| cases.map.domain().method(cases.methods[class]).label();
    for rule in &ordered.rules {
        let conditions = rule.conditions.iter().map(|condition| match *condition {
            Condition::Side { axis, at, side } => {
                let axis = &cases.axes()[axis];
                format!("{} {} {}", axis.name, ["<", ">="][side], axis.sample(at))
            }
            Condition::Label { axis, label } => {
                let axis = &cases.axes()[axis];
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
    let mut decisions = vec![None; cases.map.cells().len()];
    for (cell, class) in cases.cells.iter().zip(&decided) {
        decisions[*cell] = class.map(|class| cases.methods[class]);
    }
    Rules {
        rules: ordered.rules.len() as u64,
        conditions: ordered.rules.iter().map(|rule| rule.conditions.len() as u64).sum(),
        errors,
        decisions,
        text,
    }
}
