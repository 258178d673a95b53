//! What the attribute has between its parentheses: names with expressions, separated by commas.

mod expression;
mod slices;
mod value;

pub use expression::expression_length;
pub use slices::{angles, begins_with, ungrouped, word};
pub use value::Value;

use super::{Span, Token};

/// A fault of arguments, at one token.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The place of the token.
    pub span: Span,
    /// The message, in one line without a full stop.
    pub message: &'static str,
}

/// Returns what follows the comma after an argument.
///
/// # Errors
///
/// Returns an error if something else follows.
pub fn after_comma(tokens: &[Token]) -> Result<&[Token], Fault> {
    match tokens {
        [] => Ok(tokens),
        [comma, rest @ ..] if comma.is(',') => Ok(rest),
        [other, ..] => Err(Fault { span: other.span(), message: "expected `,`" }),
    }
}

/// A name and an expression.
pub struct Pair<'t> {
    /// An identifier, or a string if it is none.
    pub name: &'t Token,
    /// The tokens of the expression; at least one.
    pub value: &'t [Token],
}

impl Pair<'_> {
    /// Returns the name as the label of a method.
    pub fn label(&self) -> String {
        match ungrouped(std::slice::from_ref(self.name)) {
            [Token::Ident(ident)] => ident.name().to_owned(),
            [token] => Value::of(token).map(|label| label.text()).unwrap_or_default(),
            _ => String::new(),
        }
    }
}

/// Parses `simple = kernels::simple, "pipeline/8192" = PIPELINE`.
///
/// ```
/// use qtdec_core::tokens::{Code, arguments::pairs};
///
/// let code = Code::parse(r#"dot = dot, "radix:k=2" = Kind::new(2, 3)"#).unwrap();
/// let labels: Vec<String> = pairs(code.tokens()).unwrap().iter().map(|pair| pair.label()).collect();
/// assert_eq!(labels, ["dot", "radix:k=2"]);
/// ```
///
/// # Errors
///
/// Returns an error at the first token that is not expected there.
pub fn pairs(mut tokens: &[Token]) -> Result<Vec<Pair<'_>>, Fault> {
    let mut pairs = Vec::new();
    while let [name, rest @ ..] = tokens {
        let is_name = match ungrouped(std::slice::from_ref(name)) {
            [Token::Ident(_)] => true,
            [token] => matches!(Value::of(token), Some(Value::Text(_))),
            _ => false,
        };
        if !is_name {
            return Err(Fault {
                span: name.span(),
                message: "expected a name with its value, as in `name = …`",
            });
        }
        let [equals, rest @ ..] = rest else {
            return Err(Fault { span: name.span(), message: "expected `=` after the name" });
        };
        if !equals.is('=') {
            return Err(Fault { span: equals.span(), message: "expected `=`" });
        }
        let (value, rest) = rest.split_at(expression_length(rest)?);
        if value.is_empty() {
            return Err(Fault { span: equals.span(), message: "there is no value after `=`" });
        }
        pairs.push(Pair { name, value });
        tokens = after_comma(rest)?;
    }
    Ok(pairs)
}
