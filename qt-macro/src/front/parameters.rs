//! The parameters of a function, matched to the axes of its tree.

use super::arguments::{Given, string};
use super::errors::Errors;
use super::item::{Declared, Function};
use super::listing::in_backticks;
use super::output::{at, user};
use super::token::{Kind, MIXED_SITE, Token, mentions, text};
use crate::way::advice::did_you_mean;

/// An axis: its name, and its labels unless it has sizes.
pub(crate) type Axis<'a> = (&'a str, &'a [String]);

/// What gives the size or label on an axis.
pub(crate) enum Source<'t> {
    /// A parameter with its type.
    Parameter(&'t Token, &'t [Token]),
    /// A variable with its type and the user's tokens for its value.
    Variable(String, &'static str, &'t [Token]),
}

/// The sources of all axes, of which one that cannot be had is reported and `None`.
pub(crate) struct Matched<'t> {
    pub(crate) sources: Vec<Option<Source<'t>>>,
    /// The statements that define the variables.
    pub(crate) statements: String,
}

/// Returns whether a value is a literal.
pub(crate) fn is_literal(value: &[Token]) -> bool {
    matches!(value, [token] if token.kind == Kind::Literal || matches!(token.word(), "true" | "false"))
}

/// Separates what is given for axes from the options. A name that is both is an option, unless it is in `axis(…)`.
pub(crate) fn separated<'a, 't>(
    given: &'a [Given<'t>],
    is_axis: impl Fn(&str) -> bool,
    options: &[&str],
) -> (Vec<&'a Given<'t>>, Vec<&'a Given<'t>>) {
    given.iter().partition(|one| {
        let names_axis = !options.contains(&&*one.name.text) && is_axis(one.name.name());
        one.is_axis || !one.value.is_empty() && (names_axis || !is_literal(one.value))
    })
}

/// A function that is matched to the axes of a tree.
pub(crate) struct Matching<'a, 't> {
    pub(crate) item: &'a Function<'t>,
    pub(crate) axes: &'a [Axis<'a>],
    /// What the attribute gives for axes.
    pub(crate) given: Vec<&'a Given<'t>>,
    /// The names of all options.
    pub(crate) options: &'a [&'static str],
    pub(crate) errors: &'a mut Errors,
}

