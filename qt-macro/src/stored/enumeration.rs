//! The attribute on an empty enum: the methods of one or several trees become its variants.

use super::answers::check_variant;
use super::file;
use super::names::number;
use super::problem::{Problem, visible};
use super::tree::Method;
use crate::front::arguments::Arguments;
use crate::front::enumeration::Empty;
use crate::front::errors::Errors;
use crate::front::listing::{in_backticks, is_in};
use crate::front::output::user;

/// The items of an enum that are there anyway.
const ITEMS: &str = " ALL name algorithm segment_size ";

/// The maximum number of methods of an enum, for which the compiler's own derives take a second.
const MAX_METHODS: usize = 1 << 12;

pub(super) fn fill(arguments: &Arguments<'_>, item: &Empty<'_>, mut errors: Errors) -> String {
    let Empty { attributes, requested, .. } = item;
    let mut methods: Vec<Method> = Vec::new();
    let (mut trackers, mut is_of_collective) = (String::new(), false);
    for name in &arguments.files {
        let Some((file, tree)) = file::open(name, &mut errors) else { continue };
        if methods.len() + tree.methods.len() > MAX_METHODS {
            let message = format!("an enum of {} methods is too large for a compiler", tree.methods.len());
            file.report(&Problem::of_file(&message, "leave out methods that are never chosen"), &mut errors);
            continue;
        }
        is_of_collective |= tree.is_of_collective;
        trackers += &file.tracker();
        for (index, method) in tree.methods.iter().enumerate() {
            if let Err(problem) = check_variant(&tree, index).and_then(|()| check_item(&methods, method)) {
                file.report(&problem, &mut errors);
            }
        }
        for method in tree.methods {
            if methods.iter().all(|other| other.variant != method.variant) {
                methods.push(method);
            }
        }
    }
    let (visibility, name) = (user(item.visibility), user(std::slice::from_ref(item.name)));
    let lints = lints(&item.name.text, &methods);
    let mut variants = String::new();
    for method in &methods {
        let name = visible(&method.name);
        let doc = match method.segment_size {
            Some(size) => format!(" `{name}` in segments of {size} bytes."),
            None => format!(" `{name}`."),
        };
        variants += &format!("#[doc = {doc:?}] {},", method.variant);
    }
    let items = Items { methods: &methods, visibility: &visibility, requested, is_of_collective };
    let (items, errors) = (items.code(&name), errors.code());
    format!("{errors} {lints} {attributes} {visibility} enum {name} {{ {variants} }} {items} {trackers}")
}

/// Checks that a method's variant is no other item of the enum, and that of no other method of another tree.
fn check_item(methods: &[Method], method: &Method) -> Result<(), Problem> {
    let Method { label, variant, .. } = method;
    let other = methods.iter().find(|other| other.variant == *variant && other.label != *label);
    let fault = match other {
        _ if is_in(ITEMS, variant) => "which is an item of the enum itself".to_owned(),
        Some(other) => format!("which is `{}` of another map", other.label),
        None => return Ok(()),
    };
    let message = format!("the method `{label}` cannot be the enum variant `{variant}`, {fault}");
    Err(Problem::of_file(&message, "give it another `ident`"))
}

/// Returns an attribute that allows the lints that the method names violate in the enum of this name.
fn lints(name: &str, methods: &[Method]) -> String {
    let name = name.to_lowercase();
    let mut lints = Vec::new();
    let is_other_case =
        |method: &Method| method.variant.contains('_') || method.variant.starts_with(char::is_lowercase);
    if methods.iter().any(is_other_case) {
        lints.push("non_camel_case_types");
    }
    let (mut all_begin, mut all_end, mut has_name) = (true, true, false);
    for pair in methods.windows(2) {
        let (one, other) = (words(&pair[0].variant), words(&pair[1].variant));
        all_begin &= one.first() == other.first();
        all_end &= one.last() == other.last();
    }
    for method in methods {
        let variant = method.variant.to_lowercase();
        has_name |= variant.starts_with(&name) || variant.ends_with(&name);
    }
    if methods.len() > 2 && (all_begin || all_end || has_name) {
        lints.push("clippy::enum_variant_names");
    }
    if lints.is_empty() { String::new() } else { format!("#[allow({})]", lints.join(", ")) }
}

