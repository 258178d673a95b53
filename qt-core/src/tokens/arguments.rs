//! What the attribute has between its parentheses: names with expressions, separated by commas.

mod expression;
mod value;

use expression::expression_length;
pub use value::{string, value};

use super::{Delimiter, Token};

/// Returns code without the invisible groups that `macro_rules` puts around it.
pub fn ungrouped(tokens: &[Token]) -> &[Token] {
    match tokens {
        [Token::Group(group)] if group.delimiter == Delimiter::None => ungrouped(group.code.tokens()),
        tokens => tokens,
    }
}

/// Parses `simple = kernels::simple, "pipeline/8192" = PIPELINE` into labels of methods, each with the tokens of an expression.
///
/// ```
/// use qtdec_core::tokens::{Code, arguments::pairs};
///
/// let code = Code::parse(r#"dot = dot, "radix:k=2" = Kind::new(2, 3)"#).unwrap();
/// let labels: Vec<String> = pairs(code.tokens()).unwrap().into_iter().map(|(label, _)| label).collect();
/// assert_eq!(labels, ["dot", "radix:k=2"]);
/// ```
///
/// # Errors
///
/// Returns what is wrong with the first token that is not expected there, in one line without a full stop.
pub fn pairs(mut tokens: &[Token]) -> Result<Vec<(String, &[Token])>, &'static str> {
    let mut pairs = Vec::new();
    while let [name, rest @ ..] = tokens {
        let label = match ungrouped(std::slice::from_ref(name)) {
            [Token::Ident(ident)] => Some(ident.name().to_owned()),
            [token] => string(token),
            _ => None,
        };
        let label = label.ok_or("expected a name with its value, as in `name = …`")?;
        let [equals, value @ ..] = rest else { return Err("expected `=` after the name") };
        if !equals.is('=') {
            return Err("expected `=`");
        }
        let (value, rest) = value.split_at(expression_length(value)?);
        if value.is_empty() {
            return Err("there is no value after `=`");
        }
        pairs.push((label, value));
        tokens = rest.get(1..).unwrap_or_default();
    }
    Ok(pairs)
}
