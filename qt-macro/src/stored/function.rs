//! The attribute on a function: the tree becomes its body.

use super::answers::{Returned, first_place};
use super::arguments::{Arguments, Given, string};
use super::decision::{Decision, label};
use super::errors::Errors;
use super::file::File;
use super::item::Function;
use super::names::is_in;
use super::output::{called, user};
use super::parameters::{Matching, OF_MAPS, OPTIONS, is_literal};
use super::token::{CALL_SITE, Token};
use super::tree::Tree;

pub(super) fn expand(arguments: &Arguments<'_>, item: &Function<'_>, mut errors: Errors) -> String {
    let attributes = attributes(&item.attributes, &mut errors);
    let decided = decide(arguments, item, &mut errors);
    let (visibility, signature) = (user(item.visibility), user(item.signature));
    match decided {
        Some((doc, body)) if errors.is_empty() => {
            let is_documented = item.attributes.iter().any(|attribute| attribute[0].word() == "doc");
            let gap = if is_documented { "#[doc = \"\"]" } else { "" };
            format!("{attributes} {gap} #[doc = {doc:?}] {visibility} {signature} {{ {body} }}")
        }
        // Keep the item, so that code that uses it causes no further errors.
        _ => {
            let body = item.body.map_or_else(|| "::core::unimplemented!()".to_owned(), user);
            let (allow, errors) = ("#[allow(unused_variables, unreachable_code)]", errors.code());
            format!("{attributes} {allow} {visibility} {signature} {{ {errors} {body} }}")
        }
    }
}

/// Returns the attributes, and reports a second one of qtdec.
pub(super) fn attributes(attributes: &[&[Token]], errors: &mut Errors) -> String {
    let mut code = String::new();
    for attribute in attributes {
        let path = attribute.iter().take_while(|token| token.is(":") || !token.word().is_empty());
        if path.last().is_some_and(|last| last.word() == "decision_map") {
            let message = "the item has two `decision_map` attributes, which would overwrite each other\n\
                help: an enum takes several files, as in #[decision_map(\"a.json\", \"b.json\")]; a function takes a single map";
            errors.at(&attribute[..1], message);
        } else {
            code += &format!("#[{}]", user(attribute));
        }
    }
    code
}

/// Returns the documentation and the body of a function.
fn decide(arguments: &Arguments<'_>, item: &Function<'_>, errors: &mut Errors) -> Option<(String, String)> {
    let returned = Returned::new(item, !arguments.answers.is_empty(), errors);
    for other in arguments.files.iter().skip(1) {
        errors.at(other.tokens, "a function takes a single map");
    }
    let Some(name) = arguments.files.first() else {
        if errors.is_empty() {
            errors.place(CALL_SITE, "expected a path: #[decision_map(\"maps/file.json\")]");
        }
        return None;
    };
    let (file, tree) = File::open(name, errors)?;
    let (given, true_labels) = options(&arguments.given, &tree, errors);
    if item.body.is_some_and(<[Token]>::is_empty) {
        let message = "the body is empty, and returns nothing where the map has no decision\n\
            help: end the function with `;` instead of `{}`, or let the body return an answer";
        errors.place(item.name.place, message);
    }
    let matched = Matching { item, tree: &tree, given, true_labels, errors: &mut *errors }.matched();
    let (returned, matched) = (returned?, matched?);
    let unmapped = match item.body {
        Some(_) => format!("break {}", label()),
        None => "::core::option::Option::None".to_owned(),
    };
    if item.body.is_none() && returned.wrapper != "Option" && !tree.is_total() {
        let message = format!(
            "`{}` has regions without a decision\n\
             help: let the function return an `Option`, or give it a body that answers there",
            file.shown()
        );
        errors.place(file.place, &message);
    }
    let answers = returned.answers(&tree, &arguments.answers, &unmapped, &file);
    let code = answers.and_then(|answers| {
        let fallback = item.body.map(user);
        let (parameters, returned) = (&matched.parameters, &returned.ty);
        Decision { tree: &tree, parameters, answers: &answers, returned, fallback }.code()
    });
    let code = match code {
        Ok(code) => code,
        Err(problem) => {
            file.report(&problem, errors);
            return None;
        }
    };
    let warning = match item.body {
        Some(body) if tree.is_total() => warning(first_place(body, item.name)),
        _ => String::new(),
    };
    let doc = format!(" Decided by `{}`: {}.", file.shown(), tree.size());
    Some((doc, format!("{} {warning} {} {code}", file.tracker(), matched.statements)))
}

/// Returns what is given for axes and the labels that mean `true`, and reports other options. A name that is both an option and an axis is
/// an option, unless it is in `axis(…)`.
fn options<'a, 't>(
    given: &'a [Given<'t>],
    tree: &Tree,
    errors: &mut Errors,
) -> (Vec<&'a Given<'t>>, Vec<String>) {
    let (mut of_axes, mut true_labels) = (Vec::new(), Vec::new());
    for (index, one) in given.iter().enumerate() {
        let Given { name, value, is_axis } = one;
        let text = &*name.text;
        let (is_of_maps, is_option) = (is_in(OF_MAPS, text), is_in(OPTIONS, text));
        let names_axis = !is_of_maps && !is_option && tree.axes.iter().any(|axis| axis.name == name.name());
        let has_expression = !value.is_empty() && !is_literal(value);
        let text_of = value.first().and_then(string).unwrap_or_default();
        if *is_axis || has_expression || names_axis && !value.is_empty() {
            of_axes.push(one);
        } else if given[..index].iter().any(|other| other.name.text == text && !other.is_axis) {
            errors.place(name.place, &format!("the option `{text}` is given twice"));
        } else if text == "true_label" {
            true_labels = text_of.split(',').map(|label| label.trim().to_owned()).collect();
        } else if text == "layout" && text_of == "branches" {
        } else if is_option {
            let message = format!("`{text} = {text_of:?}` needs the feature `maps` of qtdec");
            errors.place(first_place(value, name), &message);
        } else if is_of_maps {
            let message = format!(
                "the file holds a tree: `{text}` cannot change it\n\
                 help: remove it, or use the map, which the feature `maps` of qtdec reads"
            );
            errors.place(name.place, &message);
        } else {
            let message = format!(
                "unknown option `{text}`: the options of a stored tree are `layout` and `true_label`, and others need the feature \
                 `maps` of qtdec"
            );
            errors.place(name.place, &message);
        }
    }
    (of_axes, true_labels)
}

/// Returns an item with a warning at the user's body. A macro cannot emit warnings itself, but its expansion can use an item that it declares
/// deprecated; `#[allow(deprecated)]` on the function silences the warning.
fn warning(place: usize) -> String {
    called(
        place,
        "const _: () = {
            #[deprecated(note = \"the body never runs: the map answers everywhere\")]
            const fn decision_map() {}
            decision_map()
        };",
    )
}
