//! The enum of a labelled axis in Rust.

use super::variants;
use crate::domain::{Domain, Samples};
use crate::problem::Problems;
use crate::rust;
use crate::tokens::{Code, Ident, Span};
use crate::visible;

/// Returns the documented variants for the labels of an axis, as they appear between the braces of an enum. Empty for an axis
/// of sizes.
///
/// # Errors
///
/// Returns an error for labels that make no identifier, or the same identifier as another label.
///
/// # Panics
///
/// Panics if there is no such axis.
pub fn label_variants(domain: &Domain, axis: usize) -> Result<Code, Problems> {
    let Samples::Labels(labels) = &domain.axes()[axis].samples else { return Ok(Code::new()) };
    let variants = variants::of_labels(axis, labels)?;
    let docs: Vec<String> = labels.iter().map(|label| format!(" `{}`.", visible::line(label))).collect();
    let variants: Vec<Ident> = variants.iter().map(|variant| Ident::new(variant, Span::CALL_SITE)).collect();
    Ok(rust!("#(#[doc = #docs] #variants,)*"; docs, variants))
}
