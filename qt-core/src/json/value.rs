//! Values that know their place in the file.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::raw::{elements, is_number, members, number, string};
use super::syntax_problem;
use crate::listing::{in_backticks, one_of};
use crate::problem::{Diagnostics, Path, Place, Problem, Problems};
use crate::similar::did_you_mean;

/// A value of the file, of any type, with its path.
#[derive(Clone, Debug)]
pub struct PlacedValue<'t> {
    pub(super) raw: &'t RawValue,
    /// The path from the root of the file to the value.
    pub path: Path,
}

impl<'t> PlacedValue<'t> {
    /// Parses the whole of `text`, and checks that it is valid JSON.
    ///
    /// # Errors
    ///
    /// Returns the first place that is not valid JSON.
    pub fn parse(text: &'t str) -> Result<Self, Problem> {
        let raw = serde_json::from_str(text).map_err(|error| syntax_problem(text.as_bytes(), &error))?;
        Ok(Self { raw, path: Path::root() })
    }

    /// Returns the value as written.
    pub fn raw(&self) -> &'t RawValue {
        self.raw
    }

    /// Returns the member `name` of an object, without checking the others.
    pub(crate) fn member(&self, name: &str) -> Option<Self> {
        let same = |key: &RawValue| string(key).is_some_and(|key| key == name);
        let (_, raw) = members(self.raw)?.into_iter().find(|(key, _)| same(key))?;
        Some(Self { raw, path: self.path.key(name) })
    }

    pub(super) fn refuse<T>(&self, expected: &str, check: &mut Diagnostics) -> Option<T> {
        check.refuse(Problem::new(self.path.clone(), format!("expected {expected}, found {}", self.shown())))
    }

    /// Returns the value for use in a message: the text itself if it is short, its type otherwise.
    pub(crate) fn shown(&self) -> String {
        let text = self.raw.get();
        match text.as_bytes()[0] {
            b'{' => "an object".to_owned(),
            b'[' => "an array".to_owned(),
            _ if text.len() <= 40 => format!("`{text}`"),
            b'"' => "a string".to_owned(),
            _ => "a number".to_owned(),
        }
    }

    /// Returns whether the value is `null`.
    pub fn is_null(&self) -> bool {
        self.raw.get() == "null"
    }

    /// Returns whether the value is an array.
    pub fn is_array(&self) -> bool {
        self.raw.get().starts_with('[')
    }

    /// Returns the value as a string, or reports that it is not one.
    pub fn string(&self, check: &mut Diagnostics) -> Option<String> {
        string(self.raw).or_else(|| self.refuse("a string", check))
    }

    /// Returns the value as a boolean, or reports that it is not one.
    pub fn boolean(&self, check: &mut Diagnostics) -> Option<bool> {
        match self.raw.get() {
            "true" => Some(true),
            "false" => Some(false),
            _ => self.refuse("true or false", check),
        }
    }

    /// Returns the value as a whole number from 0 to 2^64 − 1, or reports that it is not one.
    pub fn whole(&self, check: &mut Diagnostics) -> Option<u64> {
        let text = self.raw.get();
        if let Ok(number) = text.parse() {
            return Some(number);
        }
        let reason = match text {
            _ if !is_number(self.raw) => return self.refuse("a whole number", check),
            _ if text.starts_with('-') => "is negative",
            _ if text.contains(['.', 'e', 'E']) => "is not written as a whole number",
            _ => "is beyond 18446744073709551615, the largest 64-bit number",
        };
        check.refuse(Problem::new(self.path.clone(), format!("{} {reason}", self.shown())))
    }

    /// Returns the value as a finite number, or reports that it is not one.
    pub fn number(&self, check: &mut Diagnostics) -> Option<f64> {
        number(self.raw).or_else(|| self.refuse("a number", check))
    }

    /// Returns the known value with this name; `what` describes it in messages, as in "basis".
    pub fn one_of<T: Copy>(&self, what: &str, known: &[(&str, T)], check: &mut Diagnostics) -> Option<T> {
        let name = self.string(check)?;
        match one_of(&name, known) {
            Ok(value) => Some(value),
            Err(known) => {
                let problem = Problem::new(self.path.clone(), format!("unknown {what} `{name}`"));
                check.refuse(problem.help(format!("it is {known}")))
            }
        }
    }

    /// Returns the elements of an array as `read` reads them, if all can be read. Each element reports its own problems.
    pub fn all<T>(
        &self,
        check: &mut Diagnostics,
        read: impl Fn(&Self, &mut Diagnostics) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut all = Vec::new();
        for element in self.every(check, read)? {
            all.push(element?);
        }
        Some(all)
    }

    /// Returns the elements of an array as `read` reads them, with `None` for those that cannot be read.
    pub(crate) fn every<T>(
        &self,
        check: &mut Diagnostics,
        read: impl Fn(&Self, &mut Diagnostics) -> Option<T>,
    ) -> Option<Vec<Option<T>>> {
        Some(self.elements(check)?.iter().map(|element| read(element, check)).collect())
    }

    /// Returns the elements of an array, or reports that the value is not one.
    pub fn elements(&self, check: &mut Diagnostics) -> Option<Vec<Self>> {
        match elements(self.raw) {
            Some(raws) => {
                let element = |(index, raw)| Self { raw, path: self.path.index(index) };
                Some(raws.into_iter().enumerate().map(element).collect())
            }
            None => self.refuse("an array", check),
        }
    }

    /// Returns the elements of an array of this length; `form` says what to write instead of another value.
    pub(crate) fn parts<const N: usize>(&self, form: &str, check: &mut Diagnostics) -> Option<[Self; N]> {
        let parts = self.elements(check)?.try_into().ok();
        parts.or_else(|| check.refuse(Problem::new(self.path.clone(), form)))
    }

    /// Returns the `format` of a file, which must be one of `known`.
    ///
    /// # Errors
    ///
    /// Returns an error for a file that is not an object, has no format or an unknown one.
    pub fn format(&self, known: &[&'static str]) -> Result<&'static str, Problems> {
        let mut check = Diagnostics::default();
        let Some(format) = self.member("format") else {
            let problem = if members(self.raw).is_some() {
                Problem::new(self.path.clone(), "the key `format` is missing")
            } else {
                Problem::new(self.path.clone(), format!("expected an object, found {}", self.shown()))
            };
            return Err(problem.help(format!("a file begins {{ \"format\": \"{}\", …", known[0])).into());
        };
        let name = format.string(&mut check);
        let found = known.iter().copied().find(|known| name.as_deref() == Some(known));
        if let (Some(name), None) = (&name, found) {
            let problem = Problem::new(format.path.clone(), format!("unknown format `{name}`"));
            check.add(problem.help(format!("this version reads {}", in_backticks(known))));
        }
        check.finish(found)
    }

    /// Returns the members of an object with arbitrary keys, in file order.
    pub fn members(&self, check: &mut Diagnostics) -> Option<Vec<(String, Self)>> {
        let Some(raws) = members(self.raw) else { return self.refuse("an object", check) };
        let member = |(key, raw): (&RawValue, &'t RawValue)| {
            let name = string(key).unwrap_or_default();
            let path = self.path.key(&name);
            (name, Self { raw, path })
        };
        Some(raws.into_iter().map(member).collect())
    }

    /// Returns the members of an object, and reports keys that are repeated or not in `known`.
    pub fn object(&self, known: &[&str], check: &mut Diagnostics) -> Option<Object<'t>> {
        let Some(all) = members(self.raw) else { return self.refuse("an object", check) };
        let mut members = Vec::with_capacity(known.len());
        let mut seen = HashMap::<String, usize>::new();
        for (key, raw) in all {
            let name = string(key).unwrap_or_default();
            let same = seen.entry(name.clone()).or_default();
            let path = self.path.nth_key(&name, *same);
            *same += 1;
            if *same > 1 {
                check.add_with(|| {
                    Problem::new(Place::Key(path), format!("the key `{name}` is repeated"))
                        .help("remove one of them")
                });
            } else if known.contains(&&*name) {
                members.push((name, Self { raw, path }));
            } else {
                check.add_with(|| {
                    Problem::new(Place::Key(path), format!("unknown key `{name}`")).help(help(&name, known))
                });
            }
        }
        Some(Object { path: self.path.clone(), members })
    }
}

