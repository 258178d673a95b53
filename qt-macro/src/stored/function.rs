//! The attribute on a function: the tree becomes its body.

use super::answers::Returned;
use super::decision::{Decision, label};
use super::file;
use super::options::{NAMES, true_labels};
use super::parameters::Parameters;
use crate::front::arguments::{Arguments, FileName};
use crate::front::errors::Errors;
use crate::front::function::Decided;
use crate::front::item::Function;
use crate::front::output::{user, warning};
use crate::front::parameters::{Matching, separated};
use crate::front::token::first_place;

/// Returns the documentation and the body of a function.
pub(super) fn decide(
    name: &FileName<'_>,
    arguments: &Arguments<'_>,
    item: &Function<'_>,
    errors: &mut Errors,
) -> Option<Decided> {
    let returned = Returned::new(item, !arguments.answers.is_empty(), errors);
    let (file, tree) = file::open(name, errors)?;
    let (given, of_options) = separated(&arguments.given, &tree.axes, NAMES);
    let true_labels = true_labels(&of_options, errors);
    let matched = Matching { item, axes: &tree.axes, given, options: NAMES, errors: &mut *errors }.matched();
    let parameters = Parameters { item, tree: &tree, true_labels, errors: &mut *errors }.of(&matched);
    let (returned, parameters) = (returned?, parameters?);
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
    let answers = returned.answers(&tree, &arguments.answers, &unmapped, file.place);
    let code = answers.and_then(|answers| {
        let fallback = item.body.map(user);
        let (parameters, returned) = (&parameters, &returned.ty);
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
        Some(body) if tree.is_total() => {
            warning(first_place(body, item.name), "the body never runs: the map answers everywhere")
        }
        _ => String::new(),
    };
    let by = format!("`{}`: {}", file.shown(), tree.size());
    Some(Decided { by, body: format!("{} {warning} {} {code}", file.tracker(), matched.statements) })
}
