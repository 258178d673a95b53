//! The text of a tree, in the format of Weka's J48.

use std::fmt::Write as _;

use super::cases::Cases;
use super::grow::{Test, Tree};
use crate::domain::Domain;

/// Returns the text of a tree, with a line for every outcome of every test.
pub(super) fn text(tree: &Tree, cases: &Cases, domain: &Domain) -> String {
    let mut text = String::new();
    if tree.test.is_none() {
        leaf(tree, cases, domain, &mut text);
    }
    outcomes(tree, 0, cases, domain, &mut text);
    text
}

fn outcomes(tree: &Tree, depth: usize, cases: &Cases, domain: &Domain, text: &mut String) {
    for (outcome, child) in tree.children.iter().enumerate() {
        let Some(test) = tree.test else { return };
        let axis = &domain.axes()[test.axis()];
        text.push_str(&"|   ".repeat(depth));
        text.push_str(&axis.name);
        let outcome = match test {
            Test::Labels { .. } => format!(" = {}", axis.sample(outcome)),
            Test::Cut { at, .. } => {
                let sign = if outcome == 0 { "<=" } else { ">" };
                format!(" {sign} {}", axis.sample(at - 1))
            }
        };
        text.push_str(&outcome);
        if child.test.is_none() {
            leaf(child, cases, domain, text);
        } else {
            text.push('\n');
            outcomes(child, depth + 1, cases, domain, text);
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
