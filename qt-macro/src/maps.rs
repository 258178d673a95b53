//! The attribute on maps and on every tree.

mod above;
pub(crate) mod advice;
mod code;
mod declared;
mod enumeration;
mod file;
mod function;
pub(crate) mod literal;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use proc_macro::Span;

use crate::front::Way;

/// Reads maps and trees with `qtdec-core`, whose code generators write the code.
pub(crate) const WAY: Way = Way { decide: function::decide, fill: enumeration::fill };

/// Returns the file in which the attribute stands, if the compiler can name it.
fn source_file() -> Option<PathBuf> {
    if proc_macro::is_available() { Span::call_site().local_file() } else { None }
}
