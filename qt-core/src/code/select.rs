//! The layout of a tree as selections: every test is evaluated, and arithmetic keeps one answer. There are no branches to predict and
//! no loads if the answers are numbers, the generated enum, or one of them in an `Option`. Labels are loaded, and so are more than eight
//! variants of an enum in another order than the map's. A method's requirements and the user's body are branched to.
//!
//! A small tree is a nest of selections between answers. If a tree has many regions but few borders, the selections are between
//! words that each hold a row of answers.

use super::answers::Answers;
use super::layout::{Decision, Layout};
use super::number::number;
use super::returns::ReturnKind;
use super::scope::Scope;
use super::table::dispatch;
use crate::domain::MethodIndex;
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::{Bound, Condition, DecisionTree, Node, PackedRows, Subtree};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

/// The maximum number of regions of a tree in selections, which evaluate all regions in every call.
///
/// As one nest, random calls take 0.66 of the time of branches with 35 regions, 0.75 with 49, 0.90 with 58, 0.88 with 65, 1.01 with 69
/// and 1.14 with 75; as rows of answers, 0.45 with 22 and 0.48 with 49 (tables of Polaris and Frontera, by `cargo xtask bench`).
pub const MAX_SELECTED: usize = 64;

/// Checks that a tree is small enough for selections; `instead` is the layout to suggest otherwise.
///
/// # Errors
///
/// Returns an error for more regions than [`MAX_SELECTED`].
pub fn check_selected(tree: &DecisionTree, instead: &str) -> Result<(), Problem> {
    let regions = tree.root().leaves();
    if regions <= MAX_SELECTED {
        return Ok(());
    }
    let message = format!("{regions} regions are too many for selections: the maximum is {MAX_SELECTED}");
    Err(Problem::new(Place::File, message)
        .help(Message::set("layout", instead))
        .help("set a budget, which makes the tree smaller"))
}

/// Selections between answers: the fastest layout for small trees.
pub(super) const SELECT: Layout =
    Layout { name: "select", summary: "selections without branches or loads for small trees", write };

/// The numbers that stand for answers, chosen so that the conversion of the selected one into its answer is arithmetic, too.
enum Numbering {
    /// The ids that are returned.
    Ids,
    /// Twice the id plus one, and 0 for `None`.
    OptionalIds,
    /// The positions among the methods that have a variant, and the next number for no decision. An enum of the methods has the same
    /// numbers.
    Methods(Vec<MethodIndex>),
    /// The positions in a list of answers. The compiler keeps up to [`PACKED`] answers of one byte in a word.
    Positions,
}

/// The maximum number of answers for which the compiler needs no table in memory.
const PACKED: usize = 8;

impl Numbering {
    fn new(known: &[Option<MethodIndex>], answers: &Answers<'_>, tree: &DecisionTree) -> Self {
        let id = |method: &Option<MethodIndex>| method.map(|method| answers.id(method));
        let (is_total, ids) = (!known.contains(&None), known.iter().filter_map(id));
        let ids: Option<Vec<u64>> = ids.collect();
        let converts = is_total || answers.wraps_options();
        match ids {
            Some(_) if is_total => Self::Ids,
            Some(ids) if converts && ids.iter().all(|id| *id < 1 << 63) => Self::OptionalIds,
            None if converts
                && matches!(answers.function.returns, ReturnKind::Variant(_))
                && known.len() > PACKED =>
            {
                Self::Methods(tree.domain().choosable_methods(&tree.methods()).collect())
            }
            _ => Self::Positions,
        }
    }

    fn number(
        &self,
        method: Option<MethodIndex>,
        known: &[Option<MethodIndex>],
        answers: &Answers<'_>,
    ) -> u64 {
        let id = || method.and_then(|method| answers.id(method));
        let position = |known: &[MethodIndex]| {
            method.and_then(|method| known.binary_search(&method).ok()).unwrap_or(known.len()) as u64
        };
        match self {
            Self::Ids => id().unwrap_or_default(),
            Self::OptionalIds => id().map_or(0, |id| 2 * id + 1),
            Self::Methods(methods) => position(methods),
            Self::Positions => known.iter().position(|known| *known == method).unwrap_or_default() as u64,
        }
    }

