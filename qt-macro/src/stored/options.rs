//! The options, of which stored trees have few.

use crate::front::arguments::{Given, string};
use crate::front::errors::Errors;
use crate::front::listing::is_in;
use crate::front::token::first_place;

/// The names of all options. Those before `layout` are for making a tree from a map.
pub(super) const NAMES: &str = " encoding borders budget empty fallback predicates max_depth threshold fill leaf collapse weight \
    confidence constants objective lambda layout true_label error ";

/// The options that trees have as well.
const OF_TREES: &str = " layout true_label error ";

/// Returns the labels that mean `true`, and reports other options.
pub(super) fn true_labels(given: &[&Given<'_>], errors: &mut Errors) -> Vec<String> {
    let mut true_labels = Vec::new();
    for (index, Given { name, value, .. }) in given.iter().enumerate() {
        let text = &*name.text;
        let text_of = value.first().and_then(string).unwrap_or_default();
        if given[..index].iter().any(|other| other.name.text == text) {
            errors.place(name.place, &format!("the option `{text}` is given twice"));
        } else if text == "true_label" {
            for label in text_of.split(',') {
                true_labels.push(label.trim().to_owned());
            }
        } else if text == "layout" && text_of == "branches" {
        } else if is_in(OF_TREES, text) {
            let message = format!("`{text} = {text_of:?}` needs the feature `maps` of qtdec");
            errors.place(first_place(value, name), &message);
        } else if is_in(NAMES, text) {
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
    true_labels
}
