//! The text of a tree, in the format of Weka's J48.

use std::fmt::Write as _;

use super::cases::Cases;
use super::grow::{Test, Tree};
use crate::borders::Borders;
use crate::domain::Domain;
use crate::tree::Thresholds;

/// Returns the text of a tree, with a line for every outcome of every test.
pub(super) fn text(tree: &Tree, cases: &Cases, domain: &Domain, thresholds: &Thresholds) -> String {
    let mut text = String::new();
    if tree.test.is_none() {
        leaf(tree, cases, domain, &mut text);
    }
    outcomes(tree, 0, cases, domain, thresholds, &mut text);
    text
}

/// Returns the condition of one side of a cut, as in ` < 4096`. C4.5 itself names the largest size below its border.
pub(super) fn side(
    (axis, at): (usize, usize),
    outcome: usize,
    domain: &Domain,
    thresholds: &Thresholds,
) -> String {
    let axes = domain.axes();
    if thresholds.borders() == Borders::Ceiling {
        format!(" {} {}", ["<=", ">"][outcome], axes[axis].sample(at - 1))
    } else {
        format!(" {} {}", ["<", ">="][outcome], thresholds.threshold(axes, axis, at))
    }
}

fn outcomes(
    tree: &Tree,
    depth: usize,
    cases: &Cases,
    domain: &Domain,
    thresholds: &Thresholds,
    text: &mut String,
) {
    for (outcome, child) in tree.children.iter().enumerate() {
        let Some(test) = tree.test else { return };
        let axis = &domain.axes()[test.axis()];
        text.push_str(&"|   ".repeat(depth));
        text.push_str(&axis.name);
        let outcome = match test {
            Test::Labels { .. } => format!(" = {}", axis.sample(outcome)),
            Test::Cut { at, .. } => side((test.axis(), at), outcome, domain, thresholds),
        };
        text.push_str(&outcome);
        if child.test.is_none() {
            leaf(child, cases, domain, text);
        } else {
            text.push('\n');
            outcomes(child, depth + 1, cases, domain, thresholds, text);
        }
    }
}

/// Appends the class, the number of its cases and of those of other classes.
fn leaf(tree: &Tree, cases: &Cases, domain: &Domain, text: &mut String) {
    let label = tree.class.map_or_else(|| "?".to_owned(), |class| domain.method(cases.method(class)).label());
    let errors = tree.errors();
    let errors = if errors > 0.0 { format!("/{errors:.1}") } else { String::new() };
    let _ = writeln!(text, ": {label} ({:.1}{errors})", tree.cases.len() as f64);
}
