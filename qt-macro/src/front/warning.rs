//! Warnings of the compiler that the attribute raises.

use super::output::called;

/// Returns an item that makes the compiler warn at a place with this message. `#[allow(deprecated)]` on the function silences the warning.
///
/// A macro cannot emit warnings itself, but its expansion can use an item that it declares deprecated.
pub(crate) fn warning(place: usize, message: &str) -> String {
    let item = format!(
        "const _: () = {{
             #[deprecated(note = {message:?})]
             const fn decision_map() {{}}
             decision_map()
         }};"
    );
    called(place, &item)
}
