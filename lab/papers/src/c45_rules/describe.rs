//! The rules of one class with the shortest description: their own bits, and those of the exceptions to them.

use qtdec_core::encode::Condition;

use super::{Cases, Rule};

/// The weight of the bits of rules, as the book sets it: rules of one set overlap, so that their encoding is redundant.
const WEIGHT: f64 = 0.5;

/// Returns the subset of the rules with the shortest description that is found: beginning with all, the rule is added or removed that
/// shortens it most.
pub(super) fn shortest(rules: Vec<Rule>, class: usize, cases: &Cases<'_>) -> Vec<Rule> {
    let factorials = log_factorials(cases.len().max(64));
    let bits: Vec<f64> = rules.iter().map(|rule| WEIGHT * of_rule(rule, cases, &factorials)).collect();
    let of_class = cases.all().into_iter().filter(|&case| cases.class(case) == class).count();
    let mut covers = vec![0_u32; cases.len()];
    rules.iter().flat_map(|rule| &rule.covered).for_each(|&case| covers[case as usize] += 1);
    let mut kept = vec![true; rules.len()];
    let mut counts = Covered::default();
    for case in cases.all().into_iter().filter(|&case| covers[case as usize] > 0) {
        counts.add(cases.class(case) == class, 1);
    }
    let exceptions = |counts: Covered| {
        let left = cases.len() - counts.all();
        let choose = |all: usize, some: usize| factorials[all] - factorials[some] - factorials[all - some];
        choose(counts.all(), counts.wrong) + choose(left, of_class - counts.right)
    };
    loop {
        let now = exceptions(counts);
        let toggled = |place: usize| {
            // Removed, a rule uncovers what it alone covers; added, it covers what no other does.
            let alone = u32::from(kept[place]);
            let mut after = counts;
            for &case in rules[place].covered.iter().filter(|&&case| covers[case as usize] == alone) {
                after.add(cases.class(case) == class, if kept[place] { -1 } else { 1 });
            }
            let own = if kept[place] { -bits[place] } else { bits[place] };
            (own + exceptions(after) - now, place, after)
        };
        let best = (0..rules.len()).map(toggled).min_by(|one, other| one.0.total_cmp(&other.0));
        let Some((gain, place, after)) = best.filter(|(gain, ..)| *gain < -1e-9) else { break };
        debug_assert!(gain < 0.0);
        for &case in &rules[place].covered {
            let covers = &mut covers[case as usize];
            *covers = if kept[place] { *covers - 1 } else { *covers + 1 };
        }
        kept[place] = !kept[place];
        counts = after;
    }
    rules.into_iter().zip(kept).filter_map(|(rule, kept)| kept.then_some(rule)).collect()
}

/// The numbers of covered cases that are of the class, and that are not.
#[derive(Clone, Copy, Default)]
struct Covered {
    right: usize,
    wrong: usize,
}

impl Covered {
    fn all(self) -> usize {
        self.right + self.wrong
    }

    fn add(&mut self, is_right: bool, change: isize) {
        let part = if is_right { &mut self.right } else { &mut self.wrong };
        *part = part.saturating_add_signed(change);
    }
}

/// Returns the bits of a rule: those of its conditions, whose order does not matter.
fn of_rule(rule: &Rule, cases: &Cases<'_>, factorials: &[f64]) -> f64 {
    let attribute = (cases.axes().len() as f64).log2();
    let of_condition = |condition: &Condition| {
        let of_value = match (*condition, cases.axes()) {
            (Condition::Side { axis, .. }, axes) => 1.0 + (axes[axis].len() as f64 - 1.0).max(1.0).log2(),
            (Condition::Label { axis, .. }, axes) => (axes[axis].len() as f64).log2(),
        };
        attribute + of_value
    };
    let bits: f64 = rule.conditions.iter().map(of_condition).sum();
    (bits - factorials[rule.conditions.len().min(factorials.len() - 1)]).max(0.0)
}

/// Returns `log2 n!` for every `n` up to a number.
fn log_factorials(most: usize) -> Vec<f64> {
    let mut sum = 0.0;
    (0..=most)
        .map(|number| {
            sum += (number.max(1) as f64).log2();
            sum
        })
        .collect()
}
