//! The parameters of a function, matched to the axes of its map.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use qtdec_core::code::{Parameter, TRUE_LABEL, type_fault};
use qtdec_core::listing::in_backticks;
use qtdec_core::similar::did_you_mean;
use qtdec_core::{Axis, DecisionTree, Options, Samples};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Expr, ExprLit, FnArg, Generics, Ident, Lit, Pat, Type, parse_quote};

use crate::errors::Errors;
use crate::nameable::is_nameable;
use crate::parse::{Arguments, Computed, GivenOption, MapFn, Renamed};
use crate::tokens::Spans;

/// The parameters of all axes, with the statements that compute those for which the attribute has an expression.
pub(crate) struct Matched {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) statements: TokenStream,
}

/// Returns the parameter of every axis, matched by the axis's name or by the name or expression that the attribute gives.
pub(crate) fn parameters(
    arguments: &Arguments,
    constants: &[GivenOption],
    item: &MapFn,
    tree: &DecisionTree,
    spans: &mut Spans,
    errors: &mut Errors,
) -> Option<Matched> {
    let names = Names::new(arguments, constants, item, tree);
    let mut computed: Vec<Expression<'_>> = Vec::new();
    computed.extend(arguments.computed.iter().filter_map(|given| names.computed(given, errors)));
    computed.extend(constants.iter().filter_map(|given| names.constant(given, errors)));
    let mut given = Vec::new();
    for renamed in &arguments.renamed {
        match names.expression(renamed) {
            Some(expression) => computed.push(expression),
            None => given.extend(names.given(renamed, errors)),
        }
    }
    let found = names.found(&given, &computed, errors);
    names.report_unmatched(&found, &given, &computed, item, errors);
    let mut statements = TokenStream::new();
    let mut parameters = Vec::new();
    for (index, (found, axis)) in found.iter().zip(names.axes).enumerate() {
        match *found {
            Found::At(place) => {
                parameters.extend(names.declared[place].parameter(axis, &item.sig.generics, spans));
            }
            Found::Computed(place) => {
                let (statement, parameter) = computed[place].evaluated(index, spans);
                statements.extend(statement);
                parameters.push(parameter);
            }
            Found::Misnamed | Found::Missing => {}
        }
    }
    (parameters.len() == names.axes.len()).then_some(Matched { parameters, statements })
}

/// An expression for the size or label on an axis.
struct Expression<'a> {
    axis: String,
    at: &'a Ident,
    value: TokenStream,
    ty: Type,
}

impl Expression<'_> {
    /// Returns the statement that evaluates the expression once, and the parameter that it defines.
    fn evaluated(&self, index: usize, spans: &mut Spans) -> (TokenStream, Parameter) {
        // An item of the user's could have a shorter name, and a pattern with the name of a constant is that constant.
        let name = Ident::new(&format!("qtdec_axis_{index}"), Span::mixed_site());
        let Self { value, ty, .. } = self;
        let parameter = Parameter { name: spans.ident(&name), ty: spans.code(ty), nameable: true };
        (quote!(let #name: #ty = #value;), parameter)
    }
}

/// Returns whether tokens have this identifier.
fn mentions(tokens: &TokenStream, ident: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(other) => other == *ident,
        TokenTree::Group(group) => mentions(&group.stream(), ident),
        _ => false,
    })
}

/// The names that are to be matched.
struct Names<'a> {
    axes: &'a [Axis],
    declared: Vec<Declared<'a>>,
    options: Vec<&'static str>,
    /// The names for which the attribute has an expression or a constant, also where it does not fit.
    valued: Vec<String>,
    /// All expressions of the attribute.
    expressions: Vec<TokenStream>,
    has_true_label: bool,
}

/// A parameter that the attribute names for an axis. A misspelled name counts as the one that was meant, so that it is one error.
struct Given<'a> {
    axis: String,
    parameter: String,
    at: &'a Ident,
}

/// The place of an axis's parameter among the declared ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    At(usize),
    /// The place of its expression.
    Computed(usize),
    /// The attribute names a parameter that is not there, or a value that does not fit, which has been reported.
    Misnamed,
    Missing,
}

