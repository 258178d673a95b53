//! JSON values that know their place in the file.
//!
//! A value is kept as the original text until its type is checked. Every error can therefore name the path of its value, and
//! `Locator` finds the path again when the error is shown.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::ops::Range;
use std::rc::Rc;

use serde_core::de::{Deserialize, Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::problem::{Diagnostics, Path, Place, Problem, Problems, Step};

/// The maximum size of a file. A map of 4096 × 4096 cells takes half of it.
pub const MAX_BYTES: usize = 64 << 20;

/// Returns the text of a file.
///
/// # Errors
///
/// Returns an error for a file that is too large, begins with a byte-order mark or is not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, Problems> {
    if bytes.len() > MAX_BYTES {
        return Err(Problem::new(Place::File, "the file is larger than 64 MiB, the most that is read")
            .help("leave out `costs`, or keep the tree that `qtdec encode` writes instead of the map")
            .into());
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        return Err(Problem::new(Place::File, "the file begins with a byte-order mark")
            .help("save it as UTF-8 without a byte-order mark")
            .into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        let message = format!("the file is not UTF-8: byte 0x{:02X} on line {line}", bytes[before.len()]);
        Problem::new(Place::File, message).help("save it as UTF-8").into()
    })
}

/// A value of the file, of any type, with its path.
#[derive(Clone, Debug)]
pub struct Value<'t> {
    raw: &'t RawValue,
    /// The path from the root of the file to the value.
    pub path: Path,
}

impl<'t> Value<'t> {
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
        let same = |key: &RawValue| serde_json::from_str::<String>(key.get()).is_ok_and(|key| key == name);
        let (_, raw) = members(self.raw)?.into_iter().find(|(key, _)| same(key))?;
        Some(Self { raw, path: self.path.key(name) })
    }

    fn read<T: Deserialize<'t>>(&self) -> Option<T> {
        serde_json::from_str(self.raw.get()).ok()
    }

    fn refuse<T>(&self, expected: &str, check: &mut Diagnostics) -> Option<T> {
        check.add(Problem::new(self.path.clone(), format!("expected {expected}, found {}", self.shown())));
        None
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

    pub(crate) fn is_array(&self) -> bool {
        self.raw.get().starts_with('[')
    }

    /// Returns the value as a string, or reports that it is not one.
    pub fn string(&self, check: &mut Diagnostics) -> Option<String> {
        self.read().or_else(|| self.refuse("a string", check))
    }

    /// Returns the value as a boolean, or reports that it is not one.
    pub fn boolean(&self, check: &mut Diagnostics) -> Option<bool> {
        self.read().or_else(|| self.refuse("true or false", check))
    }

    /// Returns the value as a whole number from 0 to 2^64 − 1, or reports that it is not one.
    pub fn whole(&self, check: &mut Diagnostics) -> Option<u64> {
        let text = self.raw.get();
        if let Ok(number) = text.parse() {
            return Some(number);
        }
        let number = text.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        let reason = match text {
            _ if !number => return self.refuse("a whole number", check),
            _ if text.starts_with('-') => "is negative",
            _ if text.contains(['.', 'e', 'E']) => "is not written as a whole number",
            _ => "is beyond 18446744073709551615, the largest 64-bit number",
        };
        check.add(Problem::new(self.path.clone(), format!("{} {reason}", self.shown())));
        None
    }

    /// Returns the value as a finite number, or reports that it is not one.
    pub fn number(&self, check: &mut Diagnostics) -> Option<f64> {
        self.read().filter(|number: &f64| number.is_finite()).or_else(|| self.refuse("a number", check))
    }

    /// Returns the known value with this name; `what` describes it in messages, as in "basis".
    pub fn one_of<T: Copy>(&self, what: &str, known: &[(&str, T)], check: &mut Diagnostics) -> Option<T> {
        let name = self.string(check)?;
        let found = known.iter().find(|(known, _)| *known == name);
        if found.is_none() {
            let names: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
            let problem = Problem::new(self.path.clone(), format!("unknown {what} `{name}`"));
            check.add(problem.help(format!("it is one of {}", listed(&names))));
        }
        found.map(|(_, value)| *value)
    }

    /// Returns the elements of an array, or reports that the value is not one.
    pub fn elements(&self, check: &mut Diagnostics) -> Option<Vec<Self>> {
        match self.read::<Vec<&RawValue>>() {
            Some(raws) => {
                let element = |(index, raw)| Self { raw, path: self.path.index(index) };
                Some(raws.into_iter().enumerate().map(element).collect())
            }
            None => self.refuse("an array", check),
        }
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
            check.add(problem.help(format!("this version reads {}", listed(known))));
        }
        check.finish(found)
    }

    /// Returns the members of an object with arbitrary keys, in file order.
    pub fn members(&self, check: &mut Diagnostics) -> Option<Vec<(String, Self)>> {
        let Some(raws) = members(self.raw) else { return self.refuse("an object", check) };
        let member = |(key, raw): (&RawValue, &'t RawValue)| {
            let name: String = serde_json::from_str(key.get()).unwrap_or_default();
            let path = self.path.key(&name);
            (name, Self { raw, path })
        };
        Some(raws.into_iter().map(member).collect())
    }

    /// Returns the members of an object, and reports keys that are repeated or not in `known`.
    pub fn object(&self, known: &[&str], check: &mut Diagnostics) -> Option<Object<'t>> {
        self.object_with(known, |_| format!("the keys here are {}", listed(known)), check)
    }

    /// Returns the members of an object like [`object`](Self::object); `unknown` makes the help for an unknown key.
    pub fn object_with(
        &self,
        known: &[&str],
        unknown: impl Fn(&str) -> String,
        check: &mut Diagnostics,
    ) -> Option<Object<'t>> {
        let Some(raws) = members(self.raw) else { return self.refuse("an object", check) };
        let mut seen = HashMap::<String, usize>::new();
        let mut members = Vec::with_capacity(known.len());
        for (key, raw) in raws {
            let name: String = serde_json::from_str(key.get()).unwrap_or_default();
            let nth = seen.entry(name.clone()).or_default();
            let path = self.path.nth_key(&name, *nth);
            *nth += 1;
            if *nth > 1 {
                check.add_with(|| {
                    Problem::new(Place::Key(path), format!("the key `{name}` stands here a second time"))
                        .help("remove one of the two")
                });
            } else if known.contains(&&*name) {
                members.push((name, Self { raw, path }));
            } else {
                check.add_with(|| {
                    Problem::new(Place::Key(path), format!("unknown key `{name}`")).help(unknown(&name))
                });
            }
        }
        Some(Object { path: self.path.clone(), members })
    }

    /// Returns a nested array of `T` as a row-major list, with one level for each of `dims`.
    ///
    /// `what` describes the entries in messages, as in "expected a method index or null".
    pub(crate) fn grid<T: Deserialize<'t>>(
        &self,
        dims: &[Dim],
        what: &str,
        check: &mut Diagnostics,
    ) -> Option<Vec<T>> {
        let mut entries = Vec::with_capacity(self.raw.get().len() / 8);
        self.extend_grid(dims, what, &mut entries, check).then_some(entries)
    }

    fn extend_grid<T: Deserialize<'t>>(
        &self,
        dims: &[Dim],
        what: &str,
        entries: &mut Vec<T>,
        check: &mut Diagnostics,
    ) -> bool {
        let [dim, inner @ ..] = dims else { return true };
        if inner.is_empty()
            && let Some(row) = self.read::<Vec<T>>()
            && row.len() == dim.len
        {
            entries.extend(row);
            return true;
        }
        let Some(elements) = self.elements(check) else { return false };
        let mut sound = elements.len() == dim.len;
        if !sound {
            check.add_with(|| {
                let Dim { len, why } = dim;
                let message = format!("expected {len} entries, found {}: {why}", elements.len());
                Problem::new(self.path.clone(), message)
            });
        }
        for element in &elements {
            if !inner.is_empty() {
                sound &= element.extend_grid(inner, what, entries, check);
            } else if element.read::<T>().is_none() {
                sound = false;
                element.refuse::<()>(what, check);
            }
        }
        sound
    }
}

