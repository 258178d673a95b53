//! The order of classes and rules, and the default class.

use std::cmp::Reverse;

use qtdec_core::encode::C45;

use super::{Cases, Rule};

/// Rules in order, and the class of cases that none covers; `None` if there are no cases at all.
pub(super) struct Ordered {
    pub(super) rules: Vec<Rule>,
    pub(super) default: Option<usize>,
}

impl Ordered {
    /// Returns the classes that are decided for the cases.
    pub(super) fn decisions(&self, cases: &Cases<'_>) -> Vec<Option<usize>> {
        let mut decided = vec![self.default; cases.len()];
        for rule in self.rules.iter().rev() {
            rule.covered.iter().for_each(|&case| decided[case as usize] = Some(rule.class));
        }
        decided
    }
}

/// Orders the rules of all classes.
///
/// The next class is the one whose rules cover the fewest cases of other classes, of those that no class before it covers. The default
/// is the class with the most cases that no rule covers, the more frequent one on a tie. Then rules are removed while that leaves fewer
/// errors.
pub(super) fn ordered(mut of_classes: Vec<Vec<Rule>>, cases: &Cases<'_>, c45: &C45) -> Ordered {
    of_classes.retain(|rules| !rules.is_empty());
    let mut left = vec![true; cases.len()];
    let mut rules = Vec::new();
    while !of_classes.is_empty() {
        let wrong = |own: &Vec<Rule>| {
            let mut covered: Vec<u32> = own.iter().flat_map(|rule| &rule.covered).copied().collect();
            covered.sort_unstable();
            covered.dedup();
            let wrong =
                covered.iter().filter(|&&case| left[case as usize] && cases.class(case) != own[0].class);
            wrong.count()
        };
        let next = (0..of_classes.len()).min_by_key(|&place| wrong(&of_classes[place])).unwrap_or(0);
        let mut own = of_classes.remove(next);
        let rate = |rule: &Rule| c45.error_rate(rule.covered.len(), rule.errors(cases));
        own.sort_by(|one, other| rate(one).total_cmp(&rate(other)));
        own.iter().flat_map(|rule| &rule.covered).for_each(|&case| left[case as usize] = false);
        rules.extend(own);
    }
    let mut uncovered = vec![(0_usize, 0_usize); cases.methods.len()];
    for case in cases.all() {
        let count = &mut uncovered[cases.class(case)];
        count.0 += usize::from(left[case as usize]);
        count.1 += 1;
    }
    let default = (0..uncovered.len()).min_by_key(|&class| Reverse(uncovered[class]));
    let mut ordered = Ordered { rules, default };
    polish(&mut ordered, cases);
    ordered
}

/// Removes the rule whose removal leaves the fewest errors, while they become fewer.
fn polish(ordered: &mut Ordered, cases: &Cases<'_>) {
    loop {
        // The first two rules that cover a case decide what the removal of one changes.
        let none = ordered.rules.len();
        let mut firsts = vec![[none; 2]; cases.len()];
        for (place, rule) in ordered.rules.iter().enumerate().rev() {
            rule.covered.iter().for_each(|&case| {
                let [first, second] = &mut firsts[case as usize];
                (*second, *first) = (*first, place);
            });
        }
        let class = |place: usize| ordered.rules.get(place).map_or(ordered.default, |rule| Some(rule.class));
        let mut change = vec![0_i64; none];
        for (case, [first, second]) in cases.all().into_iter().zip(firsts) {
            let wrong = |place: usize| i64::from(class(place) != Some(cases.class(case)));
            if first < none {
                change[first] += wrong(second) - wrong(first);
            }
        }
        match (0..none).min_by_key(|&place| change[place]).filter(|&place| change[place] < 0) {
            Some(place) => drop(ordered.rules.remove(place)),
            None => return,
        }
    }
}
