//! The attribute macro of qtdec. Use it through the `qtdec` crate, which documents it.
//!
//! There are two ways from a file to code behind one front end: `maps` reads every file through `qtdec-core`, and `stored` is small enough
//! to be compiled in a fraction of that time, reads stored trees alone and writes the same code for them. Only the feature `maps` decides
//! which one is used.

mod front;
#[cfg(feature = "maps")]
mod maps;
#[cfg(any(test, not(feature = "maps")))]
mod stored;

#[cfg(feature = "maps")]
use maps as way;
#[cfg(not(feature = "maps"))]
use stored as way;

/// Turns a measured decision map into a function, or its methods into an enum. See the documentation of the `qtdec` crate.
#[proc_macro_attribute]
pub fn decision_map(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    front::decision_map(arguments, item, &way::WAY)
}
