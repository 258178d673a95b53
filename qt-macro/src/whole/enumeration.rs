//! The attribute on an empty enum: the methods of one or several maps become its variants.

use crate::whole::slices::parts;
use qtdec_core::code::{EnumItem, MethodEnum};
use qtdec_core::rust;
use qtdec_core::tokens::{Code, Ident, Span};

use crate::whole::arguments::Arguments;
use crate::whole::errors::Errors;
use crate::whole::file::MapFile;
use crate::whole::item::MapEnum;
use crate::whole::spans::Spans;
use crate::whole::{above, duplicate};

pub(crate) fn expand(arguments: &Arguments, item: &MapEnum<'_>, mut errors: Errors, spans: &Spans) -> Code {
    let attributes = duplicate::check(&item.attributes, &mut errors);
    let above = above::derive();
    if let Some(derive) = &above {
        let message = format!(
            "`{derive}` stands above the attribute, and sees an enum without variants\n\
             help: move it below `decision_map`"
        );
        errors.span(Span::CALL_SITE, message);
    }
    let requested = check(arguments, item, &mut errors);
    let mut methods = MethodEnum::default();
    let mut trackers = Code::new();
    for name in &arguments.files {
        let Some(file) = MapFile::open(name, spans, &mut errors) else { continue };
        let Some(document) = file.document(&mut errors) else {
            // The problems are reported already. Keep the valid methods, so that code that uses them compiles.
            methods.add_sound(&file.sound_methods());
            continue;
        };
        trackers.append(file.tracker());
        let added = methods.add(document.domain());
        file.check(added, &mut errors);
    }
    let attributes: Vec<Code> = attributes.into_iter().map(|attribute| attribute.to_vec().into()).collect();
    let (visibility, name) = (Code::from(item.visibility.to_vec()), item.name);
    let items = [methods.usual_items(), requested].concat();
    if above.is_some() {
        // What the derive generated fits an enum without variants alone.
        let constants: Vec<Ident> = methods.identifiers().collect();
        let stand_ins = stand_ins(&constants, name, &errors);
        let items = MethodEnum::default().items(&items, &visibility, name);
        return rust!(
            "#(#[#attributes])* #visibility enum #name {} #items #stand_ins #trackers";
            attributes, visibility, name, items, stand_ins, trackers
        );
    }
    let items = methods.items(&items, &visibility, name);
    let (errors, lints, variants) = (errors.to_code(), methods.lints(name), methods.variants());
    rust!(
        "#errors
        #lints #(#[#attributes])* #visibility enum #name { #variants }
        #items
        #trackers";
        errors, lints, attributes, visibility, name, variants, items, trackers
    )
}

/// Returns the errors, and constants in place of variants, whose use causes no further errors.
fn stand_ins(constants: &[Ident], name: &Ident, errors: &Errors) -> Code {
    let errors = errors.to_code();
    rust!(
        "#[allow(dead_code, non_upper_case_globals, missing_docs)]
        impl #name {
            #(pub const #constants: Self = Self::qtdec_errors();)*

            const fn qtdec_errors() -> Self {
                #errors
                ::core::unimplemented!()
            }
        }";
        name, constants, errors
    )
}

/// Reports what is wrong with the arguments and the enum, and returns the items that are requested.
fn check(arguments: &Arguments, item: &MapEnum<'_>, errors: &mut Errors) -> Vec<EnumItem> {
    if arguments.files.is_empty() && errors.is_empty() {
        errors.span(Span::CALL_SITE, "expected a path: #[decision_map(\"maps/file.json\")]");
    }
    let mut requested = Vec::new();
    for option in &arguments.options {
        let known = EnumItem::ALL.iter().find(|(name, _)| option.name.text() == *name);
        match known.filter(|_| option.literal.is_none()) {
            Some((_, known)) if requested.contains(known) => {
                errors.name(&option.name, format!("`{}` is given twice", option.name));
            }
            Some((_, known)) => requested.push(*known),
            None => {
                let name = &option.name;
                let message = format!(
                    "an enum has no option `{name}`: set it on the function\n\
                     help: the options of an enum are `display`, `from_str` and `index`"
                );
                errors.name(name, message);
            }
        }
    }
    let of_functions = arguments.renamed.iter().map(|renamed| &renamed.axis);
    for option in of_functions.chain(arguments.computed.iter().map(|computed| &computed.axis)) {
        errors.name(option, format!("an enum has no option `{option}`: set it on the function"));
    }
    if let Some(answer) = arguments.answers.first() {
        errors.span(answer.span, "an enum has no answers: give them to the function");
    }
    if item.generics.len() > 2 {
        errors.at(item.generics, "the enum of the methods cannot have generics");
    }
    if let Some(variant) = parts(item.variants).first() {
        errors.at(variant, "the enum must be empty: its variants are the methods of the map");
    }
    requested
}
