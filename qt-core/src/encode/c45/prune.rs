//! Pruning: a subtree is replaced by a leaf, or by its largest branch, if it has no fewer expected errors.

use super::cases::Cases;
use super::estimate::Estimate;
use super::grow::Tree;

/// The tolerance in favour of the simpler tree, in errors.
const SLACK: f64 = 0.1;

pub(super) fn prune(tree: &mut Tree, cases: &Cases, estimate: &Estimate) {
    if tree.test.is_none() {
        return;
    }
    tree.children.iter_mut().for_each(|child| prune(child, cases, estimate));
    let largest = largest(tree);
    let of_branch = raised(&tree.children[largest], &tree.cases, cases, estimate);
    let of_leaf = estimate.of_leaf(tree.counts.numbers());
    let of_tree = estimate.of_tree(tree);
    let within = |one: f64, other: f64| one <= other + SLACK + estimate.constants.tolerance();
    if within(of_leaf, of_tree) && within(of_leaf, of_branch) {
        tree.cut_off();
    } else if within(of_branch, of_tree) {
        let branch = tree.children.swap_remove(largest);
        (tree.test, tree.children) = (branch.test, branch.children);
        let own = std::mem::take(&mut tree.cases);
        redistribute(tree, own, cases, tree.class);
        prune(tree, cases, estimate);
    }
}

/// Returns the outcome with the most cases, the last on a tie.
fn largest(tree: &Tree) -> usize {
    let weight = |child: usize| tree.children[child].counts.total();
    (0..tree.children.len()).max_by(|&one, &other| weight(one).total_cmp(&weight(other))).unwrap_or(0)
}

/// Returns the expected errors of a subtree that receives all these cases.
fn raised(tree: &Tree, sent: &[u32], cases: &Cases, estimate: &Estimate) -> f64 {
    match tree.test {
        None => estimate.of_leaf(cases.count(sent).numbers()),
        Some(test) => {
            let split = test.split(sent, cases);
            tree.children.iter().zip(&split).map(|(child, sent)| raised(child, sent, cases, estimate)).sum()
        }
    }
}

fn redistribute(tree: &mut Tree, own: Vec<u32>, cases: &Cases, above: Option<usize>) {
    tree.counts = cases.count(&own);
    tree.class = tree.counts.majority().or(above);
    if let Some(test) = tree.test {
        let split = test.split(&own, cases);
        let class = tree.class;
        tree.children.iter_mut().zip(split).for_each(|(child, own)| redistribute(child, own, cases, class));
    }
    tree.cases = own;
}
