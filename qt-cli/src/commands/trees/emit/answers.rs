//! The expressions that a function returns for methods, as the attribute has them in `answers(…)`.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitStr, Token};

/// The maximum depth of brackets in expressions.
const MAX_DEPTH: usize = 8;

/// The maximum number of words and operators between two commas.
const MAX_WORDS: usize = 16;

/// The labels of methods with their expressions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers(pub(super) Vec<(String, String)>);

impl Answers {
    /// Parses `simple = kernels::simple, "pipeline/8192" = PIPELINE`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if nests_too_deep(text) {
            return Err("an expression is too long: name a constant or a function".to_owned());
        }
        let answers = Punctuated::<Answer, Token![,]>::parse_terminated.parse_str(text);
        let answers = answers.map_err(|error| fault(&error.to_string()))?.into_iter();
        Ok(Self(answers.map(|Answer { label, value }| (label, value)).collect()))
    }
}

/// A label with its expression.
struct Answer {
    label: String,
    value: String,
}

impl Parse for Answer {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let label = if input.peek(LitStr) {
            input.parse::<LitStr>()?.value()
        } else {
            input.call(Ident::parse_any)?.unraw().to_string()
        };
        input.parse::<Token![=]>()?;
        Ok(Self { label, value: input.parse::<Expr>()?.into_token_stream().to_string() })
    }
}

/// Returns the message for text that is not a list of answers.
fn fault(what: &str) -> String {
    format!(
        "{what}: write METHOD=EXPRESSION, with commas between several and quotes around a label that is no identifier"
    )
}

/// Returns whether the parser of Rust that reads an expression later, and recurses into brackets and operators, could run out of its stack.
fn nests_too_deep(text: &str) -> bool {
    let operators = |part: &str| part.matches(['<', '&', '*', '!', '-', '|', '=']).count();
    let is_long = |part: &str| part.split_whitespace().count() + operators(part) > MAX_WORDS;
    let mut depth = 0_usize;
    let is_deep = text.chars().any(|char| {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > MAX_DEPTH
    });
    is_deep || text.split(',').any(is_long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_expressions() {
        let answers = Answers::parse(r#"dot=dot, "radix:k=2" = Kind::new(2, "a,b"),"#).unwrap();
        let [(dot, plain), (radix, call)] = &answers.0[..] else { panic!("two: {answers:?}") };
        assert_eq!((&**dot, &**plain, &**radix), ("dot", "dot", "radix:k=2"));
        assert_eq!(call.replace(' ', ""), r#"Kind::new(2,"a,b")"#);
        for text in ["dot", "dot=", "a/b=c", "dot=1 axpy=2"] {
            assert!(Answers::parse(text).unwrap_err().contains("write METHOD=EXPRESSION"), "{text}");
        }
    }

    #[test]
    fn expressions_that_nest_without_end_are_refused() {
        for open in ["(", "!", "return ", "b = ", "f(1, ", "f(!return 1, "] {
            let refused = Answers::parse(&format!("a={}", open.repeat(3000))).unwrap_err();
            assert!(refused.starts_with("an expression is too long"), "{open}: {refused}");
        }
        let deepest = format!("{}f(1, ", "return ".repeat(MAX_WORDS - 4)).repeat(MAX_DEPTH);
        let deepest = format!("a={deepest}{}", ")".repeat(MAX_DEPTH));
        assert!(
            !Answers::parse(&deepest).is_err_and(|error| error.starts_with("an expression")),
            "{deepest}"
        );
    }
}
