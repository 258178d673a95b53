//! Compiler warnings raised by the attribute.

use qtdec_core::rust_at;
use qtdec_core::tokens::{Code, Span};

use crate::whole::spans::Spans;

/// Returns an item that makes the compiler warn at this span with this message. `#[allow(deprecated)]` on the function silences
/// the warning.
///
/// A macro cannot emit warnings itself, but its expansion can use an item that it declares deprecated.
pub(crate) fn warning(span: Span, message: &str, spans: &mut Spans) -> Code {
    // Without the user's own span, the compiler would attribute the warning to the macro and suppress it.
    let span = spans.at_call_site(span);
    rust_at!(
        span,
        "const _: () = {
            #[deprecated(note = #message)]
            const fn decision_map() {}
            decision_map()
        };";
        message
    )
}
