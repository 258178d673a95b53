//! The types that parameters may have, as far as their names show.

use syn::{PathArguments, Type, TypePath};

use super::types::{is_nonzero, ungrouped};
use crate::domain::{Axis, Samples};
use crate::naming::INTEGER_TYPES;

/// Types of the standard library that give neither a size nor a label.
const NEITHER: [&str; 7] = ["char", "f16", "f32", "f64", "f128", "str", "String"];

/// Generic types of the standard library, which hold a value and are none.
const CONTAINERS: [&str; 8] = ["Option", "Result", "Vec", "Box", "Rc", "Arc", "Cow", "Range"];

/// Returns why a type cannot give the size or label on an axis; `None` if it can, as far as its name shows.
///
/// ```
/// use qtdec_core::Axis;
/// use qtdec_core::code::type_fault;
///
/// let axis = Axis::new("rows", [1, 256]);
/// assert_eq!(type_fault(&syn::parse_quote!(core::num::NonZeroU32), &axis), None);
/// let fault = type_fault(&syn::parse_quote!(&usize), &axis).unwrap();
/// assert_eq!(fault, "a size must be an integer: the axis `rows` has the samples 1 to 256");
/// ```
pub fn type_fault(ty: &Type, axis: &Axis) -> Option<String> {
    let ty = ungrouped(ty);
    let fault = match &axis.samples {
        Samples::Values(_) if !is_path(ty) || is(ty, &["bool"]) || is(ty, &NEITHER) || is_container(ty) => {
            "a size must be an integer".to_owned()
        }
        Samples::Labels(labels) if labels.len() > 2 && is(ty, &["bool"]) => {
            format!("a `bool` cannot represent {} labels", labels.len())
        }
        Samples::Labels(labels) => {
            let referent = if let Type::Reference(reference) = ty { ungrouped(&reference.elem) } else { ty };
            let is_bool_behind = is(referent, &["bool"]) && !is(ty, &["bool"]);
            let gives_none = is(referent, &NEITHER) || is(referent, &INTEGER_TYPES) || is_container(referent);
            if is_path(referent) && !gives_none && !is_bool_behind {
                return None;
            }
            let bool = if labels.len() == 2 { "a `bool` or " } else { "" };
            format!("a labelled axis needs {bool}an enum with a variant for each label")
        }
        Samples::Values(_) => return None,
    };
    let samples = match &axis.samples {
        Samples::Values(_) => {
            format!("the samples {} to {}", axis.sample(0), axis.sample(axis.len() - 1))
        }
        Samples::Labels(labels) => format!("the labels {}", labels.join(", ")),
    };
    Some(format!("{fault}: the axis `{}` has {samples}", axis.name))
}

/// Returns whether a type is one of these, by its name alone.
fn is(ty: &Type, names: &[&str]) -> bool {
    matches!(ty, Type::Path(path) if names.iter().any(|name| path.path.is_ident(name)))
}

/// Returns whether a type may be an integer or an enum by its form.
fn is_path(ty: &Type) -> bool {
    matches!(ty, Type::Path(_) | Type::Group(_) | Type::Paren(_) | Type::Macro(_))
}

/// Returns whether a type is a [container](CONTAINERS) with generic arguments.
pub(super) fn is_container(ty: &Type) -> bool {
    let Type::Path(TypePath { qself: None, path, .. }) = ungrouped(ty) else { return false };
    let last = path.segments.last();
    !is_nonzero(ty)
        && last.is_some_and(|last| {
            let has_arguments = matches!(last.arguments, PathArguments::AngleBracketed(_));
            has_arguments && CONTAINERS.iter().any(|name| last.ident == name)
        })
}
