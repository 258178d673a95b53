//! Warnings of the attribute's own.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// An item at which the compiler warns, at this place and with this text; `#[allow(deprecated)]` on the function silences it.
///
/// A macro cannot warn by itself, but what it makes may use what it calls deprecated.
pub(crate) fn warning(span: Span, message: &str) -> TokenStream {
    // At the user's own place, or the compiler would take it for a matter of the macro alone.
    let span = span.resolved_at(Span::call_site()).located_at(span);
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #message)]
            const fn decision_map() {}
            decision_map()
        };
    }
}
