//! The answers of a function: what it returns for each method.

use std::collections::HashMap;

use super::function::Function;
use super::number::number;
use super::returns::{OwnAnswers, ReturnKind, Wrapper};
use super::types::span_of;
use super::variants;
use crate::domain::{Domain, Method, MethodIndex};
use crate::listing::in_backticks;
use crate::problem::{Diagnostics, Path, Place, Problem, Problems};
use crate::similar::did_you_mean;
use crate::tree::DecisionTree;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The answers of a function for each method, as expressions.
pub(super) struct Answers<'f> {
    pub(super) function: &'f Function<'f>,
    /// The answer of each method, without the wrapper.
    bare: Vec<TokenStream>,
    unmapped: TokenStream,
    /// The ids, if ids are returned.
    ids: Vec<u64>,
}

impl<'f> Answers<'f> {
    /// Creates the answers; `unmapped` is the expression for no method.
    pub(super) fn new(function: &'f Function<'_>, unmapped: TokenStream) -> Result<Self, Problems> {
        let domain = function.tree.domain();
        let mut numbers = Vec::new();
        let bare: Vec<TokenStream> = match &function.returns {
            ReturnKind::Variant(ty) => {
                let path = |variant: &String| {
                    let variant = Ident::new(variant, function.variants_at);
                    quote!(#ty::#variant)
                };
                variants::of_methods(domain.methods())?.iter().map(path).collect()
            }
            ReturnKind::Id(ty) => {
                numbers = ids(domain)?;
                numbers
                    .iter()
                    .map(|&id| {
                        let id = number(id, span_of(ty));
                        quote!(#id)
                    })
                    .collect()
            }
            ReturnKind::Own(own) => own_answers(own, function.tree)?,
            ReturnKind::Label => {
                domain.methods().iter().map(Method::label).map(|label| quote!(#label)).collect()
            }
        };
        Ok(Self { function, bare, unmapped, ids: numbers })
    }

    pub(super) fn get(&self, method: Option<MethodIndex>) -> TokenStream {
        method.map_or_else(|| self.unmapped.clone(), |method| self.wrap(self.bare(method)))
    }

    /// Returns the answer without its wrapper.
    pub(super) fn bare(&self, method: MethodIndex) -> &TokenStream {
        &self.bare[method.get()]
    }

    pub(super) fn wrap(&self, bare: &TokenStream) -> TokenStream {
        self.function.wrapper.around(bare)
    }

    /// Returns whether the function returns an `Option` that is `None` where there is no decision.
    pub(super) fn wraps_options(&self) -> bool {
        self.function.wrapper == Wrapper::Option && self.function.fallback.is_none()
    }

    /// Returns, for each method, the first method with the same answer. Methods with the same id are represented by the first of them.
    pub(super) fn canonical_methods(&self, domain: &Domain) -> Vec<MethodIndex> {
        let mut first: HashMap<u64, usize> = HashMap::new();
        let stands_for = |method: MethodIndex| match self.id(method) {
            Some(id) => MethodIndex::new(*first.entry(id).or_insert(method.get())),
            None => method,
        };
        domain.method_indexes().map(stands_for).collect()
    }

    /// Returns the user's expressions for methods that are never returned. They must compile too, or the next map could not be used, and
    /// what they name must not be unused until then.
    pub(super) fn never_returned(&self, tree: &DecisionTree) -> Vec<TokenStream> {
        let used = tree.methods();
        let given = tree.domain().method_indexes().filter(|method| !self.bare(*method).is_empty());
        match self.function.returns {
            ReturnKind::Own(_) => given
                .filter(|method| used.binary_search(method).is_err())
                .map(|method| self.wrap(self.bare(method)))
                .collect(),
            ReturnKind::Variant(_) | ReturnKind::Id(_) | ReturnKind::Label => Vec::new(),
        }
    }

    pub(super) fn id(&self, method: MethodIndex) -> Option<u64> {
        self.ids.get(method.get()).copied()
    }
}

/// Returns the expression of every method. Methods that the function never returns need none.
fn own_answers(own: &OwnAnswers, tree: &DecisionTree) -> Result<Vec<TokenStream>, Problems> {
    let domain = tree.domain();
    let mut check = Diagnostics::default();
    let labels: Vec<String> = domain.methods().iter().map(Method::label).collect();
    for (index, (label, _)) in own.answers.iter().enumerate() {
        if !labels.contains(label) {
            let meant = did_you_mean(label, labels.iter().map(String::as_str));
            let help = meant.map_or_else(
                || format!("the methods are {}", in_backticks(&labels)),
                |meant| format!("did you mean `{meant}`?"),
            );
            check.add(
                Problem::new(Place::File, format!("an answer is given for `{label}`, which is not a method"))
                    .help(help),
            );
        }
        if own.answers[..index].iter().any(|(other, _)| other == label) {
            check.add(
                Problem::new(Place::File, format!("two answers are given for `{label}`")).help("remove one"),
            );
        }
    }
    let used = tree.methods();
    let (mut answers, mut missing) = (Vec::with_capacity(labels.len()), Vec::new());
    for (method, label) in domain.method_indexes().zip(&labels) {
        let given = own.answers.iter().find(|(other, _)| other == label);
        if given.is_none() && used.binary_search(&method).is_ok() {
            missing.push(label);
        }
        answers.push(given.map_or_else(TokenStream::new, |(_, answer)| answer.clone()));
    }
    if !missing.is_empty() {
        check.add(
            Problem::new(Place::File, format!("no answer is given for {}", in_backticks(&missing)))
                .help("give each method that is chosen an expression, such as a constant or a function"),
        );
    }
    check.finish(Some(answers))
}

/// Returns the id of every method: its own, or else its index.
fn ids(domain: &Domain) -> Result<Vec<u64>, Problem> {
    let methods = domain.methods();
    // The last method with each id that is also an index.
    let mut own: Vec<Option<&Method>> = vec![None; methods.len()];
    for method in methods {
        if let Some(place) = method.id.and_then(|id| own.get_mut(usize::try_from(id).ok()?)) {
            *place = Some(method);
        }
    }
    let mut ids = Vec::with_capacity(methods.len());
    for (index, method) in methods.iter().enumerate() {
        ids.push(method.id.unwrap_or(index as u64));
        if let (None, Some(other)) = (method.id, own[index]) {
            let (label, other) = (method.label(), other.label());
            let message = format!("`{label}` has no id, and its index {index} is the id of `{other}`");
            let place = Path::root().key("methods").index(index);
            return Err(Problem::new(place, message).help("give every method an `id`, or none"));
        }
    }
    Ok(ids)
}
