//! The attribute macro of qtdec. Use it through the `qtdec` crate, which documents it.

mod whole;

/// Turns a measured decision map into a function, or its methods into an enum. See the documentation of the `qtdec` crate.
#[proc_macro_attribute]
pub fn decision_map(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    whole::decision_map(arguments, item)
}
