//! The values in templates.

use super::{Code, Ident, Literal, Span, Token};

/// A value that a template of [`rust!`](crate::rust) inserts. Other crates can implement the trait.
///
/// Code and identifiers are inserted as they are, text as a string, a number without a suffix. A list is inserted by a repetition.
pub trait Splice {
    /// Returns the length of a list; `None` for a single value.
    fn count(&self) -> Option<usize> {
        None
    }

    /// Adds the value to code; of a list, the element at `place`.
    fn splice(&self, place: usize, to: &mut Code);
}

impl Splice for Code {
    fn splice(&self, _: usize, to: &mut Code) {
        to.0.extend_from_slice(&self.0);
    }
}

impl Splice for Ident {
    fn splice(&self, _: usize, to: &mut Code) {
        to.push(Token::Ident(self.clone()));
    }
}

impl Splice for Literal {
    fn splice(&self, _: usize, to: &mut Code) {
        to.push(Token::Literal(self.clone()));
    }
}

impl Splice for str {
    fn splice(&self, _: usize, to: &mut Code) {
        to.push(Token::Literal(Literal::string(self)));
    }
}

impl Splice for String {
    fn splice(&self, place: usize, to: &mut Code) {
        self.as_str().splice(place, to);
    }
}

impl Splice for usize {
    fn splice(&self, _: usize, to: &mut Code) {
        to.push(Token::Literal(Literal::displayed(self)));
    }
}

impl Splice for bool {
    fn splice(&self, _: usize, to: &mut Code) {
        let word = if *self { "true" } else { "false" };
        to.push(Token::Ident(Ident::new(word, Span::CALL_SITE)));
    }
}

impl<T: Splice> Splice for Option<T> {
    fn splice(&self, place: usize, to: &mut Code) {
        if let Some(value) = self {
            value.splice(place, to);
        }
    }
}

impl<T: Splice> Splice for [T] {
    fn count(&self) -> Option<usize> {
        Some(self.len())
    }

    fn splice(&self, place: usize, to: &mut Code) {
        self[place].splice(place, to);
    }
}

impl<T: Splice, const N: usize> Splice for [T; N] {
    fn count(&self) -> Option<usize> {
        Some(N)
    }

    fn splice(&self, place: usize, to: &mut Code) {
        self[place].splice(place, to);
    }
}

impl<T: Splice> Splice for Vec<T> {
    fn count(&self) -> Option<usize> {
        Some(self.len())
    }

    fn splice(&self, place: usize, to: &mut Code) {
        self[place].splice(place, to);
    }
}

impl<T: Splice + ?Sized> Splice for &T {
    fn count(&self) -> Option<usize> {
        (**self).count()
    }

    fn splice(&self, place: usize, to: &mut Code) {
        (**self).splice(place, to);
    }
}
