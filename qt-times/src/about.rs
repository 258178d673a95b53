//! What is known of all times of a file: the machine, the library and how they were measured.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_core::listing::shortened;
use qtdec_core::{Place, Problem};

use crate::text::value_fault;

/// The key of the machine on which the times were measured.
pub const MACHINE: &str = "machine";

/// The key of the library whose methods were measured, with its release.
pub const LIBRARY: &str = "library";

/// The key of the date of measuring.
pub const MEASURED: &str = "measured";

/// The key of the group of benchmarks that were measured.
pub const GROUP: &str = "group";

/// The key of the sizes of blocks where a call has several that may differ.
pub const BLOCKS: &str = "blocks";

/// The key of how late the ranks of a call arrive, where they do not arrive together.
pub const SKEW: &str = "skew";

/// The key of the statistic over the ranks of one repeat.
pub const RANKS: &str = "ranks";

/// The key of a method that is used without a decision. A map that is made of the times marks it, unless another one is named.
pub const BASELINE: &str = "baseline";

/// The keys that come first in a file, in their order. The others follow in the order of their names.
const FIRST: [&str; 7] = [MACHINE, LIBRARY, "launcher", "settings", MEASURED, "tool", RANKS];

/// The keys that have one value, and what two of them are called: times of two are not compared with each other.
const SINGLE: [(&str, &str); 5] = [
    (MACHINE, "machines"),
    (LIBRARY, "libraries"),
    (BLOCKS, "divisions into blocks"),
    (SKEW, "arrival patterns"),
    (GROUP, "groups of benchmarks"),
];

/// The maximum number of values of all keys together. A file that was made of many has the values of each.
const MAX_VALUES: usize = 1 << 16;

/// The keys with a meaning of their own.
const RESERVED: [&str; 6] = ["axis", "parameter", "method", "order", "job", "launch"];

/// Keys with their values, such as `machine` and `library`. Keys other than these two, `blocks`, `skew` and `group` may have several values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    keys: BTreeMap<String, BTreeSet<String>>,
    /// The number of values of all keys.
    values: usize,
}

impl About {
    /// Adds a value of a key.
    ///
    /// # Errors
    ///
    /// Fails for a key or value that a file cannot hold, and for a second machine, library, division into blocks, arrival pattern or group of
    /// benchmarks.
    pub fn add(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        let fault = |message: String| Problem::new(Place::File, message);
        if RESERVED.contains(&key) {
            return Err(fault(format!("`{key}` cannot be a key, because its lines have another meaning")));
        }
        if !is_key(key) {
            return Err(fault(format!("`{}` is not a key", shortened(key)))
                .help("a key is made of small letters, digits, `-` and `_`, and begins with a letter"));
        }
        if let Some(why) = value_fault(value) {
            return Err(fault(format!("the value of `{key}` {why}")).help("write its text in one line"));
        }
        if self.has(key, value) {
            return Ok(());
        }
        if self.values == MAX_VALUES {
            return Err(fault(format!("more than {MAX_VALUES} values of keys"))
                .help("remove lines of keys that no two files share, such as dates"));
        }
        let values = self.keys.entry(key.to_owned()).or_default();
        let single = SINGLE.iter().find(|(single, _)| *single == key);
        if let (Some((_, what)), Some(known)) = (single, values.first()) {
            let help = match key {
                GROUP => "give the folder of one group: each decides something else".to_owned(),
                _ => format!("choose one with --where '{key}={known}': times of two cannot be compared"),
            };
            return Err(fault(format!("the times are of two {what}: `{known}` and `{value}`")).help(help));
        }
        values.insert(value.to_owned());
        self.values += 1;
        Ok(())
    }

    /// Adds all values of other keys.
    ///
    /// # Errors
    ///
    /// Fails as [`add`](Self::add) does.
    pub fn merge(&mut self, other: &Self) -> Result<(), Problem> {
        other.lines().try_for_each(|(key, value)| self.add(key, value))
    }

    /// Returns the first value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.keys.get(key)?.first().map(String::as_str)
    }

    /// Returns whether a key has this value.
    pub fn has(&self, key: &str, value: &str) -> bool {
        self.keys.get(key).is_some_and(|values| values.contains(value))
    }

    /// Returns whether a key has a value.
    pub fn has_key(&self, key: &str) -> bool {
        self.keys.contains_key(key)
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns each key with each of its values, in the order of a file.
    pub fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let place = |key: &str| FIRST.iter().position(|first| *first == key).unwrap_or(FIRST.len());
        let mut keys: Vec<(&String, &BTreeSet<String>)> = self.keys.iter().collect();
        keys.sort_by_key(|(key, _)| place(key));
        keys.into_iter()
            .flat_map(|(key, values)| values.iter().map(move |value| (key.as_str(), value.as_str())))
    }
}

fn is_key(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text
            .chars()
            .all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || ['-', '_'].contains(&char))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_an_order_and_some_a_single_value() {
        let mut about = About::default();
        let values =
            [("tool", "b"), ("zone", "x"), ("machine", "m"), ("about", "y"), ("tool", "a"), ("machine", "m")];
        for (key, value) in values {
            about.add(key, value).unwrap();
        }
        let lines: Vec<_> = about.lines().collect();
        assert_eq!(lines, [("machine", "m"), ("tool", "a"), ("tool", "b"), ("about", "y"), ("zone", "x")]);
        let refused = about.add("machine", "n").unwrap_err().to_string();
        assert_eq!(
            refused,
            "the times are of two machines: `m` and `n` (choose one with --where 'machine=m': times of two cannot be \
             compared)"
        );
        about.add(BLOCKS, "equal").unwrap();
        let refused = about.add(BLOCKS, "skewed:4").unwrap_err().to_string();
        assert!(
            refused.starts_with("the times are of two divisions into blocks: `equal` and `skewed:4`"),
            "{refused}"
        );
        about.add(SKEW, "last:5").unwrap();
        let refused = about.add(SKEW, "first:5").unwrap_err().to_string();
        assert!(
            refused.starts_with("the times are of two arrival patterns: `last:5` and `first:5`"),
            "{refused}"
        );
        for (key, value) in [("axis", "n"), ("A", "b"), ("", "b"), ("a", ""), ("a", "b\nc"), ("a", " b")] {
            assert!(about.add(key, value).is_err(), "{key} {value}");
        }
    }
}