/// One level of a nested array.
pub(crate) struct Dim {
    pub(crate) len: usize,
    /// The reason for the length, as in "axis `msg_size` has 12 values".
    pub(crate) why: String,
}

/// The members of an object.
pub struct Object<'t> {
    path: Path,
    members: Vec<(String, Value<'t>)>,
}

impl<'t> Object<'t> {
    /// Returns the member `name`.
    pub fn get(&self, name: &str) -> Option<&Value<'t>> {
        self.members.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Returns the member `name`, or reports that it is missing.
    pub fn require(&self, name: &str, check: &mut Diagnostics) -> Option<&Value<'t>> {
        let value = self.get(name);
        if value.is_none() {
            check.add(Problem::new(self.path.clone(), format!("the key `{name}` is missing")));
        }
        value
    }
}

/// A text buffer that never grows beyond the maximum size of a file.
#[derive(Debug)]
pub(crate) struct Limited {
    text: String,
    most: usize,
    /// Whether text was cut off.
    is_cut: bool,
}

impl Default for Limited {
    /// Creates a buffer without a limit.
    fn default() -> Self {
        Self { text: String::new(), most: usize::MAX, is_cut: false }
    }
}

impl Limited {
    /// Creates a buffer for a file that will be read again.
    pub(crate) fn to_be_read() -> Self {
        Self { most: MAX_BYTES, ..Self::default() }
    }