/// The members of an object.
pub struct Object<'t> {
    path: Path,
    members: Vec<(String, PlacedValue<'t>)>,
}

impl<'t> Object<'t> {
    /// Returns the member `name`.
    pub fn get(&self, name: &str) -> Option<&PlacedValue<'t>> {
        self.members.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Returns the member `name`, or reports that it is missing.
    pub fn require(&self, name: &str, check: &mut Diagnostics) -> Option<&PlacedValue<'t>> {
        let missing = || Problem::new(self.path.clone(), format!("the key `{name}` is missing"));
        self.get(name).or_else(|| check.refuse(missing()))
    }

    /// Returns the member `name` as `read` reads it: `Some(None)` if it is absent, and `None` if it cannot be read.
    pub fn optional<T>(
        &self,
        name: &str,
        check: &mut Diagnostics,
        read: impl FnOnce(&PlacedValue<'t>, &mut Diagnostics) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.get(name) {
            None => Some(None),
            Some(value) => read(value, check).map(Some),
        }
    }
}

/// Returns the help for an unknown key.
fn help(unknown: &str, known: &[&str]) -> String {
    let keys = format!("he keys here are {}", in_backticks(known));
    match did_you_mean(unknown, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`? T{keys}"),
        None => format!("t{keys}"),
    }
}