impl<'a> Names<'a> {
    fn new(
        arguments: &Arguments,
        constants: &[GivenOption],
        item: &'a MapFn,
        tree: &'a DecisionTree,
    ) -> Self {
        let of_expressions = arguments.computed.iter().map(|given| &given.axis);
        let valued = of_expressions.chain(constants.iter().map(|given| &given.name));
        let forms = Options::forms().into_iter().map(|(form, _)| form.name);
        Self {
            axes: tree.domain().axes(),
            declared: item.sig.inputs.iter().filter_map(Declared::from_argument).collect(),
            options: forms.chain(Options::code_option_names()).collect(),
            valued: valued.map(|name| name.unraw().to_string()).collect(),
            expressions: arguments.computed.iter().map(|given| given.value.to_token_stream()).collect(),
            has_true_label: arguments.options.iter().any(|option| option.name == TRUE_LABEL.name),
        }
    }

    fn is_axis(&self, name: &str) -> bool {
        self.axes.iter().any(|axis| axis.name == name)
    }

    fn listed(&self) -> String {
        self.axes.iter().map(|axis| format!("`{}`", axis.name)).collect::<Vec<_>>().join(", ")
    }

    /// Returns what the attribute gives as `axis = parameter`, and reports names that do not exist.
    fn given(&self, Renamed { axis, parameter }: &'a Renamed, errors: &mut Errors) -> Option<Given<'a>> {
        let name = parameter.unraw().to_string();
        let meant = self.meant_axis(axis, &name, parameter, errors)?;
        Some(Given { axis: meant, parameter: self.meant_parameter(parameter, name, errors), at: axis })
    }

    /// Returns the expression for an axis, and reports names that are not one.
    fn computed<'e>(&self, given: &'e Computed, errors: &mut Errors) -> Option<Expression<'e>> {
        let Computed { axis: at, value } = given;
        let text = value.to_token_stream();
        let axis = self.meant_axis(at, &text.to_string(), at, errors)?;
        let found = self.axes.iter().find(|known| known.name == axis)?;
        if let Expr::Lit(ExprLit { lit, .. }) = value {
            return Self::literal(found, at, lit, errors);
        }
        let ty = match &found.samples {
            Samples::Values(_) => parse_quote!(usize),
            Samples::Labels(labels)
                if labels.len() == 2 && !self.has_true_label && found.true_label().is_none() =>
            {
                let message = format!(
                    "an expression for the axis `{axis}` is a `bool`: which of {} is `true`?\n\
                     help: set `true_label`, give one label in quotes, or make the axis a parameter of an enum",
                    in_backticks(labels)
                );
                errors.at(value, message);
                return None;
            }
            Samples::Labels(labels) if labels.len() == 2 => parse_quote!(bool),
            Samples::Labels(labels) => {
                let message = format!(
                    "an expression cannot give one of the labels {}\n\
                     help: give the axis `{axis}` by a parameter of an enum, or one label in quotes",
                    in_backticks(labels)
                );
                errors.at(value, message);
                return None;
            }
        };
        Some(Expression { axis, at, value: text, ty })
    }

    /// Returns a constant of the user's that is given for an axis. Constants are recognised by their capitals.
    fn expression<'e>(&self, Renamed { axis, parameter }: &'e Renamed) -> Option<Expression<'e>> {
        let name = parameter.unraw().to_string();
        let is_constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let found = self.axes.iter().find(|known| axis.unraw() == *known.name)?;
        if !is_constant || self.declared.iter().any(|declared| declared.is(parameter)) {
            return None;
        }
        let ty = if found.values().is_some() { parse_quote!(usize) } else { parse_quote!(bool) };
        Some(Expression { axis: found.name.clone(), at: axis, value: parameter.to_token_stream(), ty })
    }

    /// Returns the constant that is given for an axis: a size, or a label in quotes.
    fn constant<'e>(&self, given: &'e GivenOption, errors: &mut Errors) -> Option<Expression<'e>> {
        let axis = self.axes.iter().find(|axis| given.name.unraw() == *axis.name)?;
        Self::literal(axis, &given.name, given.literal.as_ref()?, errors)
    }

    fn literal<'e>(axis: &Axis, at: &'e Ident, lit: &Lit, errors: &mut Errors) -> Option<Expression<'e>> {
        let (value, ty) = match (&axis.samples, lit) {
            (Samples::Values(_), Lit::Int(size)) if size.suffix().is_empty() || size.suffix() == "usize" => {
                (lit.to_token_stream(), parse_quote!(usize))
            }
            (Samples::Labels(labels), Lit::Bool(_)) if labels.len() == 2 => {
                (lit.to_token_stream(), parse_quote!(bool))
            }
            (Samples::Labels(labels), Lit::Str(text)) => {
                let Some(position) = labels.iter().position(|label| *label == text.value()) else {
                    let meant = did_you_mean(&text.value(), labels.iter().map(String::as_str));
                    let message = format!(
                        "`{}` is not a label of the axis `{}`, whose labels are {}{}",
                        text.value(),
                        axis.name,
                        in_backticks(labels),
                        help(meant)
                    );
                    errors.at(text, message);
                    return None;
                };
                (Literal::usize_suffixed(position).to_token_stream(), parse_quote!(usize))
            }
            (Samples::Values(_), _) => {
                let message = format!("a size on the axis `{}` is a whole number, such as 64", axis.name);
                errors.at(lit, message);
                return None;
            }
            (Samples::Labels(labels), _) => {
                errors.at(lit, format!("the axis `{}` has the labels {}", axis.name, in_backticks(labels)));
                return None;
            }
        };
        Some(Expression { axis: axis.name.clone(), at, value, ty })
    }

    /// Returns the axis that a name means; `None` if it means an option.
    fn meant_axis(&self, at: &Ident, value: &str, value_at: &Ident, errors: &mut Errors) -> Option<String> {
        let name = at.unraw().to_string();
        if self.is_axis(&name) {
            return Some(name);
        }
        if self.options.contains(&&*name) {
            errors.at(value_at, format!("the value of an option must be in quotes: {name} = \"{value}\""));
            return None;
        }
        let axes = self.axes.iter().map(|axis| &*axis.name);
        let meant = did_you_mean(&name, axes.chain(self.options.iter().copied()));
        let listed = self.listed();
        errors.at(at, format!("`{name}` is not an axis of the map, whose axes are {listed}{}", help(meant)));
        match meant {
            Some(meant) if self.options.contains(&meant) => None,
            Some(meant) => Some(meant.to_owned()),
            None => Some(name),
        }
    }

    /// Returns the name of the parameter that a name means.
    fn meant_parameter(&self, at: &Ident, name: String, errors: &mut Errors) -> String {
        if self.declared.iter().any(|declared| declared.is(at)) {
            return name;
        }
        let names: Vec<String> = self.declared.iter().filter_map(Declared::name).collect();
        let meant = did_you_mean(&name, names.iter().map(String::as_str));
        errors.at(at, format!("the function has no parameter `{name}`{}", help(meant)));
        meant.map_or(name, str::to_owned)
    }

    /// Returns the place of each axis's parameter, and reports parameters that give two axes or have a type that does not fit.
    fn found(&self, given: &[Given<'_>], computed: &[Expression<'_>], errors: &mut Errors) -> Vec<Found> {
        let mut taken = vec![false; self.declared.len()];
        let mut find = |axis: &Axis| {
            let mut of_axis = given.iter().filter(|given| given.axis == axis.name);
            let wanted = of_axis.next().map(|given| &*given.parameter);
            if let Some(second) = of_axis.next() {
                errors.at(second.at, format!("the axis `{}` is given twice", axis.name));
            }
            let mut expressions = computed.iter().enumerate().filter(|(_, given)| given.axis == axis.name);
            if let Some((place, first)) = expressions.next() {
                let second = expressions.next().map(|(_, second)| second.at);
                if let Some(at) = second.or_else(|| wanted.map(|_| first.at)) {
                    errors.at(at, format!("the axis `{}` is given twice", axis.name));
                }
                return Found::Computed(place);
            }
            let name = wanted.unwrap_or(&axis.name);
            let is_named = |declared: &Declared<'_>| declared.name().is_some_and(|own| own == name);
            let Some(place) = self.declared.iter().position(is_named) else {
                let is_reported = wanted.is_some() || self.valued.contains(&axis.name);
                return if is_reported { Found::Misnamed } else { Found::Missing };
            };
            let Declared { pat, ty } = self.declared[place];
            if std::mem::replace(&mut taken[place], true) {
                errors.at(pat, format!("`{name}` gives the size on two axes"));
            }
            if let Some(fault) = type_fault(&Spans::new().code(ty), axis) {
                errors.at(ty, fault);
            }
            Found::At(place)
        };
        self.axes.iter().map(&mut find).collect()
    }

    /// Reports axes without a parameter, and parameters without an axis that no body uses.
    fn report_unmatched(
        &self,
        found: &[Found],
        given: &[Given<'_>],
        computed: &[Expression<'_>],
        item: &MapFn,
        errors: &mut Errors,
    ) {
        let misnamed: Vec<&Given<'_>> = given.iter().filter(|given| !self.is_axis(&given.axis)).collect();
        let missing = self.axes.iter().zip(found).filter(|(_, found)| **found == Found::Missing);
        let mut missing: Vec<&str> = missing.map(|(axis, _)| &*axis.name).collect();
        // A parameter given for something that is not an axis has been reported already, and is that of a missing axis.
        if misnamed.len() >= missing.len() {
            missing.clear();
        }
        let is_unknown = |(place, declared): &(usize, &Declared<'_>)| {
            // A parameter with the name of an axis that another parameter was given for has been reported already, too.
            let is_reported = declared.name().is_some_and(|name| {
                self.is_axis(&name) || misnamed.iter().any(|given| given.parameter == name)
            });
            let mut expressions =
                computed.iter().map(|expression| &expression.value).chain(&self.expressions);
            let is_used = expressions.any(|expression| declared.is_used_in(expression));
            !found.contains(&Found::At(*place)) && !declared.is_unused() && !is_reported && !is_used
        };
        let unmatched = self.declared.iter().enumerate().filter(|_| item.body.is_none()).filter(is_unknown);
        let unknown: Vec<&Pat> = unmatched.map(|(_, declared)| declared.pat).collect();
        if let Some(pat) = unknown.iter().find(|pat| !matches!(pat, Pat::Ident(_) | Pat::Wild(_)))
            && let [axis, ..] = &missing[..]
        {
            let message = format!(
                "a pattern gives no size: name the parameter, and give its parts by expressions\n\
                 help: with `sizes` in place of `{}`, write #[decision_map(…, {axis} = sizes.0)]",
                pat.to_token_stream()
            );
            return errors.at(pat, message);
        }
        if let ([axis], [pat]) = (&missing[..], &unknown[..]) {
            let name = pat.to_token_stream();
            let message = format!(
                "`{name}` is not an axis of the map, and no parameter gives the size on axis `{axis}`\n\
                 help: rename it to `{axis}`, or write #[decision_map(…, {axis} = {name})]"
            );
            return errors.at(pat, message);
        }
        for axis in missing {
            let message = format!(
                "no parameter gives the size on axis `{axis}`\n\
                 help: add `{axis}: usize`, or name the parameter that does: #[decision_map(…, {axis} = size)]"
            );
            errors.at(&item.sig.ident, message);
        }
        for pat in unknown {
            let message = format!(
                "`{}` is not an axis of the map, whose axes are {}\n\
                 help: begin the name with `_`, or give the function a body that uses it",
                pat.to_token_stream(),
                self.listed()
            );
            errors.at(pat, message);
        }
    }
}

/// Returns the help for a misspelled name, empty if no known one is similar.
fn help(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("\nhelp: did you mean `{meant}`?"))
}

