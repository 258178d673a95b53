//! The text of a tree, in the format of Weka's J48.

use std::fmt::Write as _;

use super::cases::Cases;
use super::grow::{Test, Tree};
use crate::borders::Borders;
use crate::domain::Domain;
use crate::tree::Thresholds;

/// Returns the text of a tree, with a line for every outcome of every test.
pub(super) fn text(tree: &Tree, cases: &Cases, domain: &Domain, thresholds: &Thresholds) -> String {
    let mut printer = Printer { cases, domain, thresholds, text: String::new() };
    if tree.test.is_none() {
        printer.leaf(tree);
    }
    printer.outcomes(tree, 0);
    printer.text
}

struct Printer<'p> {
    cases: &'p Cases,
    domain: &'p Domain,
    thresholds: &'p Thresholds,
    text: String,
}

impl Printer<'_> {
    fn outcomes(&mut self, tree: &Tree, depth: usize) {
        for (outcome, child) in tree.children.iter().enumerate() {
            let Some(test) = tree.test else { return };
            let name = &self.domain.axes()[test.axis()].name;
            let condition = self.condition(test, outcome);
            let _ = write!(self.text, "{}{name} {condition}", "|   ".repeat(depth));
            if child.test.is_none() {
                self.leaf(child);
            } else {
                self.text.push('\n');
                self.outcomes(child, depth + 1);
            }
        }
    }

    /// Returns the condition of an outcome, as in `< 4096`. C4.5 itself names the largest size below its border.
    fn condition(&self, test: Test, outcome: usize) -> String {
        let axes = self.domain.axes();
        match test {
            Test::Labels { axis } => format!("= {}", axes[axis].sample(outcome)),
            Test::Cut { axis, at } if self.thresholds.borders() == Borders::Ceiling => {
                format!("{} {}", ["<=", ">"][outcome], axes[axis].sample(at - 1))
            }
            Test::Cut { axis, at } => {
                format!("{} {}", ["<", ">="][outcome], self.thresholds.threshold(axes, axis, at))
            }
        }
    }

    /// Appends the class, the number of its cases and of those of other classes.
    fn leaf(&mut self, tree: &Tree) {
        let label = |class| self.domain.method(self.cases.method(class)).label();
        let label = tree.class.map_or_else(|| "?".to_owned(), label);
        let errors = tree.errors();
        let errors = if errors > 0.0 { format!("/{errors:.1}") } else { String::new() };
        let _ = writeln!(self.text, ": {label} ({:.1}{errors})", tree.counts.total());
    }
}