/// Returns the words of a variant in lower case.
fn words(variant: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    for char in variant.chars() {
        if char.is_alphanumeric() {
            if !previous.is_alphanumeric() || previous.is_lowercase() && char.is_uppercase() {
                words.push(String::new());
            }
            words.last_mut().into_iter().for_each(|word| word.extend(char.to_lowercase()));
        }
        previous = char;
    }
    words
}

/// The items of an enum besides its variants.
struct Items<'m> {
    methods: &'m [Method],
    visibility: &'m str,
    requested: &'m str,
    is_of_collective: bool,
}

impl Items<'_> {
    fn code(&self, name: &str) -> String {
        let Self { visibility, requested, .. } = self;
        let (mut all, mut labels, mut names, mut segments, mut indexes, mut parsed) =
            (String::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new(), String::new());
        for (index, method) in self.methods.iter().enumerate() {
            let Method { name, label, variant, .. } = method;
            let comma = if index == 0 { "" } else { ", " };
            all += &format!("{comma}Self::{variant}");
            labels.push(format!("{label:?}"));
            names.push(format!("{name:?}"));
            segments.push(match method.segment_size {
                Some(size) => format!("::core::option::Option::Some({})", number(size)),
                None => "::core::option::Option::None".to_owned(),
            });
            indexes.push(index.to_string());
            parsed += &format!("{label:?} => ::core::result::Result::Ok(Self::{variant}),");
        }
        let text = "&'static str";
        let mut members =
            format!("#[doc = \" Every method.\"] {visibility} const ALL: &'static [Self] = &[{all}];");
        members += &self.getter(
            "The name of the method, with its segment size if it has one",
            "name",
            text,
            &labels,
        );
        if self.is_of_collective || is_in(requested, "algorithm") {
            members += &self.getter("The name of the algorithm", "algorithm", text, &names);
        }
        if self.is_of_collective || is_in(requested, "segment_size") {
            let (doc, ty) = (
                "The segment size in bytes, if the algorithm cuts messages up",
                "::core::option::Option<u64>",
            );
            members += &self.getter(doc, "segment_size", ty, &segments);
        }
        if is_in(requested, "index") {
            members +=
                &self.getter("The position of the method among all of them", "index", "usize", &indexes);
        }
        let mut items = format!("#[allow(dead_code)] impl {name} {{ {members} }}");
        if is_in(requested, "display") {
            items += &format!(
                "impl ::core::fmt::Display for {name} {{
                     fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{
                         f.pad(self.name())
                     }}
                 }}"
            );
        }
        if is_in(requested, "from_str") {
            let labels: Vec<String> = self.methods.iter().map(|method| method.label.clone()).collect();
            let unknown = format!("there is no such method: the methods are {}", in_backticks(&labels));
            items += &format!(
                "impl ::core::str::FromStr for {name} {{
                     type Err = &'static str;

                     fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {{
                         match name {{
                             {parsed}
                             _ => ::core::result::Result::Err({unknown:?}),
                         }}
                     }}
                 }}"
            );
        }
        items
    }

    /// Returns a function that returns something of a method, with one arm for all methods with the same.
    fn getter(&self, doc: &str, name: &str, ty: &str, values: &[String]) -> String {
        let mut arms = String::new();
        for (index, value) in values.iter().enumerate() {
            if values[..index].contains(value) {
                continue;
            }
            let mut or = "";
            for (method, other) in self.methods.iter().zip(values) {
                if other == value {
                    arms += &format!("{or} Self::{}", method.variant);
                    or = "|";
                }
            }
            arms += &format!(" => {value},");
        }
        let itself = if values.is_empty() { "*self" } else { "self" };
        format!(
            "#[doc = \" {doc}.\"]
             #[must_use]
             {} const fn {name}(&self) -> {ty} {{
                 match {itself} {{ {arms} }}
             }}",
            self.visibility
        )
    }
}
