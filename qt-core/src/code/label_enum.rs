//! The enum of a labelled axis in Rust.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::variants;
use crate::domain::{Domain, Samples};
use crate::problem::Problems;
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
pub fn label_variants(domain: &Domain, axis: usize) -> Result<TokenStream, Problems> {
    let Samples::Labels(labels) = &domain.axes()[axis].samples else { return Ok(TokenStream::new()) };
    let variants = variants::of_labels(axis, labels)?;
    let docs = labels.iter().map(|label| format!(" `{}`.", visible::line(label)));
    let variants: Vec<Ident> = variants.iter().map(|variant| format_ident!("{variant}")).collect();
    Ok(quote!(#(#[doc = #docs] #variants,)*))
}
