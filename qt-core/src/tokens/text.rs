//! The text of a token, which is cheap to copy.

use std::rc::Rc;

/// The text of a token: a part of a template, or shared.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Static(&'static str),
    Shared(Rc<str>),
}

impl Text {
    pub(super) fn get(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}
