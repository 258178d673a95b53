//! The names in a C header, each of which has one meaning.
//!
//! Constants, functions, enum tags and parameters share one scope in C++, and in C a parameter silently hides a constant.
//! So no name is used twice, for whatever purpose.

use std::collections::HashMap;

use qtdec_core::naming::reserved::{is_limit_in_c, is_reserved_in_c};
use qtdec_core::naming::snake;
use qtdec_core::{Domain, Method, Samples};

pub(crate) struct Names {
    /// The prefix of functions and tags and, in capitals, of constants.
    pub(crate) prefix: String,
    pub(crate) guard: String,
    /// The constant for no method.
    pub(crate) none: String,
    pub(crate) methods: Vec<String>,
    pub(crate) labels: Vec<Option<Labels>>,
    /// The parameters, one for each axis.
    pub(crate) parameters: Vec<String>,
}

/// The names of the labels of an axis.
pub(crate) struct Labels {
    pub(crate) tag: String,
    pub(crate) constants: Vec<String>,
}

/// The suffixes of functions and of the tag of the methods.
const ITEMS: [&str; 7] = ["method", "algorithm", "name", "segment_size", "id", "select", "decide"];

impl Names {
    pub(crate) fn new(domain: &Domain, name: &str) -> Self {
        let prefix = ascii(&snake(name));
        let guard = format!("QTDEC_{}_H", prefix.to_uppercase());
        let mut taken = UsedNames::default();
        taken.take(guard.clone());
        for item in ITEMS {
            taken.take(format!("{prefix}_{item}"));
        }
        let none = taken.fresh(&constant(&prefix, "none"));
        let methods = domain.methods().iter().map(Method::label);
        let methods = methods.map(|label| taken.fresh(&constant(&prefix, &label))).collect();
        let labels = domain.axes().iter().map(|axis| {
            let Samples::Labels(labels) = &axis.samples else { return None };
            let tag = taken.fresh(&format!("{prefix}_{}", ascii(&snake(&axis.name))));
            let constants = labels.iter().map(|label| taken.fresh(&constant(&tag, label))).collect();
            Some(Labels { tag, constants })
        });
        let labels = labels.collect();
        let parameters = domain.axes().iter().map(|axis| taken.parameter(&ascii(&axis.name))).collect();
        Self { prefix, guard, none, methods, labels, parameters }
    }
}

/// The names already used, and the number to append to the next equal one.
#[derive(Default)]
struct UsedNames(HashMap<String, u32>);

impl UsedNames {
    fn take(&mut self, name: String) {
        self.0.insert(name, 2);
    }

    /// Returns a name, or the first free one of `name_2`, `name_3` and so on.
    fn fresh(&mut self, name: &str) -> String {
        let mut candidate = if is_limit_in_c(name) { format!("{name}_") } else { name.to_owned() };
        while self.0.contains_key(&candidate) {
            let number = self.0.entry(name.to_owned()).or_insert(2);
            candidate = format!("{name}_{number}");
            *number += 1;
        }
        self.take(candidate.clone());
        candidate
    }

    /// Returns a name for a parameter, with underscores appended if it is already used.
    fn parameter(&mut self, axis: &str) -> String {
        // Names that begin with two underscores are reserved for the compiler.
        let mut name = match axis.strip_prefix('_') {
            Some(_) if is_reserved_in_c(axis) => format!("axis{axis}"),
            _ => axis.to_owned(),
        };
        while is_reserved_in_c(&name) && !name.ends_with('_') || self.0.contains_key(&name) {
            name.push('_');
        }
        self.take(name.clone());
        name
    }
}

fn ascii(name: &str) -> String {
    name.replace(|char: char| !char.is_ascii_alphanumeric(), "_")
}

fn constant(prefix: &str, name: &str) -> String {
    format!("{prefix}_{}", ascii(name)).to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::UsedNames;

    #[test]
    fn a_name_is_given_once() {
        let mut taken = UsedNames::default();
        let names = ["A", "A", "A_2", "A", "UINT64_MAX"].map(|name| taken.fresh(name));
        assert_eq!(names, ["A", "A_2", "A_2_2", "A_3", "UINT64_MAX_"]);
        let parameters = ["A", "size", "int", "_Bool", "size", "__LINE__"].map(|axis| taken.parameter(axis));
        assert_eq!(parameters, ["A_", "size", "int_", "axis_Bool", "size_", "axis__LINE__"]);
    }
}
