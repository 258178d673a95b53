//! The arguments of the attribute: `"maps/bcast.json", max_depth = 3, msg_size = len`.

use qtdec_core::tokens::arguments::{
    Pair, Value, after_comma, begins_with, expression_length, pairs, ungrouped,
};
use qtdec_core::tokens::{Code, Delimiter, Ident, Span, Token};

use crate::whole::errors::Error;
use crate::whole::path::FileName;

/// The arguments of the attribute.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) files: Vec<FileName>,
    pub(crate) options: Vec<GivenOption>,
    pub(crate) renamed: Vec<Renamed>,
    pub(crate) computed: Vec<Computed>,
    pub(crate) answers: Vec<GivenAnswer>,
}

/// An option with its value: `max_depth = 3`; or a constant on an axis, which only the map can tell apart.
#[derive(Clone)]
pub(crate) struct GivenOption {
    pub(crate) name: Ident,
    pub(crate) value: String,
    /// The literal, if there is one.
    pub(crate) literal: Option<Token>,
    /// The span of the value, or of the name if the option has no value.
    pub(crate) value_span: Span,
}

/// A parameter for an axis of another name: with `msg_size = len`, the parameter `len` gives the size on axis `msg_size`.
pub(crate) struct Renamed {
    pub(crate) axis: Ident,
    pub(crate) parameter: Ident,
}

/// An expression for the size on an axis: `m = data.len()`, or anything in `axis(…)`.
pub(crate) struct Computed {
    pub(crate) axis: Ident,
    pub(crate) value: Code,
}

/// An expression that is returned for a method: `answers(blocked = kernels::blocked)`.
pub(crate) struct GivenAnswer {
    pub(crate) label: String,
    pub(crate) value: Code,
    pub(crate) span: Span,
}

impl Arguments {
    pub(crate) fn parse(arguments: &Code) -> Result<Self, Error> {
        let mut parsed = Self::default();
        let mut rest = arguments.tokens();
        while !rest.is_empty() {
            rest = after_comma(parsed.parse_one(rest)?)?;
        }
        Ok(parsed)
    }

    /// Parses the first argument, and returns the rest.
    fn parse_one<'t>(&mut self, tokens: &'t [Token]) -> Result<&'t [Token], Error> {
        if let Some(file) = FileName::parse(tokens) {
            let (file, rest) = file?;
            self.files.push(file);
            return Ok(rest);
        }
        let [first, rest @ ..] = tokens else { return Ok(tokens) };
        let [Token::Ident(name)] = ungrouped(std::slice::from_ref(first)) else {
            let message = "expected a path in quotes, or an option such as `max_depth = 3`";
            return Err(Error::new(first.span(), message));
        };
        let after = |char: char| rest.first().is_some_and(|next| next.is(char));
        if after('/') || after('.') {
            return Err(Error::new(
                name.span,
                "a path must be in quotes: #[decision_map(\"maps/file.json\")]",
            ));
        }
        if name.text() == "file" && after('=') {
            let message = "the path comes first, without a name: #[decision_map(\"maps/file.json\", …)]";
            return Err(Error::new(name.span, message));
        }
        if after(':') && !begins_with(rest, [':', ':']) {
            let message = format!("write `=` between an option and its value: {name} = …");
            return Err(Error::new(rest[0].span(), message));
        }
        match rest {
            [Token::Group(group), rest @ ..] if group.delimiter == Delimiter::Parenthesis => {
                match name.text() {
                    "axis" => self.parse_axes(group.code.tokens())?,
                    "answers" => self.parse_answers(group.code.tokens())?,
                    _ => {
                        let message =
                            format!("write `{name} = …`; parentheses are for `axis(…)` and `answers(…)`");
                        return Err(Error::new(name.span, message));
                    }
                }
                Ok(rest)
            }
            [equals, value @ ..] if equals.is('=') => {
                let (value, rest) = value.split_at(expression_length(value)?);
                self.parse_value(name, value)?;
                Ok(rest)
            }
            [next, ..] if !next.is(',') => Err(Error::new(next.span(), "expected `=` or `,`")),
            rest => {
                let (name, value_span) = (name.clone(), name.span);
                self.options.push(GivenOption { name, value: "true".to_owned(), literal: None, value_span });
                Ok(rest)
            }
        }
    }

    /// Parses what is given after `=`.
    fn parse_value(&mut self, name: &Ident, value: &[Token]) -> Result<(), Error> {
        let name = name.clone();
        match ungrouped(value) {
            [] => return Err(Error::new(name.span, format!("`{name}` has no value after `=`"))),
            [token] if matches!(token, Token::Literal(_)) || Value::of(token).is_some() => {
                let Some(value) = Value::of(token) else {
                    let message = "expected a number, a string, `true` or `false`";
                    return Err(Error::new(token.span(), message));
                };
                let (value, literal, value_span) = (value.text(), Some(token.clone()), token.span());
                self.options.push(GivenOption { name, value, literal, value_span });
            }
            [Token::Ident(parameter)] => {
                self.renamed.push(Renamed { axis: name, parameter: parameter.clone() });
            }
            value => self.computed.push(Computed { axis: name, value: value.to_vec().into() }),
        }
        Ok(())
    }

    /// Parses the parentheses of `axis(depth = level, n = 64)`, whose names are axes even where an option has the name.
    fn parse_axes(&mut self, tokens: &[Token]) -> Result<(), Error> {
        for Pair { name, value } in pairs(tokens)? {
            let [Token::Ident(axis)] = ungrouped(std::slice::from_ref(name)) else {
                return Err(Error::new(name.span(), "the name of an axis is written without quotes"));
            };
            let axis = axis.clone();
            match ungrouped(value) {
                [Token::Ident(parameter)] if Value::of(&value[0]).is_none() => {
                    self.renamed.push(Renamed { axis, parameter: parameter.clone() });
                }
                value => self.computed.push(Computed { axis, value: value.to_vec().into() }),
            }
        }
        Ok(())
    }

    /// Parses the parentheses of `answers(simple = kernels::simple, "pipeline/8192" = PIPELINE)`.
    fn parse_answers(&mut self, tokens: &[Token]) -> Result<(), Error> {
        for pair in pairs(tokens)? {
            self.answers.push(GivenAnswer {
                label: pair.label(),
                value: ungrouped(pair.value).to_vec().into(),
                span: pair.name.span(),
            });
        }
        Ok(())
    }
}
