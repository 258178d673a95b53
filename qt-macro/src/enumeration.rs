//! The attribute on an empty enum: the methods of one or several maps become its variants.

use proc_macro2::{Ident, Span, TokenStream};
use qtdec_core::code::{EnumItem, MethodEnum};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput};

use crate::above;
use crate::arguments::Arguments;
use crate::attributes::others;
use crate::errors::Errors;
use crate::file::MapFile;

pub(crate) fn expand(arguments: &Arguments, item: DeriveInput, mut errors: Errors) -> TokenStream {
    let attributes = others(&item.attrs, &mut errors);
    let requested = check(arguments, &item, &mut errors);
    let above = above::derive();
    if let Some(derive) = &above {
        let message = format!(
            "`{derive}` stands above the attribute, and sees an enum without variants\n\
             help: move it below `decision_map`"
        );
        errors.span(Span::call_site(), message);
    }
    let (methods, trackers) = methods(arguments, &mut errors);
    let items = [methods.usual_items(), requested].concat();
    let DeriveInput { vis, ident, .. } = item;
    let visibility = vis.to_token_stream();
    if above.is_some() {
        // What the derive generated fits an enum without variants alone.
        let items = MethodEnum::default().items(&items, &visibility, &ident);
        let stand_ins = stand_ins(&methods, &ident, &errors);
        return quote!(#(#attributes)* #vis enum #ident {} #items #stand_ins #trackers);
    }
    let (lints, variants) = (methods.lints(&ident), methods.variants());
    let items = methods.items(&items, &visibility, &ident);
    quote!(#errors #lints #(#attributes)* #vis enum #ident { #variants } #items #trackers)
}

/// Reads the files, and returns their methods and the items that make Cargo see changes of the files.
fn methods(arguments: &Arguments, errors: &mut Errors) -> (MethodEnum, TokenStream) {
    let (mut methods, mut trackers) = (MethodEnum::default(), TokenStream::new());
    for name in &arguments.files {
        let Some(file) = MapFile::open(name, errors) else { continue };
        let Some(document) = file.document(errors) else {
            // The problems are reported already. Keep the valid methods, so that code that uses them compiles.
            methods.add_sound(&file.source.sound_methods());
            continue;
        };
        trackers.extend(file.tracker());
        file.check(methods.add(document.domain(), &document.chosen_methods()), errors);
    }
    (methods, trackers)
}

/// Returns the errors, and constants in place of variants, whose use causes no further errors.
fn stand_ins(methods: &MethodEnum, name: &Ident, errors: &Errors) -> TokenStream {
    let constants = methods.identifiers();
    quote! {
        #[allow(dead_code, non_upper_case_globals, missing_docs)]
        impl #name {
            #(pub const #constants: Self = Self::qtdec_errors();)*

            const fn qtdec_errors() -> Self {
                #errors
                ::core::unimplemented!()
            }
        }
    }
}

/// Reports what is wrong with the arguments and the enum, and returns the items that are requested.
fn check(arguments: &Arguments, item: &DeriveInput, errors: &mut Errors) -> Vec<EnumItem> {
    if arguments.files.is_empty() && errors.is_empty() {
        errors.span(Span::call_site(), "expected a path: #[decision_map(\"maps/file.json\")]");
    }
    let mut requested = Vec::new();
    for given in &arguments.given {
        let name = &given.name;
        let known = EnumItem::ALL.iter().find(|(known, _)| name == known).filter(|_| given.value.is_empty());
        match known {
            Some((_, known)) if requested.contains(known) => {
                errors.at(name, format!("`{name}` is given twice"));
            }
            Some((_, known)) => requested.push(*known),
            None => {
                let message = format!(
                    "an enum has no option `{name}`: set it on the function\n\
                     help: the options of an enum are `display`, `from_str` and `index`"
                );
                errors.at(name, message);
            }
        }
    }
    if let Some(answer) = arguments.answers.first() {
        errors.at(&answer.at, "an enum has no answers: give them to the function");
    }
    if !item.generics.params.is_empty() {
        errors.at(&item.generics, "the enum of the methods cannot have generics");
    }
    let first = match &item.data {
        Data::Enum(data) => data.variants.first(),
        Data::Struct(_) | Data::Union(_) => None,
    };
    if let Some(variant) = first {
        errors.at(variant, "the enum must be empty: its variants are the methods of the map");
    }
    requested
}
