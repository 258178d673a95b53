//! The path of a file among the arguments.

use qtdec_core::tokens::arguments::{Value, ungrouped, word};
use std::env;

use qtdec_core::tokens::{Delimiter, Span, Token};

use crate::whole::errors::Error;

pub(crate) struct FileName {
    pub(crate) path: String,
    /// Whether the path was computed by `concat!` and `env!`; only then may it be absolute.
    pub(crate) computed: bool,
    pub(crate) span: Span,
}

impl FileName {
    /// Parses the path with which tokens begin, and returns the rest; `None` if they begin with something else.
    pub(crate) fn parse(tokens: &[Token]) -> Option<Result<(Self, &[Token]), Error>> {
        let len = match tokens {
            [Token::Ident(_), not, Token::Group(_), ..] if not.is('!') => 3,
            [first, ..] if is_text(first) => 1,
            _ => return None,
        };
        let (path, rest) = tokens.split_at(len);
        let name =
            |path_text| Self { path: path_text, computed: ungrouped(path).len() > 1, span: path[0].span() };
        Some(text(path).map(|path| (name(path), rest)))
    }
}

/// Returns whether a token is a string or a macro's call that a `macro_rules` macro inserts.
fn is_text(token: &Token) -> bool {
    match ungrouped(std::slice::from_ref(token)) {
        [Token::Ident(_), not, Token::Group(_)] => not.is('!'),
        [token] => matches!(Value::of(token), Some(Value::Text(_))),
        _ => false,
    }
}

/// Returns the text of a literal, of `concat!` or of `env!`.
fn text(tokens: &[Token]) -> Result<String, Error> {
    let tokens = ungrouped(tokens);
    if let [token] = tokens
        && let Some(value) = Value::of(token)
    {
        return Ok(value.text());
    }
    let [Token::Ident(name), not, Token::Group(group)] = tokens else {
        return Err(Error::at(tokens, "expected a string, `concat!` or `env!`"));
    };
    if !not.is('!') || group.delimiter == Delimiter::None {
        return Err(Error::at(tokens, "expected a string, `concat!` or `env!`"));
    }
    let arguments = group.code.tokens().split(|token| token.is(','));
    let arguments: Vec<&[Token]> = arguments.filter(|argument| !argument.is_empty()).collect();
    match (name.text(), &arguments[..]) {
        ("concat", _) => arguments.into_iter().map(text).collect(),
        ("env", [variable, ..]) => {
            let variable = text(variable)?;
            env::var(&variable).map_err(|error| Error::at(tokens, format!("`{variable}`: {error}")))
        }
        ("stringify", [name]) if name.iter().all(|token| word(token).is_some()) => {
            Ok(name.iter().filter_map(word).collect())
        }
        _ => Err(Error::new(name.span, "a path is a string, or made by `concat!` and `env!`")),
    }
}
