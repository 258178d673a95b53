//! A tree as selections: every test is looked at, and arithmetic keeps one answer. There is no branch to predict and nothing to load.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::decision::Decision;
use super::layout::Layout;
use super::number::number;
use super::scope::Scope;
use super::table::dispatch;
use crate::domain::MethodIndex;
use crate::message::Suggestion;
use crate::problem::{Place, Problem};
use crate::tree::{Bound, Condition, DecisionTree, Node, Subtree};

/// The most regions of a tree in selections, all of which are looked at in every call.
///
/// Random calls take 0.66 of the time of branches with 35 regions, 0.75 with 49, 0.90 with 58, 0.88 with 65, 1.01 with 69 and 1.14 with
/// 75 (tables of Frontera, by `cargo xtask bench`): with more than this, selections are behind both other layouts.
pub const MAX_SELECTED: usize = 64;

/// Checks that a tree is small enough for selections; `instead` is the layout to take if it is not.
///
/// # Errors
///
/// More regions than [`MAX_SELECTED`].
pub fn check_selected(tree: &DecisionTree, instead: &str) -> Result<(), Problem> {
    let regions = tree.root().leaves();
    if regions <= MAX_SELECTED {
        return Ok(());
    }
    let message = format!("{regions} regions are too many selections, of which the most are {MAX_SELECTED}");
    Err(Problem::new(Place::File, message)
        .help(Suggestion::set("layout", instead))
        .help("allow a budget, with which the tree is smaller"))
}

/// One nest of selections between the numbers of the answers: the fastest layout for small trees.
#[derive(Debug)]
pub(super) struct Selections;

impl Layout for Selections {
    fn name(&self) -> &'static str {
        "select"
    }

    fn summary(&self) -> &'static str {
        "selections without a branch or a load for small trees"
    }

    fn write(&self, tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem> {
        let Scope { answers, names, .. } = scope;
        check_selected(tree, "table")?;
        let known = tree.root().answers();
        if let [answer] = known[..] {
            return Ok(Decision::alone(answers.get(answer)));
        }
        let ids: Option<Vec<u64>> = known.iter().map(|method| answers.id((*method)?)).collect();
        let numbers = ids.clone().unwrap_or_else(|| (0..known.len() as u64).collect());
        let number_of = |method: Option<MethodIndex>| {
            let position = known.iter().position(|known| *known == method).unwrap_or_default();
            numbers[position]
        };
        let word = if numbers.iter().all(|&number| u32::try_from(number).is_ok()) {
            quote!(u32)
        } else {
            quote!(u64)
        };
        let (name, chosen) = (names.item("qtdec_select"), names.local("chosen"));
        let selected = scope.selected(tree.root(), &name, &number_of);
        let mut lints = vec![quote!(clippy::too_many_lines)];
        if ids.is_none() && !known.len().is_power_of_two() {
            lints.push(quote!(clippy::match_same_arms));
        }
        let items = quote! {
            #[allow(clippy::cast_lossless)]
            #[inline]
            const fn #name(test: bool, below: #word, above: #word) -> #word {
                above ^ ((above ^ below) & (test as #word).wrapping_neg())
            }
        };
        let value = if ids.is_some() { answers.number(&chosen) } else { dispatch(&known, answers, &chosen) };
        Ok(Decision { items, statements: quote!(let #chosen = #selected;), value, lints })
    }
}

impl Scope<'_> {
    /// The number of the answer of a subtree, an expression.
    fn selected(
        &self,
        subtree: Subtree<'_>,
        select: &Ident,
        number_of: &impl Fn(Option<MethodIndex>) -> u64,
    ) -> TokenStream {
        match subtree.node() {
            Node::Leaf(method) => number(number_of(method), Span::call_site()),
            Node::Test { axis, at, below, at_or_above } => {
                let test = self.condition(&Condition::Side(Bound { axis, at, below: true }));
                let (below, above) =
                    (self.selected(below, select, number_of), self.selected(at_or_above, select, number_of));
                quote!(#select(#test, #below, #above))
            }
        }
    }
}
