//! What a function returns for each method.

use super::names::{is_identifier, number};
use super::problem::Problem;
use super::tree::Tree;
use super::types::Type;
use crate::front::arguments::Given;
use crate::front::errors::Errors;
use crate::front::function::RETURNED;
use crate::front::item::Function;
use crate::front::listing::in_backticks;
use crate::front::output::{at, user};

/// The return type of a function, and the kind of its answers.
pub(super) struct Returned<'t> {
    /// `Option` or `Result` if the answer is in one.
    pub(super) wrapper: &'static str,
    pub(super) ty: Type<'t>,
    kind: Kind,
}

#[derive(PartialEq)]
enum Kind {
    Variant,
    Id,
    Label,
    /// An expression of the user's for each method.
    Own,
}

/// The answers of a function.
pub(super) struct Answers {
    /// The code for each method; empty for one that is never returned and has no expression.
    pub(super) codes: Vec<String>,
    /// The number of each method, if numbers are returned.
    pub(super) ids: Vec<u64>,
    /// The code where there is no decision.
    pub(super) unmapped: String,
    /// The expressions of methods that are never returned. They must compile too, or the next tree could not be used.
    pub(super) never: Vec<String>,
}

impl<'t> Returned<'t> {
    /// Reads the return type if there is one, or reports that it is none of a decision function.
    pub(super) fn new(item: &Function<'t>, has_answers: bool, errors: &mut Errors) -> Option<Self> {
        if item.returned.is_empty() {
            return None;
        }
        let (wrapper, ty) = Type::new(item.returned).wrapped();
        let kind = if has_answers {
            Kind::Own
        } else if ty.is_integer() {
            Kind::Id
        } else if ty.is_reference() && ty.referent().is("str") {
            Kind::Label
        } else if (ty.is_path() || ty.is_reference()) && !ty.is_nonzero() && !ty.is_other() {
            Kind::Variant
        } else {
            errors.at(item.returned, RETURNED);
            return None;
        };
        Some(Self { wrapper, ty, kind })
    }

    /// Returns the answers for the methods of a tree, whose variants are at this place. The code of `unmapped` stands for none.
    pub(super) fn answers(
        &self,
        tree: &Tree,
        given: &[(String, Given<'t>)],
        unmapped: &str,
        place: usize,
    ) -> Result<Answers, Problem> {
        let used = tree.nodes.answers();
        let mut answers =
            Answers { codes: Vec::new(), ids: Vec::new(), unmapped: unmapped.to_owned(), never: Vec::new() };
        if self.kind == Kind::Own {
            check_given(tree, given, &used)?;
        }
        let qualifier = if self.kind == Kind::Variant { self.ty.qualifier() } else { String::new() };
        for (index, method) in tree.methods.iter().enumerate() {
            let bare = match self.kind {
                Kind::Variant => {
                    check_variant(tree, index)?;
                    format!("{qualifier}::{}", at(place, &method.variant))
                }
                Kind::Id => {
                    let id = method.id.unwrap_or(index as u64);
                    check_id(tree, index)?;
                    answers.ids.push(id);
                    at(self.ty.place(), &number(id))
                }
                Kind::Label => format!("{:?}", method.label),
                Kind::Own => {
                    let expression = given.iter().find(|(label, _)| *label == method.label);
                    expression.map(|(_, given)| user(given.value)).unwrap_or_default()
                }
            };
            let code = match self.wrapper {
                "Option" => format!("::core::option::Option::Some({bare})"),
                "Result" => format!("::core::result::Result::Ok({bare})"),
                _ => bare.clone(),
            };
            if self.kind == Kind::Own && !bare.is_empty() && !used.contains(&Some(index)) {
                answers.never.push(code.clone());
            }
            answers.codes.push(code);
        }
        Ok(answers)
    }
}

impl Answers {
    pub(super) fn get(&self, method: Option<usize>) -> &str {
        method.map_or(&self.unmapped, |method| &self.codes[method])
    }
}

/// Checks that a method's variant is an identifier, and that of no method before.
pub(super) fn check_variant(tree: &Tree, index: usize) -> Result<(), Problem> {
    let method = &tree.methods[index];
    let is_repeated = tree.methods[..index].iter().any(|other| other.variant == method.variant);
    if is_identifier(&method.variant) && !is_repeated {
        return Ok(());
    }
    let fault = if is_repeated { "is that of another method" } else { "is not an identifier" };
    let message =
        format!("the method `{}` cannot be an enum variant: `{}` {fault}", method.label, method.variant);
    Err(Problem::of_file(&message, "give it an `ident`, such as \"ident\": \"Ring2\""))
}

/// Checks that the index of a method without an id is the id of no other one.
fn check_id(tree: &Tree, index: usize) -> Result<(), Problem> {
    let method = &tree.methods[index];
    match tree.methods.iter().find(|other| other.id == Some(index as u64)) {
        Some(other) if method.id.is_none() => {
            let (label, other) = (&method.label, &other.label);
            let message = format!("`{label}` has no id, and its index {index} is the id of `{other}`");
            Err(Problem::of_file(&message, "give every method an `id`, or none"))
        }
        _ => Ok(()),
    }
}

/// Checks that every method that is returned has one expression, and that every expression is that of a method.
fn check_given(tree: &Tree, given: &[(String, Given<'_>)], used: &[Option<usize>]) -> Result<(), Problem> {
    for (index, (label, _)) in given.iter().enumerate() {
        let labels: Vec<String> = tree.methods.iter().map(|method| method.label.clone()).collect();
        if !labels.contains(label) {
            let message = format!("an answer is given for `{label}`, which is not a method");
            return Err(Problem::of_file(&message, &format!("the methods are {}", in_backticks(&labels))));
        }
        if given[..index].iter().any(|(other, _)| other == label) {
            return Err(Problem::of_file(&format!("two answers are given for `{label}`"), "remove one"));
        }
    }
    for (index, method) in tree.methods.iter().enumerate() {
        if used.contains(&Some(index)) && !given.iter().any(|(label, _)| *label == method.label) {
            let help = "give each method that is chosen an expression, such as a constant or a function";
            return Err(Problem::of_file(&format!("no answer is given for `{}`", method.label), help));
        }
    }
    Ok(())
}
