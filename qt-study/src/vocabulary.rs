//! What readers know of the functions that benchmarks measure. Programs pass it in.

use qtdec_core::Basis;

/// The functions that benchmarks measure, and what their message sizes count.
///
/// The default knows none: names of functions are then taken as they are, and sizes are not converted.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// The functions, by their names in lower case, as in `reduce_scatter`.
    pub functions: &'static [&'static str],
    /// Returns what the message sizes of a function count in its own signature.
    pub natural_basis: fn(&str) -> Option<Basis>,
}

impl Vocabulary {
    /// Returns whether a name, by [`collective_name`](crate::readers::collective_name), is that of a function.
    pub fn has(&self, name: &str) -> bool {
        self.functions.contains(&name)
    }

    /// Returns what the message sizes of a function count in its own signature.
    pub fn natural_basis(&self, name: &str) -> Option<Basis> {
        (self.natural_basis)(name)
    }
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self { functions: &[], natural_basis: |_| None }
    }
}
