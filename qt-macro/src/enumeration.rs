//! The attribute on an empty enum: the methods of one or several maps become its variants.

use proc_macro2::{Span, TokenStream};
use qtdec_core::code::MethodEnum;
use quote::{ToTokens, quote};
use syn::ItemEnum;

use crate::duplicate;
use crate::errors::Errors;
use crate::file::MapFile;
use crate::parse::Arguments;

pub(crate) fn expand(arguments: &Arguments, mut item: ItemEnum, mut errors: Errors) -> TokenStream {
    duplicate::check(&mut item.attrs, &mut errors);
    check(arguments, &item, &mut errors);
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
    let variants = methods.variants();
    let lints = methods.lints(&ident);
    let associated = methods.associated(&vis.to_token_stream(), &ident);
    let errors = errors.to_tokens();
    quote! {
        #errors
        #lints #(#attrs)* #vis #enum_token #ident { #variants }
        #associated
        #trackers
    }
}

fn check(arguments: &Arguments, item: &ItemEnum, errors: &mut Errors) {
    if arguments.files.is_empty() && errors.is_empty() {
        errors.span(Span::call_site(), "expected a path: #[decision_map(\"maps/file.json\")]");
    }
    let options = arguments.options.iter().map(|option| &option.name);
    for option in options.chain(arguments.renamed.iter().map(|renamed| &renamed.axis)) {
        errors.at(option, format!("an enum has no option `{option}`: set it on the function"));
    }
    if !item.generics.params.is_empty() {
        errors.at(&item.generics, "the enum of the methods cannot have generics");
    }
    if let Some(variant) = item.variants.first() {
        errors.at(variant, "the enum must be empty: its variants are the methods of the map");
    }
}
