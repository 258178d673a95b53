//! The attribute on an empty enum: the methods of one or several maps become its variants.

use proc_macro2::{Ident, Span, TokenStream};
use qtdec_core::code::{EnumItem, MethodEnum};
use quote::quote;
use syn::ItemEnum;

use crate::errors::Errors;
use crate::file::MapFile;
use crate::parse::Arguments;
use crate::tokens::Spans;
use crate::{above, duplicate};

pub(crate) fn expand(arguments: &Arguments, mut item: ItemEnum, mut errors: Errors) -> TokenStream {
    duplicate::check(&mut item.attrs, &mut errors);
    let above = above::derive();
    if let Some(derive) = &above {
        let message = format!(
            "`{derive}` stands above the attribute, and sees an enum without variants\n\
             help: move it below `decision_map`"
        );
        errors.span(Span::call_site(), message);
    }
    let requested = check(arguments, &item, &mut errors);
    let mut methods = MethodEnum::default();
    let mut trackers = TokenStream::new();
    for name in &arguments.files {
        let Some(file) = MapFile::open(name, &mut errors) else { continue };
        let Some(document) = file.document(&mut errors) else {
            // The problems are reported already. Keep the valid methods, so that code that uses them compiles.
            methods.add_sound(&file.sound_methods());
            continue;
        };
        trackers.extend(file.tracker());
        let added = methods.add(document.domain());
        file.check(added, &mut errors);
    }
    let ItemEnum { attrs, vis, enum_token, ident, .. } = item;
    let mut spans = Spans::new();
    let (visibility, name) = (spans.code(&vis), spans.ident(&ident));
    if above.is_some() {
        // What the derive generated fits an enum without variants alone.
        let constants: Vec<Ident> = methods.identifiers().map(|constant| spans.name(&constant)).collect();
        let stand_ins = stand_ins(&constants, &ident, &errors);
        let items = [methods.usual_items(), requested].concat();
        let items = spans.tokens(&MethodEnum::default().items(&items, &visibility, &name));
        return quote!(#(#attrs)* #vis #enum_token #ident {} #items #stand_ins #trackers);
    }
    let items = methods.items(&[methods.usual_items(), requested].concat(), &visibility, &name);
    let [variants, lints, items] =
        [methods.variants(), methods.lints(&name), items].map(|code| spans.tokens(&code));
    let errors = errors.to_tokens();
    quote! {
        #errors
        #lints #(#attrs)* #vis #enum_token #ident { #variants }
        #items
        #trackers
    }
}

/// Returns the errors, and constants in place of variants, whose use causes no further errors.
fn stand_ins(constants: &[Ident], name: &Ident, errors: &Errors) -> TokenStream {
    let errors = errors.to_tokens();
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
fn check(arguments: &Arguments, item: &ItemEnum, errors: &mut Errors) -> Vec<EnumItem> {
    if arguments.files.is_empty() && errors.is_empty() {
        errors.span(Span::call_site(), "expected a path: #[decision_map(\"maps/file.json\")]");
    }
    let mut requested = Vec::new();
    for option in &arguments.options {
        let known = EnumItem::ALL.iter().find(|(name, _)| option.name == name);
        match known.filter(|_| option.literal.is_none()) {
            Some((_, known)) if requested.contains(known) => {
                errors.at(&option.name, format!("`{}` is given twice", option.name));
            }
            Some((_, known)) => requested.push(*known),
            None => {
                let name = &option.name;
                let message = format!(
                    "an enum has no option `{name}`: set it on the function\n\
                     help: the options of an enum are `display`, `from_str` and `index`"
                );
                errors.at(name, message);
            }
        }
    }
    let of_functions = arguments.renamed.iter().map(|renamed| &renamed.axis);
    for option in of_functions.chain(arguments.computed.iter().map(|computed| &computed.axis)) {
        errors.at(option, format!("an enum has no option `{option}`: set it on the function"));
    }
    if let Some(answer) = arguments.answers.first() {
        errors.span(answer.span, "an enum has no answers: give them to the function");
    }
    if !item.generics.params.is_empty() {
        errors.at(&item.generics, "the enum of the methods cannot have generics");
    }
    if let Some(variant) = item.variants.first() {
        errors.at(variant, "the enum must be empty: its variants are the methods of the map");
    }
    requested
}