    /// Returns the answer with the number that this variable holds.
    fn answer(&self, chosen: &Ident, known: &[Option<MethodIndex>], scope: &Scope<'_>) -> TokenStream {
        let answers = &scope.answers;
        match self {
            Self::Ids => answers.number(chosen),
            Self::OptionalIds => {
                let some = answers.number(chosen);
                let none = answers.get(None);
                quote!(if #chosen == 0 { #none } else { let #chosen = #chosen >> 1; #some })
            }
            Self::Methods(methods) => {
                let is_total = !known.contains(&None);
                let (rest, numbered) = match methods.split_last() {
                    Some((last, others)) if is_total => (Some(*last), others),
                    _ => (None, &methods[..]),
                };
                let rest = answers.get(rest);
                let arms: TokenStream = numbered
                    .iter()
                    .enumerate()
                    .map(|(number, method)| {
                        let (number, answer) =
                            (Literal::usize_unsuffixed(number), answers.get(Some(*method)));
                        quote!(#number => #answer,)
                    })
                    .collect();
                quote!(match #chosen { #arms _ => #rest, })
            }
            Self::Positions => dispatch(known, answers, chosen),
        }
    }
}

/// Selects between the numbers of the answers, or between rows of them.
fn write(tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem> {
    let Scope { answers, names, .. } = scope;
    check_selected(tree, "table")?;
    let known = tree.root().answers();
    if let [answer] = known[..] {
        return Ok(Decision::alone(answers.get(answer)));
    }
    let numbering = Numbering::new(&known, answers, tree);
    let number_of = |method: Option<MethodIndex>| numbering.number(method, &known, answers);
    let rows = PackedRows::from_tree(tree, number_of);
    let fits_u32 = match &rows {
        Some(rows) => rows.width() <= u32::BITS as usize,
        None => known.iter().all(|&method| u32::try_from(number_of(method)).is_ok()),
    };
    let word = if fits_u32 { quote!(u32) } else { quote!(u64) };
    let (name, chosen) = (names.item("qtdec_select"), names.local("chosen"));
    let selected = rows
        .as_ref()
        .map_or_else(|| scope.selected(tree.root(), &name, &number_of), |rows| scope.unpacked(rows, &name));
    let mut lints = vec!["clippy::too_many_lines"];
    if matches!(numbering, Numbering::Positions) && !known.len().is_power_of_two() {
        lints.push("clippy::match_same_arms");
    }
    if rows.is_some() {
        lints.push("clippy::cast_lossless");
    }
    let items = quote! {
        #[allow(clippy::cast_lossless)]
        #[inline]
        const fn #name(test: bool, below: #word, above: #word) -> #word {
            above ^ ((above ^ below) & (test as #word).wrapping_neg())
        }
    };
    let value = numbering.answer(&chosen, &known, scope);
    let statements = quote!(let #chosen = #selected;);
    Ok(Decision { items, statements, value, lints })
}

impl Scope<'_> {
    /// Returns the number of the answer, unpacked from the selected word.
    fn unpacked(&self, PackedRows { row, column, bits, words }: &PackedRows, select: &Ident) -> TokenStream {
        let row = self.word(row.axis, &row.cuts, words, select);
        let number = |value: u64| number(value, Span::call_site());
        let counted = column.cuts.iter().map(|&at| {
            let test = self.condition(&Condition::Side(Bound { axis: column.axis, at, below: false }));
            quote!((#test) as u32)
        });
        let counted: Vec<TokenStream> = counted.collect();
        let (bits, mask) = (number(u64::from(*bits)), number((1 << bits) - 1));
        quote!((#row >> ((#(#counted)+*) * #bits)) & #mask)
    }

    /// Returns an expression for the word of the interval of a size. There is one cut between every two words.
    fn word(&self, axis: usize, cuts: &[usize], words: &[u64], select: &Ident) -> TokenStream {
        if cuts.is_empty() {
            return number(words[0], Span::call_site()).into_token_stream();
        }
        let middle = cuts.len() / 2;
        let test = self.condition(&Condition::Side(Bound { axis, at: cuts[middle], below: true }));
        let below = self.word(axis, &cuts[..middle], &words[..=middle], select);
        let above = self.word(axis, &cuts[middle + 1..], &words[middle + 1..], select);
        quote!(#select(#test, #below, #above))
    }

    /// Returns an expression for the number of the answer of a subtree.
    fn selected(
        &self,
        subtree: Subtree<'_>,
        select: &Ident,
        number_of: &impl Fn(Option<MethodIndex>) -> u64,
    ) -> TokenStream {
        match subtree.node() {
            Node::Leaf(method) => {
                let number = number(number_of(method), Span::call_site());
                quote!(#number)
            }
            Node::Test { axis, at, below, at_or_above } => {
                let test = self.condition(&Condition::Side(Bound { axis, at, below: true }));
                let (below, above) =
                    (self.selected(below, select, number_of), self.selected(at_or_above, select, number_of));
                quote!(#select(#test, #below, #above))
            }
        }
    }
}
