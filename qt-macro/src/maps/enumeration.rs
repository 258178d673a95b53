//! The attribute on an empty enum: the methods of one or several maps become its variants.

use qtdec_core::code::{EnumItem, MethodEnum};
use qtdec_core::rust;
use qtdec_core::tokens::{Ident, Span};

use super::code::{code, text};
use super::{above, file};
use crate::front::arguments::Arguments;
use crate::front::enumeration::Empty;
use crate::front::errors::Errors;
use crate::front::listing::is_in;
use crate::front::output::user;
use crate::front::token::CALL_SITE;

pub(super) fn fill(arguments: &Arguments<'_>, item: &Empty<'_>, mut errors: Errors) -> String {
    let above = above::derive();
    if let Some(derive) = &above {
        let message = format!(
            "`{derive}` stands above the attribute, and sees an enum without variants\n\
             help: move it below `decision_map`"
        );
        errors.place(CALL_SITE, &message);
    }
    let mut methods = MethodEnum::default();
    let mut trackers = String::new();
    for name in &arguments.files {
        let Some(file) = file::open(name, &mut errors) else { continue };
        let Some(document) = file.document(&mut errors) else {
            // The problems are reported already. Keep the valid methods, so that code that uses them compiles.
            methods.add_sound(&file.contents.sound_methods());
            continue;
        };
        trackers += &file.tracker();
        let added = methods.add(document.domain());
        file.check(added, &mut errors);
    }
    let mut items = methods.usual_items();
    let requested = EnumItem::ALL.iter().filter(|(name, _)| is_in(&item.requested, name));
    items.extend(requested.map(|(_, item)| *item));
    let ident = Ident::new(&item.name.text, Span::new(item.name.place));
    let (attributes, visibility, name) =
        (&item.attributes, user(item.visibility), user(std::slice::from_ref(item.name)));
    let items_of = |methods: &MethodEnum| text(&methods.items(&items, &code(item.visibility), &ident));
    if above.is_some() {
        // What the derive generated fits an enum without variants alone.
        let (items, stand_ins) = (items_of(&MethodEnum::default()), stand_ins(&methods, &name, errors));
        return format!("{attributes} {visibility} enum {name} {{}} {items} {stand_ins} {trackers}");
    }
    let (lints, variants, items) =
        (text(&methods.lints(&ident)), text(&methods.variants()), items_of(&methods));
    let errors = errors.code();
    format!("{errors} {lints} {attributes} {visibility} enum {name} {{ {variants} }} {items} {trackers}")
}

/// Returns the errors, and constants in place of variants, whose use causes no further errors.
fn stand_ins(methods: &MethodEnum, name: &str, errors: Errors) -> String {
    let constants: Vec<Ident> = methods.identifiers().collect();
    let constants = text(&rust!("#(pub const #constants: Self = Self::qtdec_errors();)*"; constants));
    let errors = errors.code();
    format!(
        "#[allow(dead_code, non_upper_case_globals, missing_docs)]
         impl {name} {{
             {constants}

             const fn qtdec_errors() -> Self {{
                 {errors}
                 ::core::unimplemented!()
             }}
         }}"
    )
}
