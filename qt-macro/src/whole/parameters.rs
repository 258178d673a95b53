//! The parameters of a function, matched to the axes of its map.

use crate::whole::slices::mentions;
use qtdec_core::code::{Parameter, TRUE_LABEL, type_fault};
use qtdec_core::listing::in_backticks;
use qtdec_core::similar::did_you_mean;
use qtdec_core::tokens::arguments::{Value, ungrouped, word};
use qtdec_core::tokens::{Code, Ident, Literal, Span, Token};
use qtdec_core::{Axis, Domain, Options, Samples, rust};

use crate::whole::arguments::{Arguments, Computed, GivenOption, Renamed};
use crate::whole::errors::Errors;
use crate::whole::item::{Declared, MapFn};
use crate::whole::nameable::is_nameable;
use crate::whole::spans::Spans;

/// The parameters of all axes, with the statements that compute those for which the attribute has an expression.
pub(crate) struct Matched {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) statements: Code,
}

/// Returns the parameter of every axis, matched by the axis's name or by the name or expression that the attribute gives.
pub(crate) fn parameters(
    arguments: &Arguments,
    constants: &[GivenOption],
    item: &MapFn<'_>,
    domain: &Domain,
    spans: &Spans,
    errors: &mut Errors,
) -> Option<Matched> {
    let names = Names::new(arguments, constants, item, domain, spans);
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
    let mut statements = Code::new();
    let mut parameters = Vec::new();
    for (index, (found, axis)) in found.iter().zip(names.axes).enumerate() {
        match *found {
            Found::At(place) => {
                parameters.extend(parameter(&names.declared[place], axis, &item.generics));
            }
            Found::Computed(place) => {
                let (statement, parameter) = computed[place].evaluated(index);
                statements.append(statement);
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
    value: Code,
    ty: Code,
}

impl Expression<'_> {
    /// Returns the statement that evaluates the expression once, and the parameter that it defines.
    fn evaluated(&self, index: usize) -> (Code, Parameter) {
        // An item of the user's could have a shorter name, and a pattern with the name of a constant is that constant.
        let name = Ident::new(&format!("qtdec_axis_{index}"), Span::MIXED_SITE);
        let Self { value, ty, .. } = self;
        let statement = rust!("let #name: #ty = #value;"; name, ty, value);
        (statement, Parameter { name, ty: ty.clone(), nameable: true })
    }
}

/// The names that are to be matched.
struct Names<'a> {
    axes: &'a [Axis],
    declared: &'a [Declared<'a>],
    options: Vec<&'static str>,
    /// The names for which the attribute has an expression or a constant, also where it does not fit.
    valued: Vec<String>,
    /// All expressions of the attribute.
    expressions: Vec<&'a Code>,
    has_true_label: bool,
    spans: &'a Spans,
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
        arguments: &'a Arguments,
        constants: &[GivenOption],
        item: &'a MapFn<'_>,
        domain: &'a Domain,
        spans: &'a Spans,
    ) -> Self {
        let of_expressions = arguments.computed.iter().map(|given| &given.axis);
        let valued = of_expressions.chain(constants.iter().map(|given| &given.name));
        Self {
            axes: domain.axes(),
            declared: &item.parameters,
            options: Options::names(),
            valued: valued.map(|name| name.name().to_owned()).collect(),
            expressions: arguments.computed.iter().map(|given| &given.value).collect(),
            has_true_label: arguments.options.iter().any(|option| option.name.text() == TRUE_LABEL.name),
            spans,
        }
    }

    fn is_axis(&self, name: &str) -> bool {
        self.axes.iter().any(|axis| axis.name == name)
    }

    fn is_declared(&self, name: &str) -> bool {
        self.declared.iter().any(|declared| declared.name() == Some(name))
    }

    fn listed(&self) -> String {
        self.axes.iter().map(|axis| format!("`{}`", axis.name)).collect::<Vec<_>>().join(", ")
    }

    /// Returns what the attribute gives as `axis = parameter`, and reports names that do not exist.
    fn given(&self, Renamed { axis, parameter }: &'a Renamed, errors: &mut Errors) -> Option<Given<'a>> {
        let name = parameter.name().to_owned();
        let meant = self.meant_axis(axis, &name, parameter.span, errors)?;
        Some(Given { axis: meant, parameter: self.meant_parameter(parameter, name, errors), at: axis })
    }

    /// Returns the expression for an axis, and reports names that are not one.
    fn computed<'e>(&self, given: &'e Computed, errors: &mut Errors) -> Option<Expression<'e>> {
        let Computed { axis: at, value } = given;
        let axis = self.meant_axis(at, &self.spans.text(value), at.span, errors)?;
        let found = self.axes.iter().find(|known| known.name == axis)?;
        if let [literal] = value.tokens()
            && (matches!(literal, Token::Literal(_)) || Value::of(literal).is_some())
        {
            return Self::literal(found, at, literal, errors);
        }
        let ty = match &found.samples {
            Samples::Values(_) => rust!("usize"),
            Samples::Labels(labels)
                if labels.len() == 2 && !self.has_true_label && found.true_label().is_none() =>
            {
                let message = format!(
                    "an expression for the axis `{axis}` is a `bool`: which of {} is `true`?\n\
                     help: set `true_label`, give one label in quotes, or make the axis a parameter of an enum",
                    in_backticks(labels)
                );
                errors.at(value.tokens(), message);
                return None;
            }
            Samples::Labels(labels) if labels.len() == 2 => rust!("bool"),
            Samples::Labels(labels) => {
                let message = format!(
                    "an expression cannot give one of the labels {}\n\
                     help: give the axis `{axis}` by a parameter of an enum, or one label in quotes",
                    in_backticks(labels)
                );
                errors.at(value.tokens(), message);
                return None;
            }
        };
        Some(Expression { axis, at, value: value.clone(), ty })
    }

    /// Returns a constant of the user's that is given for an axis. Constants are recognised by their capitals.
    fn expression<'e>(&self, Renamed { axis, parameter }: &'e Renamed) -> Option<Expression<'e>> {
        let name = parameter.name();
        let is_constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let found = self.axes.iter().find(|known| axis.name() == known.name)?;
        if !is_constant || self.is_declared(name) {
            return None;
        }
        let ty = if found.values().is_some() { rust!("usize") } else { rust!("bool") };
        Some(Expression { axis: found.name.clone(), at: axis, value: rust!("#parameter"; parameter), ty })
    }

    /// Returns the constant that is given for an axis: a size, or a label in quotes.
    fn constant<'e>(&self, given: &'e GivenOption, errors: &mut Errors) -> Option<Expression<'e>> {
        let axis = self.axes.iter().find(|axis| given.name.name() == axis.name)?;
        Self::literal(axis, &given.name, given.literal.as_ref()?, errors)
    }

    fn literal<'e>(axis: &Axis, at: &'e Ident, token: &Token, errors: &mut Errors) -> Option<Expression<'e>> {
        let given = || Code::from(vec![token.clone()]);
        let (value, ty) = match (&axis.samples, Value::of(token)) {
            (Samples::Values(_), Some(Value::Whole(_, suffix))) if matches!(&*suffix, "" | "usize") => {
                (given(), rust!("usize"))
            }
            (Samples::Labels(labels), Some(Value::Truth(_))) if labels.len() == 2 => (given(), rust!("bool")),
            (Samples::Labels(labels), Some(Value::Text(text))) => {
                let Some(position) = labels.iter().position(|label| *label == text) else {
                    let meant = did_you_mean(&text, labels.iter().map(String::as_str));
                    let message = format!(
                        "`{text}` is not a label of the axis `{}`, whose labels are {}{}",
                        axis.name,
                        in_backticks(labels),
                        help(meant)
                    );
                    errors.span(token.span(), message);
                    return None;
                };
                let position = Literal::displayed(format_args!("{position}usize"));
                (rust!("#position"; position), rust!("usize"))
            }
            (Samples::Values(_), _) => {
                let message = format!("a size on the axis `{}` is a whole number, such as 64", axis.name);
                errors.span(token.span(), message);
                return None;
            }
            (Samples::Labels(labels), _) => {
                let message = format!("the axis `{}` has the labels {}", axis.name, in_backticks(labels));
                errors.span(token.span(), message);
                return None;
            }
        };
        Some(Expression { axis: axis.name.clone(), at, value, ty })
    }

    /// Returns the axis that a name means; `None` if it means an option.
    fn meant_axis(&self, at: &Ident, value: &str, value_at: Span, errors: &mut Errors) -> Option<String> {
        let name = at.name();
        if self.is_axis(name) {
            return Some(name.to_owned());
        }
        if self.options.contains(&name) {
            errors.span(value_at, format!("the value of an option must be in quotes: {name} = \"{value}\""));
            return None;
        }
        let axes = self.axes.iter().map(|axis| &*axis.name);
        let meant = did_you_mean(name, axes.chain(self.options.iter().copied()));
        let listed = self.listed();
        errors
            .name(at, format!("`{name}` is not an axis of the map, whose axes are {listed}{}", help(meant)));
        match meant {
            Some(meant) if self.options.contains(&meant) => None,
            Some(meant) => Some(meant.to_owned()),
            None => Some(name.to_owned()),
        }
    }

    /// Returns the name of the parameter that a name means.
    fn meant_parameter(&self, at: &Ident, name: String, errors: &mut Errors) -> String {
        if self.is_declared(&name) {
            return name;
        }
        let meant = did_you_mean(&name, self.declared.iter().filter_map(Declared::name));
        errors.name(at, format!("the function has no parameter `{name}`{}", help(meant)));
        meant.map_or(name, str::to_owned)
    }

    /// Returns the place of each axis's parameter, and reports parameters that give two axes or have a type that does not fit.
    fn found(&self, given: &[Given<'_>], computed: &[Expression<'_>], errors: &mut Errors) -> Vec<Found> {
        let mut taken = vec![false; self.declared.len()];
        let mut find = |axis: &Axis| {
            let mut of_axis = given.iter().filter(|given| given.axis == axis.name);
            let wanted = of_axis.next().map(|given| &*given.parameter);
            if let Some(second) = of_axis.next() {
                errors.name(second.at, format!("the axis `{}` is given twice", axis.name));
            }
            let mut expressions = computed.iter().enumerate().filter(|(_, given)| given.axis == axis.name);
            if let Some((place, first)) = expressions.next() {
                let second = expressions.next().map(|(_, second)| second.at);
                if let Some(at) = second.or_else(|| wanted.map(|_| first.at)) {
                    errors.name(at, format!("the axis `{}` is given twice", axis.name));
                }
                return Found::Computed(place);
            }
            let name = wanted.unwrap_or(&axis.name);
            let is_named = |declared: &Declared<'_>| declared.name().is_some_and(|own| own == name);
            let Some(place) = self.declared.iter().position(is_named) else {
                let is_reported = wanted.is_some() || self.valued.contains(&axis.name);
                return if is_reported { Found::Misnamed } else { Found::Missing };
            };
            let Declared { pattern, ty } = self.declared[place];
            if std::mem::replace(&mut taken[place], true) {
                errors.at(pattern, format!("`{name}` gives the size on two axes"));
            }
            if let Some(fault) = type_fault(&ty.to_vec().into(), axis) {
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
        item: &MapFn<'_>,
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
                self.is_axis(name) || misnamed.iter().any(|given| given.parameter == name)
            });
            let mut expressions =
                computed.iter().map(|expression| &expression.value).chain(self.expressions.iter().copied());
            let is_used = expressions.any(|expression| is_used_in(declared.pattern, expression));
            !found.contains(&Found::At(*place)) && !is_unused(declared) && !is_reported && !is_used
        };
        let unmatched = self.declared.iter().enumerate().filter(|_| item.body.is_none()).filter(is_unknown);
        let unknown: Vec<&Declared<'_>> = unmatched.map(|(_, declared)| declared).collect();
        let shown = |pattern: &[Token]| self.spans.text(&pattern.to_vec().into());
        if let Some(declared) =
            unknown.iter().find(|declared| declared.ident().is_none() && !declared.is_wild())
            && let [axis, ..] = &missing[..]
        {
            let message = format!(
                "a pattern gives no size: name the parameter, and give its parts by expressions\n\
                 help: with `sizes` in place of `{}`, write #[decision_map(…, {axis} = sizes.0)]",
                shown(declared.pattern)
            );
            return errors.at(declared.pattern, message);
        }
        if let ([axis], [declared]) = (&missing[..], &unknown[..]) {
            let name = shown(declared.pattern);
            let message = format!(
                "`{name}` is not an axis of the map, and no parameter gives the size on axis `{axis}`\n\
                 help: rename it to `{axis}`, or write #[decision_map(…, {axis} = {name})]"
            );
            return errors.at(declared.pattern, message);
        }
        for axis in missing {
            let message = format!(
                "no parameter gives the size on axis `{axis}`\n\
                 help: add `{axis}: usize`, or name the parameter that does: #[decision_map(…, {axis} = size)]"
            );
            errors.name(item.name, message);
        }
        for Declared { pattern, .. } in unknown {
            let message = format!(
                "`{}` is not an axis of the map, whose axes are {}\n\
                 help: begin the name with `_`, or give the function a body that uses it",
                shown(pattern),
                self.listed()
            );
            errors.at(pattern, message);
        }
    }
}

/// Returns the help for a misspelled name, empty if no known one is similar.
fn help(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("\nhelp: did you mean `{meant}`?"))
}

/// Returns whether an expression uses the parameter, or a part of its pattern.
fn is_used_in(pattern: &[Token], expression: &Code) -> bool {
    pattern.iter().any(|token| match token {
        Token::Ident(ident) => mentions(expression.tokens(), ident.text()),
        Token::Group(group) => is_used_in(group.code.tokens(), expression),
        _ => false,
    })
}

fn is_unused(declared: &Declared<'_>) -> bool {
    declared.is_wild() || declared.name().is_some_and(|name| name.starts_with('_'))
}

fn parameter(declared: &Declared<'_>, axis: &Axis, generics: &[&str]) -> Option<Parameter> {
    let nameable = is_nameable(declared.ty, generics);
    let is_faulty = matches!(&axis.samples, Samples::Labels(labels) if labels.len() > 2);
    let ty = match ungrouped(declared.ty) {
        // The error about the `bool` is reported already; check the rest as for an enum.
        [ty] if is_faulty && word(ty) == Some("bool") => rust!("Labels"),
        _ => declared.ty.to_vec().into(),
    };
    Some(Parameter { name: declared.ident()?.clone(), ty, nameable })
}
