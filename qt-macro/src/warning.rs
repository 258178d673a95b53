//! Compiler warnings raised by the attribute.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// Returns an item that makes the compiler warn at this span with this message. `#[allow(deprecated)]` on the function silences
/// the warning.
///
/// A macro cannot emit warnings itself, but its expansion can use an item that it declares deprecated.
pub(crate) fn warning(span: Span, message: &str) -> TokenStream {
    // Without the user's own span, the compiler would attribute the warning to the macro and suppress it.
    let span = span.resolved_at(Span::call_site()).located_at(span);
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #message)]
            const fn decision_map() {}
            decision_map()
        };
    }
}
