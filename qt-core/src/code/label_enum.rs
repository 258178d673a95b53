//! The enum of a labelled axis in Rust.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::variants;
use crate::domain::{Domain, Samples};
use crate::problem::Problems;
use crate::visible;

/// The variants of the labels of an axis with their docs, as they stand between the braces of an enum; none for an axis
/// of sizes.
///
/// # Errors
///
/// Labels that make no identifier, or that meet in one.
///
/// # Panics
///
/// If there is no such axis.
pub fn label_variants(domain: &Domain, axis: usize) -> Result<TokenStream, Problems> {
    let Samples::Labels(labels) = &domain.axes()[axis].samples else { return Ok(TokenStream::new()) };
    let variants = variants::of_labels(axis, labels)?;
    let docs = labels.iter().map(|label| format!(" `{}`.", visible::line(label)));
    let variants: Vec<Ident> = variants.iter().map(|variant| format_ident!("{variant}")).collect();
    Ok(quote!(#(#[doc = #docs] #variants,)*))
}
