//! Types that are paths, such as `core::num::NonZero<u32>`.

use crate::tokens::arguments::ungrouped;
use crate::tokens::{Delimiter, Ident, Token};

/// Words with which types begin that are no paths.
const OTHERS: [&str; 7] = ["_", "dyn", "extern", "fn", "for", "impl", "unsafe"];

pub(super) struct TypePath<'t> {
    /// The type before the path, in angle brackets, as in `<Self as Trait>::Type`.
    pub(super) of: Option<&'t [Token]>,
    /// Whether the path begins with `::`.
    pub(super) is_global: bool,
    /// The identifier of the last segment.
    pub(super) last: &'t Ident,
    /// The number of segments.
    segments: usize,
    /// Whether a segment has arguments.
    has_arguments: bool,
    /// What is in the angle brackets of the last segment.
    of_last: Option<&'t [Token]>,
}

impl<'t> TypePath<'t> {
    /// Reads a type; `None` if it is anything but a path.
    pub(super) fn parse(ty: &'t [Token]) -> Option<Self> {
        let mut rest = ungrouped(ty);
        let of = in_angles(rest);
        if let Some(of) = of {
            rest = &rest[of.len() + 2..];
        }
        let mut segments = 0;
        let mut has_arguments = false;
        let begins = after_colons(rest);
        let is_global = begins.is_some() && of.is_none();
        if begins.is_none() && of.is_some() {
            return None;
        }
        rest = begins.unwrap_or(rest);
        loop {
            let [Token::Ident(last), others @ ..] = rest else { return None };
            if OTHERS.contains(&last.text()) {
                return None;
            }
            segments += 1;
            rest = others;
            let turbofish = after_colons(rest).filter(|rest| rest.first().is_some_and(|first| first.is('<')));
            rest = turbofish.unwrap_or(rest);
            let of_last = in_angles(rest);
            if let Some(arguments) = of_last {
                rest = &rest[arguments.len() + 2..];
            } else if let [Token::Group(group), others @ ..] = rest
                && group.delimiter == Delimiter::Parenthesis
            {
                // A trait such as `Fn(u32)`; what follows is its result.
                has_arguments = true;
                let has_result = matches!(others, [first, second, ..] if first.is('-') && second.is('>'));
                rest = if has_result { &[] } else { others };
            }
            has_arguments |= of_last.is_some();
            if rest.is_empty() {
                return Some(Self { of, is_global, last, segments, has_arguments, of_last });
            }
            rest = after_colons(rest)?;
        }
    }

    /// Returns whether the path has no arguments, and nothing comes before it.
    pub(super) fn is_plain(&self) -> bool {
        self.of.is_none() && !self.has_arguments
    }

    /// Returns the only identifier of the path.
    pub(super) fn ident(&self) -> Option<&'t str> {
        (self.is_plain() && !self.is_global && self.segments == 1).then(|| self.last.text())
    }

    /// Returns the arguments in the angle brackets of the last segment.
    pub(super) fn arguments(&self) -> Option<Vec<&'t [Token]>> {
        self.of_last.map(split)
    }

    /// Returns the first argument of the last segment that is a type.
    pub(super) fn first_type(&self) -> Option<&'t [Token]> {
        self.arguments()?.into_iter().find(|argument| is_type(argument))
    }
}

fn after_colons(tokens: &[Token]) -> Option<&[Token]> {
    match tokens {
        [first, second, rest @ ..] if first.is(':') && second.is(':') => Some(rest),
        _ => None,
    }
}

/// Returns what is in the angle brackets with which tokens begin.
fn in_angles(tokens: &[Token]) -> Option<&[Token]> {
    let inner = tokens.split_first().filter(|(first, _)| first.is('<'))?.1;
    let mut depth = 1;
    for (place, token) in inner.iter().enumerate() {
        depth = step(depth, token, place.checked_sub(1).map(|before| &inner[before]));
        if depth == 0 {
            return Some(&inner[..place]);
        }
    }
    None
}

/// Returns the depth of angle brackets after a token. The `>` of an arrow closes none.
fn step(depth: usize, token: &Token, before: Option<&Token>) -> usize {
    if token.is('<') {
        depth + 1
    } else if token.is('>') && !before.is_some_and(|before| before.is('-')) {
        depth - 1
    } else {
        depth
    }
}

pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 1);
    for (place, token) in tokens.iter().enumerate() {
        depth = step(depth, token, place.checked_sub(1).map(|before| &tokens[before]));
        if depth == 1 && token.is(',') {
            parts.push(&tokens[start..place]);
            start = place + 1;
        }
    }
    if start < tokens.len() {
        parts.push(&tokens[start..]);
    }
    parts
}

/// Returns whether an argument is a type: not a lifetime, a constant expression, or what a trait's type is or implements.
fn is_type(argument: &[Token]) -> bool {
    let named = |rest: &[Token]| {
        let is_colon = rest[0].is(':') && !rest.get(1).is_some_and(|next| next.is(':'));
        rest[0].is('=') || is_colon
    };
    match argument {
        [] | [Token::Literal(_), ..] => false,
        [Token::Group(group), ..] => group.delimiter != Delimiter::Brace,
        [minus, Token::Literal(_)] if minus.is('-') => false,
        [Token::Ident(_), rest @ ..] => rest.is_empty() || !named(rest),
        [first, ..] => !first.is('\''),
    }
}

#[cfg(test)]
mod tests {
    use super::TypePath;
    use crate::tokens::Code;

    #[test]
    fn paths_and_their_arguments() {
        for (text, ident, first) in [
            ("u32", Some("u32"), None),
            ("r#fn", Some("r#fn"), None),
            ("::a::B", None, None),
            ("a::B<C>", None, Some("C")),
            ("a::B::<'a, C<D, E>, F>", None, Some("C < D , E >")),
            ("A<3, { 4 }, -5, B = C, D: E, fn(u8) -> F, G>", None, Some("fn (u8) -> F")),
            ("A<B::C>", None, Some("B :: C")),
            ("<A as B>::C<D>", None, Some("D")),
            ("Fn(A) -> B", None, None),
        ] {
            let code = Code::parse(text).unwrap();
            let path = TypePath::parse(code.tokens()).unwrap();
            assert_eq!(path.ident(), ident, "{text}");
            assert_eq!(path.first_type().map(|ty| Code::from(ty.to_vec()).to_string()).as_deref(), first);
        }
    }

    #[test]
    fn other_types_are_no_paths() {
        for text in [
            "&u32",
            "(u32)",
            "[u8; 4]",
            "*const u8",
            "fn()",
            "impl A",
            "dyn A",
            "A + B",
            "!",
            "_",
            "",
            "a!()",
            "<A>",
        ] {
            assert!(TypePath::parse(Code::parse(text).unwrap().tokens()).is_none(), "{text}");
        }
    }
}
