//! Rust code as tokens, without a parser or a compiler behind them.
//!
//! The generator writes these tokens, and each front end converts them: what a user wrote into [`Code`], and generated code into the
//! tokens of a compiler or into text. [`rust!`](crate::rust) writes code with values in it.

pub mod arguments;
#[cfg(feature = "tools")]
mod check;
mod lexer;
mod literal;
mod parse;
mod show;
mod splice;
mod template;
mod text;

use std::rc::Rc;

#[cfg(feature = "tools")]
#[doc(hidden)]
pub use check::check;
pub use literal::Literal;
pub use splice::Splice;
pub use template::fill;
use text::Text;

/// The place of a token in the source, for errors, and the scope of its name.
///
/// It is a number in a table of the front end. The first two have a fixed meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(u32);

impl Span {
    /// The place where the attribute is called. Names have the scope of the user's code.
    pub const CALL_SITE: Self = Self(0);

    /// The same place, but local variables and labels are invisible to the user's code.
    pub const MIXED_SITE: Self = Self(1);

    /// Creates the span at this index of a table.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or_default())
    }

    /// Returns the index in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An identifier or a keyword. The text of a raw identifier begins with `r#`.
#[derive(Clone, Debug)]
pub struct Ident {
    text: Text,
    /// The place and scope of the name.
    pub span: Span,
}

impl Ident {
    /// Creates an identifier, which is not checked.
    pub fn new(name: &str, span: Span) -> Self {
        Self { text: Text::Shared(name.into()), span }
    }

    /// Returns the name, with `r#` if it is raw.
    pub fn text(&self) -> &str {
        self.text.get()
    }

    /// Returns the name without `r#`.
    pub fn name(&self) -> &str {
        self.text().strip_prefix("r#").unwrap_or(self.text())
    }
}

/// A character of an operator, or the `'` of a lifetime.
#[derive(Clone, Copy, Debug)]
pub struct Punct {
    /// The character.
    pub char: char,
    /// Whether the next token is the rest of the same operator or lifetime.
    pub joint: bool,
    /// The place.
    pub span: Span,
}

/// The brackets around a group. The variants are complete: Rust has no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// `( … )`
    Parenthesis,
    /// `[ … ]`
    Bracket,
    /// `{ … }`
    Brace,
    /// No brackets: what a `macro_rules` macro puts around a fragment that it inserts.
    None,
}

/// Code between two brackets.
#[derive(Clone, Debug)]
pub struct Group {
    /// The brackets.
    pub delimiter: Delimiter,
    /// The code between them, shared because code is copied more often than changed.
    pub code: Rc<Code>,
    /// The place.
    pub span: Span,
    /// Whether the group is the one of the user at this span, for which the front end has more than one place: one for each bracket.
    pub is_original: bool,
}

/// A token. The variants are complete: Rust has no others.
#[derive(Clone, Debug)]
pub enum Token {
    /// An identifier or a keyword.
    Ident(Ident),
    /// A character of an operator.
    Punct(Punct),
    /// A number, a character or a string.
    Literal(Literal),
    /// Code between two brackets.
    Group(Group),
}

impl Token {
    /// Returns the place of the token.
    pub fn span(&self) -> Span {
        match self {
            Self::Ident(ident) => ident.span,
            Self::Punct(punct) => punct.span,
            Self::Literal(literal) => literal.span,
            Self::Group(group) => group.span,
        }
    }

    /// Returns whether the token is this character of an operator.
    pub fn is(&self, char: char) -> bool {
        matches!(self, Self::Punct(punct) if punct.char == char)
    }
}

/// Rust code as a list of tokens.
///
/// ```
/// use qtdec_core::rust;
/// use qtdec_core::tokens::Code;
///
/// let code = Code::parse("f(r#a, \"b\")").unwrap();
/// assert_eq!(code.tokens().len(), 2);
/// let call = rust!("g(#code, #(#list),*)"; code, list = ["c", "d"]);
/// assert_eq!(call.to_string(), r#"g (f (r#a , "b") , "c" , "d")"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Code(Vec<Token>);

impl Code {
    /// Creates code without tokens.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the tokens.
    pub fn tokens(&self) -> &[Token] {
        &self.0
    }

    /// Returns whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a token at the end.
    pub fn push(&mut self, token: Token) {
        self.0.push(token);
    }

    /// Adds code at the end.
    pub fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
        } else {
            self.0.extend(other.0);
        }
    }
}

impl From<Vec<Token>> for Code {
    fn from(tokens: Vec<Token>) -> Self {
        Self(tokens)
    }
}

impl FromIterator<Self> for Code {
    fn from_iter<T: IntoIterator<Item = Self>>(parts: T) -> Self {
        let mut code = Self::new();
        for part in parts {
            code.append(part);
        }
        code
    }
}