/// A parameter as it was declared.
#[derive(Clone, Copy)]
struct Declared<'a> {
    pat: &'a Pat,
    ty: &'a Type,
}

impl<'a> Declared<'a> {
    fn from_argument(input: &'a FnArg) -> Option<Self> {
        match input {
            FnArg::Receiver(_) => None,
            FnArg::Typed(typed) => Some(Self { pat: &typed.pat, ty: &typed.ty }),
        }
    }

    fn ident(&self) -> Option<&'a Ident> {
        match self.pat {
            Pat::Ident(pat) => Some(&pat.ident),
            _ => None,
        }
    }

    fn name(&self) -> Option<String> {
        self.ident().map(|ident| ident.unraw().to_string())
    }

    /// Returns whether an expression uses the parameter, or a part of its pattern.
    fn is_used_in(&self, expression: &TokenStream) -> bool {
        fn any(tokens: TokenStream, expression: &TokenStream) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Ident(ident) => mentions(expression, &ident),
                TokenTree::Group(group) => any(group.stream(), expression),
                _ => false,
            })
        }
        any(self.pat.to_token_stream(), expression)
    }

    fn is(&self, ident: &Ident) -> bool {
        self.name().is_some_and(|name| ident.unraw() == name)
    }

    fn is_unused(&self) -> bool {
        matches!(self.pat, Pat::Wild(_)) || self.name().is_some_and(|name| name.starts_with('_'))
    }

    fn parameter(&self, axis: &Axis, generics: &Generics, spans: &mut Spans) -> Option<Parameter> {
        let nameable = is_nameable(&spans.code(self.ty), generics);
        let is_faulty = matches!(&axis.samples, Samples::Labels(labels) if labels.len() > 2);
        let ty = match self.ty {
            // The error about the `bool` is reported already; check the rest as for an enum.
            Type::Path(path) if is_faulty && path.path.is_ident("bool") => parse_quote!(Labels),
            ty => ty.clone(),
        };
        Some(Parameter { name: spans.ident(self.ident()?), ty: spans.code(ty), nameable })
    }
}
