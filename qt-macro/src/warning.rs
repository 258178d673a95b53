//! Warnings of the compiler that the attribute raises.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// Returns an item that makes the compiler warn at a span with this message. `#[allow(deprecated)]` on the function silences the warning.
///
/// A macro cannot emit warnings itself, but its expansion can use an item that it declares deprecated. Names in it are in the scope of the
/// attribute's call: without the user's own span, the compiler would attribute the warning to the macro and suppress it.
pub(crate) fn warning(span: Span, message: &str) -> TokenStream {
    let span = span.resolved_at(Span::call_site()).located_at(span);
    quote_spanned! { span =>
        const _: () = {
            #[deprecated(note = #message)]
            const fn decision_map() {}
            decision_map()
        };
    }
}
