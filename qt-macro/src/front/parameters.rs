//! The parameters of a function, matched to the axes of its tree.

use super::arguments::{Given, string};
use super::axis::{Axis, is_axis, listed};
use super::errors::Errors;
use super::item::{Declared, Function};
use super::listing::{in_backticks, is_in};
use super::output::{at, user};
use super::token::{Kind, MIXED_SITE, Token, mentions, text};
use crate::way::advice::{similar_axis, similar_label, similar_parameter};

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

/// What the attribute gives for axes, and what it gives for options.
pub(crate) type Separated<'a, 't> = (Vec<&'a Given<'t>>, Vec<&'a Given<'t>>);

/// Separates what is given. A name that is both an axis and one of the options is an option, unless it is in `axis(…)`.
pub(crate) fn separated<'a, 't>(given: &'a [Given<'t>], axes: &[Axis], options: &str) -> Separated<'a, 't> {
    let (mut of_axes, mut of_options) = (Vec::new(), Vec::new());
    for one in given {
        let names_axis = !is_in(options, &one.name.text) && is_axis(axes, one.name.name());
        if one.is_axis || !one.value.is_empty() && (names_axis || !is_literal(one.value)) {
            of_axes.push(one);
        } else {
            of_options.push(one);
        }
    }
    (of_axes, of_options)
}

/// A function that is matched to the axes of a tree.
pub(crate) struct Matching<'a, 't> {
    pub(crate) item: &'a Function<'t>,
    pub(crate) axes: &'a [Axis],
    /// What the attribute gives for axes.
    pub(crate) given: Vec<&'a Given<'t>>,
    /// The names of all options, between blanks.
    pub(crate) options: &'a str,
    pub(crate) errors: &'a mut Errors,
}

impl<'a, 't> Matching<'a, 't> {
    /// Returns the source of every axis, found by the axis's name or by the name or expression that the attribute gives.
    pub(crate) fn matched(mut self) -> Matched<'t> {
        // The axes that are given. A misspelled name counts as the one that was meant, so that it is one error.
        let (mut meant, mut misnamed) = (Vec::new(), 0);
        for place in 0..self.given.len() {
            let axis = self.meant_axis(self.given[place]);
            meant.push(axis);
            misnamed += usize::from(!axis.is_empty() && !is_axis(self.axes, axis));
        }
        let mut matched = Matched { sources: Vec::new(), statements: String::new() };
        let (mut taken, mut missing) = (Vec::new(), Vec::new());
        for (index, axis) in self.axes.iter().enumerate() {
            let mut value = &[][..];
            for (place, given) in self.given.iter().enumerate() {
                if meant[place] == axis.name && value.is_empty() {
                    value = given.value;
                } else if meant[place] == axis.name {
                    self.errors.place(given.name.place, &format!("the axis `{}` is given twice", axis.name));
                }
            }
            let name = match value {
                [] => &axis.name,
                [name] if self.is_parameter(name) => self.meant_parameter(name),
                _ => "",
            };
            let source = if let Some(place) = self.place(name) {
                let declared = &self.item.parameters[place];
                if taken.contains(&place) {
                    self.errors.at(declared.pattern, &format!("`{name}` gives the size on two axes"));
                }
                taken.push(place);
                declared.ident().map(|name| Source::Parameter(name, declared.ty))
            } else if value.is_empty() {
                missing.push(&*axis.name);
                None
            } else if name.is_empty()
                && let Some((code, ty)) = self.computed(axis, value)
            {
                // An item of the user's could have a shorter name, and a pattern with the name of a constant is that constant.
                let name = format!("qtdec_axis_{index}");
                matched.statements += &format!("let {}: {ty} = {code};", at(MIXED_SITE, &name));
                Some(Source::Variable(name, ty, value))
            } else {
                None
            };
            matched.sources.push(source);
        }
        // A parameter given for something that is not an axis has been reported already, and is that of a missing axis.
        if misnamed >= missing.len() {
            missing.clear();
        }
        self.report_unmatched(&taken, &missing);
        matched
    }

    /// Returns the place of the parameter with this name.
    fn place(&self, name: &str) -> Option<usize> {
        self.item.parameters.iter().position(|declared| declared.name() == name && !name.is_empty())
    }

    /// Returns the axis that a name means; an empty name if it means an option.
    fn meant_axis(&mut self, given: &'a Given<'t>) -> &'a str {
        let name = given.name.name();
        if is_axis(self.axes, name) {
            return name;
        }
        if is_in(self.options, name) {
            let message =
                format!("the value of an option must be in quotes: {name} = {:?}", text(given.value));
            self.errors.at(given.value, &message);
            return "";
        }
        let meant = similar_axis(name, self.axes, self.options);
        let (given, listed, help) = (given.name, listed(self.axes), help(meant));
        let message = format!("`{}` is not an axis of the map, whose axes are {listed}{help}", given.text);
        self.errors.place(given.place, &message);
        match meant {
            "" => name,
            meant if is_in(self.options, meant) => "",
            meant => meant,
        }
    }

    /// Returns whether a value is the name of a parameter. Constants are recognised by their capitals.
    fn is_parameter(&self, value: &Token) -> bool {
        let name = value.name();
        let is_constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
        let is_name = !name.is_empty() && !is_literal(std::slice::from_ref(value));
        is_name && (!is_constant || self.place(name).is_some())
    }

    /// Returns the parameter that a name means.
    fn meant_parameter(&mut self, at: &'t Token) -> &'t str {
        let name = at.name();
        if self.place(name).is_some() {
            return name;
        }
        let meant = similar_parameter(name, &self.item.parameters);
        self.errors.place(at.place, &format!("the function has no parameter `{name}`{}", help(meant)));
        if meant.is_empty() { name } else { meant }
    }

    /// Returns the code of an expression or constant for an axis, and the type that it must have.
    fn computed(&mut self, axis: &Axis, value: &[Token]) -> Option<(String, &'static str)> {
        let Axis { name, values, labels } = axis;
        let listed = in_backticks(labels);
        let fault = match value {
            [size] if is_literal(value) && labels.is_empty() => {
                let mut digits = size.text.trim_end_matches("usize").chars();
                let is_based = matches!(size.text.get(..2), Some("0x" | "0o" | "0b"));
                if is_based || digits.all(|char| char == '_' || char.is_ascii_digit()) {
                    return Some((user(value), "usize"));
                }
                format!("a size on the axis `{name}` is a whole number, such as {}", values[0])
            }
            [literal] if is_literal(value) => match string(literal) {
                Some(text) => {
                    if let Some(position) = labels.iter().position(|label| *label == text) {
                        return Some((format!("{position}usize"), "usize"));
                    }
                    let help = help(similar_label(&text, labels));
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
            let is_matched = taken.contains(&place) || is_axis(self.axes, name) || is_unused;
            if !is_matched && self.item.body.is_none() && !self.is_used(pattern) {
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
                listed(self.axes)
            );
            self.errors.at(pattern, &message);
        }
    }

    /// Returns whether something that the attribute gives uses a parameter, or a part of its pattern.
    fn is_used(&self, pattern: &[Token]) -> bool {
        for token in pattern {
            for given in &self.given {
                if !token.word().is_empty() && mentions(given.value, &token.text) {
                    return true;
                }
            }
            if self.is_used(&token.inner) {
                return true;
            }
        }
        false
    }
}

/// Returns the help for a misspelled name, if a known one is similar.
fn help(meant: &str) -> String {
    if meant.is_empty() { String::new() } else { format!("\nhelp: did you mean `{meant}`?") }
}