    /// Records that the limit is exceeded.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// Returns the text.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Returns the text, unless it is larger than the maximum size of a file; `what` describes it, as in "the tree".
    pub(crate) fn into_file(self, what: &str) -> Result<String, Problem> {
        if self.is_cut {
            let message = format!(
                "{what} takes a file larger than 64 MiB ({MAX_BYTES} bytes), the most that is read again"
            );
            return Err(Problem::new(Place::File, message));
        }
        Ok(self.text)
    }
}

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.is_cut |= text.len() > self.most - self.text.len();
        if self.is_cut {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

/// Returns a string as JSON.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns an array on one line.
pub fn array<T: Display>(entries: impl IntoIterator<Item = T>) -> String {
    let entries: Vec<String> = entries.into_iter().map(|entry| entry.to_string()).collect();
    format!("[{}]", entries.join(", "))
}

/// Returns an object on one line, with the members that have a value.
pub fn object<const N: usize>(members: [(&str, Option<String>); N]) -> String {
    let member = |(key, value): (&str, Option<String>)| Some(format!("{}: {}", quoted(key), value?));
    let members: Vec<String> = members.into_iter().filter_map(member).collect();
    format!("{{ {} }}", members.join(", "))
}

/// Returns the names in backticks, as in `a`, `b` and `c`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match &quoted[..] {
        [] => String::new(),
        [only] => only.clone(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

/// The target of a path.
pub(crate) struct Found {
    pub(crate) key: Option<Range<usize>>,
    pub(crate) value: Range<usize>,
}

/// A finder of values in a file that caches what it has parsed.
pub(crate) struct Locator<'t> {
    text: &'t str,
    root: Option<&'t RawValue>,
    seen: RefCell<HashMap<Path, Children<'t>>>,
}

/// The members of an object with their keys, or the elements of an array.
type Children<'t> = Rc<[(Option<&'t RawValue>, &'t RawValue)]>;

impl<'t> Locator<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, root: serde_json::from_str(text).ok(), seen: RefCell::default() }
    }

    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the bytes of the text that hold the value at `path`.
    pub(crate) fn locate(&self, path: &Path) -> Option<Found> {
        let mut raw = self.root?;
        let mut last_key = None;
        let mut walked = Path::root();
        for step in path.steps() {
            let children = self.children(&walked, raw)?;
            let (key, value) = match step {
                Step::Key { name, nth } => {
                    let same = |key: &RawValue| {
                        serde_json::from_str::<String>(key.get()).is_ok_and(|key| key == *name)
                    };
                    *children.iter().filter(|(key, _)| key.is_some_and(same)).nth(*nth)?
                }
                Step::Index(index) => *children.get(*index).filter(|(key, _)| key.is_none())?,
            };
            (last_key, raw) = (key, value);
            walked = walked.step(step.clone());
        }
        let range = |raw: &RawValue| {
            let start = raw.get().as_ptr() as usize - self.text.as_ptr() as usize;
            start..start + raw.get().len()
        };
        Some(Found { key: last_key.map(range), value: range(raw) })
    }

    fn children(&self, path: &Path, raw: &'t RawValue) -> Option<Children<'t>> {
        if let Some(seen) = self.seen.borrow().get(path) {
            return Some(Rc::clone(seen));
        }
        let children: Children<'t> = match members(raw) {
            Some(members) => members.into_iter().map(|(key, value)| (Some(key), value)).collect(),
            None => {
                let elements: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
                elements.into_iter().map(|element| (None, element)).collect()
            }
        };
        self.seen.borrow_mut().insert(path.clone(), Rc::clone(&children));
        Some(children)
    }
}

/// Returns the members of an object in file order, with their keys still quoted; `None` if it is not an object.
fn members(raw: &RawValue) -> Option<Vec<(&RawValue, &RawValue)>> {
    struct Members;

    impl<'t> Visitor<'t> for Members {
        type Value = Vec<(&'t RawValue, &'t RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut access: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = access.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }

    serde_json::Deserializer::from_str(raw.get()).deserialize_map(Members).ok()
}

/// Returns the problem for text that is not JSON, with its place and, for common causes, a suggestion.
pub fn syntax_problem(text: &[u8], error: &serde_json::Error) -> Problem {
    let message = error.to_string();
    let message = message.rfind(" at line ").map_or(&*message, |end| &message[..end]);
    // The error counts lines and columns (bytes) from 1.
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    let start: usize = lines.map(<[u8]>::len).sum();
    let offset = (start + error.column().saturating_sub(1)).min(text.len());
    let problem = Problem::new(Place::Offset(offset), format!("not JSON: {message}"));
    match text.get(offset) {
        _ if error.is_eof() => problem.help("the file was cut off"),
        Some(b']' | b'}') => problem.help("is there a comma too many before it?"),
        Some(b'N' | b'I') => {
            problem.help("JSON knows neither NaN nor infinity: a cost that was not measured is null, a point of a network is left out")
        }
        _ => problem,
    }
}
