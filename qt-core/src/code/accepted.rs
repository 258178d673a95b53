//! The types that parameters may have, as far as their names show.

use super::type_path::{TypePath, split};
use super::types::{is_macro, is_nonzero, name, referent};
use crate::domain::{Axis, Samples};
use crate::naming::INTEGER_TYPES;
use crate::tokens::arguments::ungrouped;
use crate::tokens::{Code, Delimiter, Token};

/// Types of the standard library that give neither a size nor a label.
const NEITHER: [&str; 7] = ["char", "f16", "f32", "f64", "f128", "str", "String"];

/// Generic types of the standard library, which hold a value and are none.
const CONTAINERS: [&str; 8] = ["Option", "Result", "Vec", "Box", "Rc", "Arc", "Cow", "Range"];

/// Returns why a type cannot give the size or label on an axis; `None` if it can, as far as its name shows.
///
/// ```
/// use qtdec_core::Axis;
/// use qtdec_core::code::type_fault;
/// use qtdec_core::tokens::Code;
///
/// let axis = Axis::new("rows", [1, 256]);
/// assert_eq!(type_fault(&Code::parse("core::num::NonZeroU32").unwrap(), &axis), None);
/// let fault = type_fault(&Code::parse("&usize").unwrap(), &axis).unwrap();
/// assert_eq!(fault, "a size must be an integer: the axis `rows` has the samples 1 to 256");
/// ```
pub fn type_fault(ty: &Code, axis: &Axis) -> Option<String> {
    let ty = ungrouped(ty.tokens());
    let fault = match &axis.samples {
        Samples::Values(_) if !is_path(ty) || is(ty, &["bool"]) || is(ty, &NEITHER) || is_container(ty) => {
            "a size must be an integer".to_owned()
        }
        Samples::Labels(labels) if labels.len() > 2 && is(ty, &["bool"]) => {
            format!("a `bool` cannot represent {} labels", labels.len())
        }
        Samples::Labels(labels) => {
            let referent = referent(ty).map_or(ty, ungrouped);
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

fn is(ty: &[Token], names: &[&str]) -> bool {
    name(ty).is_some_and(|name| names.contains(&name))
}

/// Returns whether a type may be an integer or an enum by its form.
fn is_path(ty: &[Token]) -> bool {
    TypePath::parse(ty).is_some() || is_macro(ty) || is_parenthesized(ty)
}

/// Returns whether a type is another one in parentheses, and no tuple.
fn is_parenthesized(ty: &[Token]) -> bool {
    let [Token::Group(group)] = ty else { return false };
    let inner = group.code.tokens();
    let is_tuple = inner.last().is_none_or(|last| last.is(',')) || split(inner).len() > 1;
    group.delimiter == Delimiter::Parenthesis && !is_tuple
}

/// Returns whether a type is a [container](CONTAINERS) with generic arguments.
pub(super) fn is_container(ty: &[Token]) -> bool {
    let Some(path) = TypePath::parse(ty).filter(|path| path.of.is_none()) else { return false };
    !is_nonzero(ty) && path.arguments().is_some() && CONTAINERS.contains(&path.last.text())
}