impl<'a, 't> Matching<'a, 't> {
    /// Returns the source of every axis, found by the axis's name or by the name or expression that the attribute gives.
    pub(crate) fn matched(mut self) -> Matched<'t> {
        let mut given = Vec::new();
        for one in self.given.clone() {
            given.extend(self.meant_axis(one).map(|axis| (axis, one)));
        }
        let mut matched = Matched { sources: Vec::new(), statements: String::new() };
        let (mut taken, mut missing) = (Vec::new(), Vec::new());
        for (index, axis) in self.axes.iter().enumerate() {
            let mut of_axis = given.iter().filter(|(name, _)| *name == axis.0);
            let value = of_axis.next().map_or(&[][..], |(_, given)| given.value);
            if let Some((_, second)) = of_axis.next() {
                self.errors.place(second.name.place, &format!("the axis `{}` is given twice", axis.0));
            }
            let name = match value {
                [] => Some(axis.0),
                [name] if self.is_parameter(name) => Some(self.meant_parameter(name)),
                _ => None,
            };
            let is_named = |declared: &Declared<'_>| Some(declared.name()) == name;
            matched.sources.push(if let Some(place) = self.item.parameters.iter().position(is_named) {
                let declared = &self.item.parameters[place];
                if taken.contains(&place) {
                    let message = format!("`{}` gives the size on two axes", declared.name());
                    self.errors.at(declared.pattern, &message);
                }
                taken.push(place);
                declared.ident().map(|name| Source::Parameter(name, declared.ty))
            } else if name.is_some() {
                missing.extend(value.is_empty().then_some(axis.0));
                None
            } else {
                self.computed(axis, value).map(|(code, ty)| {
                    // An item of the user's could have a shorter name, and a pattern with the name of a constant is that constant.
                    let name = format!("qtdec_axis_{index}");
                    matched.statements += &format!("let {}: {ty} = {code};", at(MIXED_SITE, &name));
                    Source::Variable(name, ty, value)
                })
            });
        }
        // A parameter given for something that is not an axis has been reported already, and is that of a missing axis.
        let is_axis = |name: &str| self.axes.iter().any(|axis| axis.0 == name);
        if given.iter().filter(|(name, _)| !is_axis(name)).count() >= missing.len() {
            missing.clear();
        }
        self.report_unmatched(&taken, &missing);
        matched
    }

    fn listed(&self) -> String {
        let names: Vec<String> = self.axes.iter().map(|axis| axis.0.to_owned()).collect();
        in_backticks(&names)
    }

    fn declared(&self) -> Vec<&'t str> {
        self.item.parameters.iter().map(Declared::name).collect()
    }

    /// Returns the axis that a name means, also a misspelled one, so that it is one error; `None` if it means an option.
    fn meant_axis(&mut self, given: &'a Given<'t>) -> Option<&'a str> {
        let name = given.name.name();
        let mut known: Vec<&'a str> = self.axes.iter().map(|axis| axis.0).collect();
        if known.contains(&name) {
            return Some(name);
        }
        if self.options.contains(&name) {
            let message =
                format!("the value of an option must be in quotes: {name} = {:?}", text(given.value));
            self.errors.at(given.value, &message);
            return None;
        }
        known.extend(self.options);
        let meant = did_you_mean(name, &known);
        let message =
            format!("`{name}` is not an axis of the map, whose axes are {}{}", self.listed(), help(meant));
        self.errors.place(given.name.place, &message);
        Some(meant.unwrap_or(name)).filter(|meant| !self.options.contains(meant))
    }

    /// Returns whether a value is the name of a parameter. Constants are recognised by their capitals.
    fn is_parameter(&self, value: &Token) -> bool {
        let name = value.name();
        let is_constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let is_name = !name.is_empty() && !is_literal(std::slice::from_ref(value));
        is_name && (!is_constant || self.declared().contains(&name))
    }

    /// Returns the parameter that a name means.
    fn meant_parameter(&mut self, at: &'t Token) -> &'t str {
        let (name, declared) = (at.name(), self.declared());
        if declared.contains(&name) {
            return name;
        }
        let meant = did_you_mean(name, &declared);
        self.errors.place(at.place, &format!("the function has no parameter `{name}`{}", help(meant)));
        meant.unwrap_or(name)
    }

    /// Returns the code of an expression or constant for an axis, and the type that it must have.
    fn computed(&mut self, &(name, labels): &Axis<'a>, value: &[Token]) -> Option<(String, &'static str)> {
        let listed = in_backticks(labels);
        let fault = match value {
            [size] if is_literal(value) && labels.is_empty() => {
                let is_digits =
                    |digits: &str| digits.chars().all(|char| char == '_' || char.is_ascii_digit());
                let is_based = matches!(size.text.get(..2), Some("0x" | "0o" | "0b"));
                if is_based || is_digits(size.text.trim_end_matches("usize")) {
                    return Some((user(value), "usize"));
                }
                format!("a size on the axis `{name}` is a whole number, such as 64")
            }
            [literal] if is_literal(value) => match string(literal) {
                Some(text) => {
                    if let Some(position) = labels.iter().position(|label| *label == text) {
                        return Some((format!("{position}usize"), "usize"));
                    }
                    let known: Vec<&str> = labels.iter().map(String::as_str).collect();
                    let help = help(did_you_mean(&text, &known));
                    format!("`{text}` is not a label of the axis `{name}`, whose labels are {listed}{help}")
                }
                None if labels.len() == 2 && !literal.word().is_empty() => {
                    return Some((user(value), "bool"));
                }
                None => format!("the axis `{name}` has the labels {listed}"),
            },
            _ if labels.is_empty() => return Some((user(value), "usize")),
            _ if labels.len() == 2 => return Some((user(value), "bool")),
            _ => format!(
                "an expression cannot give one of the labels {listed}\n\
                 help: give the axis `{name}` by a parameter of an enum, or one label in quotes"
            ),
        };
        self.errors.at(value, &fault);
        None
    }

    /// Reports axes without a parameter, and parameters without an axis that nothing uses.
    fn report_unmatched(&mut self, taken: &[usize], missing: &[&str]) {
        let mut unknown = Vec::new();
        for (place, declared) in self.item.parameters.iter().enumerate() {
            let (name, pattern) = (declared.name(), declared.pattern);
            let is_unused = name.starts_with('_') || text(pattern) == "_";
            let is_axis = self.axes.iter().any(|axis| axis.0 == name);
            let is_matched = taken.contains(&place) || is_axis || is_unused || self.is_used(pattern);
            if !is_matched && self.item.body.is_none() {
                unknown.push(declared);
            }
        }
        if let Some(declared) = unknown.iter().find(|declared| declared.name().is_empty())
            && let [axis, ..] = missing
        {
            let message = format!(
                "a pattern gives no size: name the parameter, and give its parts by expressions\n\
                 help: with `sizes` in place of `{}`, write #[decision_map(…, {axis} = sizes.0)]",
                text(declared.pattern)
            );
            return self.errors.at(declared.pattern, &message);
        }
        if let ([axis], [Declared { pattern, .. }]) = (missing, &unknown[..]) {
            let name = text(pattern);
            let message = format!(
                "`{name}` is not an axis of the map, and no parameter gives the size on axis `{axis}`\n\
                 help: rename it to `{axis}`, or write #[decision_map(…, {axis} = {name})]"
            );
            return self.errors.at(pattern, &message);
        }
        for axis in missing {
            let message = format!(
                "no parameter gives the size on axis `{axis}`\n\
                 help: add `{axis}: usize`, or name the parameter that does: #[decision_map(…, {axis} = size)]"
            );
            self.errors.place(self.item.name.place, &message);
        }
        for Declared { pattern, .. } in unknown {
            let message = format!(
                "`{}` is not an axis of the map, whose axes are {}\n\
                 help: begin the name with `_`, or give the function a body that uses it",
                text(pattern),
                self.listed()
            );
            self.errors.at(pattern, &message);
        }
    }

    /// Returns whether something that the attribute gives uses a parameter, or a part of its pattern.
    fn is_used(&self, pattern: &[Token]) -> bool {
        pattern.iter().any(|token| {
            let is_named = |given: &&Given<'_>| mentions(given.value, &token.text);
            !token.word().is_empty() && self.given.iter().any(is_named) || self.is_used(&token.inner)
        })
    }
}

/// Returns the help for a misspelled name, empty if no known one is similar.
fn help(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("\nhelp: did you mean `{meant}`?"))
}
