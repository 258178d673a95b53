//! The attribute on a function: the tree of a file becomes its body.

use super::arguments::{Arguments, FileName};
use super::attributes::{DECIDED_BY, attributes};
use super::errors::Errors;
use super::item::Function;
use super::output::user;
use super::token::{CALL_SITE, Token};

/// What becomes of a file.
pub(crate) struct Decided {
    /// The name of the file and the size of its tree, for the documentation.
    pub(crate) by: String,
    pub(crate) body: String,
}

/// Reads a file and writes the body of a function; `None` after an error.
pub(crate) type Decide = fn(&FileName<'_>, &Arguments<'_>, &Function<'_>, &mut Errors) -> Option<Decided>;

/// What a function may return.
pub(crate) const RETURNED: &str = "return an enum, an integer or `&'static str`, bare or in an `Option` or `Result`; for any other type, \
    give an expression for each method: #[decision_map(…, answers(name = EXPRESSION, …))]";

pub(super) fn expand(
    arguments: &Arguments<'_>,
    item: &Function<'_>,
    mut errors: Errors,
    decide: Decide,
) -> String {
    let attributes = attributes(&item.attributes, &mut errors);
    check(arguments, item, &mut errors);
    let file = arguments.files.first();
    let decided = file.and_then(|file| decide(file, arguments, item, &mut errors));
    let (visibility, signature) = (user(item.visibility), user(item.signature));
    match decided {
        Some(Decided { by, body }) if errors.is_empty() => {
            let is_documented = item.attributes.iter().any(|attribute| attribute[0].word() == "doc");
            let gap = if is_documented { "#[doc = \"\"]" } else { "" };
            let doc = format!("{DECIDED_BY}{by}.");
            format!("{attributes} {gap} #[doc = {doc:?}] {visibility} {signature} {{ {body} }}")
        }
        // Keep the item, so that code that uses it causes no further errors. Inside a function, errors keep the compiler from evaluating it,
        // and thus from reporting errors in the constants that call it.
        _ => {
            let body = item.body.map_or_else(|| "::core::unimplemented!()".to_owned(), user);
            let (allow, errors) = ("#[allow(unused_variables, unreachable_code)]", errors.code());
            format!("{attributes} {allow} {visibility} {signature} {{ {errors} {body} }}")
        }
    }
}

/// Reports what is wrong whatever the file holds.
fn check(arguments: &Arguments<'_>, item: &Function<'_>, errors: &mut Errors) {
    if item.returned.is_empty() {
        errors.at(item.signature, &format!("the function has no return type\nhelp: {RETURNED}"));
    }
    if arguments.files.is_empty() && errors.is_empty() {
        errors.place(CALL_SITE, "expected a path: #[decision_map(\"maps/file.json\")]");
    }
    for other in arguments.files.iter().skip(1) {
        errors.at(other.tokens, "a function takes a single map");
    }
    if item.body.is_some_and(<[Token]>::is_empty) {
        let message = "the body is empty, and returns nothing where the map has no decision\n\
            help: end the function with `;` instead of `{}`, or let the body return an answer";
        errors.place(item.name.place, message);
    }
}
