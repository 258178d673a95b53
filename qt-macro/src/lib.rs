//! The attribute macro of qtdec. Use it through the `qtdec` crate, which documents it.

mod above;
mod declared;
mod duplicate;
mod enumeration;
mod errors;
mod expand;
mod file;
mod function;
mod nameable;
mod parameters;
mod parse;
mod tokens;
mod warning;

#[cfg(test)]
mod tests;

/// Turns a measured decision map into a function, or its methods into an enum. See the documentation of the `qtdec` crate.
#[proc_macro_attribute]
pub fn decision_map(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand::expand(arguments.into(), &item.into()).into()
}
