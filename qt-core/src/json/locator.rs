//! The places of values in the text of a file.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use serde_json::value::RawValue;

use super::raw::{elements, members, string};
use crate::problem::{Path, Step};

/// The target of a path.
pub(crate) struct Found {
    pub(crate) key: Option<Range<usize>>,
    pub(crate) value: Range<usize>,
}

/// A finder of values in a file that caches what it has parsed: the objects and arrays around a few problems.
pub(crate) struct Locator<'t> {
    text: &'t str,
    root: Option<&'t RawValue>,
    seen: RefCell<Vec<(Path, Children<'t>)>>,
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
                    let same = |key: &RawValue| string(key).is_some_and(|key| key == *name);
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
        if let Some((_, children)) = self.seen.borrow().iter().find(|(seen, _)| seen == path) {
            return Some(Rc::clone(children));
        }
        let children: Children<'t> = match members(raw) {
            Some(members) => members.into_iter().map(|(key, value)| (Some(key), value)).collect(),
            None => elements(raw)?.into_iter().map(|element| (None, element)).collect(),
        };
        self.seen.borrow_mut().push((path.clone(), Rc::clone(&children)));
        Some(children)
    }
}
