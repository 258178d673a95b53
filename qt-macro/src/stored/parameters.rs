//! The parameters of a function, matched to the axes of its tree.

use super::arguments::{Given, string};
use super::errors::Errors;
use super::item::{Declared, Function};
use super::names::{in_backticks, is_identifier, is_in, upper_camel};
use super::output::{at, user};
use super::token::{Kind, MIXED_SITE, Token, mentions, text};
use super::tree::{Axis, Tree};
use super::types::Type;

/// The parameter that gives the size or label on one axis.
pub(super) struct Parameter<'t> {
    /// The code and the text of its name.
    pub(super) code: String,
    pub(super) name: String,
    pub(super) ty: Type<'t>,
    /// Whether an item inside the function can name the type.
    pub(super) is_nameable: bool,
    pub(super) gives: Gives,
}

/// What a parameter gives.
pub(super) enum Gives {
    Size,
    /// One of two labels; `first` is the value that means the first of them.
    Truth {
        first: bool,
    },
    /// One of several labels, each with the code of a variant.
    Label {
        path: String,
        variants: Vec<String>,
    },
}

/// The parameters of all axes, with the statements that compute those for which the attribute has an expression.
pub(super) struct Matched<'t> {
    pub(super) parameters: Vec<Parameter<'t>>,
    pub(super) statements: String,
}

/// The options of trees, and those that only maps have.
pub(super) const OPTIONS: &str = " layout true_label error ";
pub(super) const OF_MAPS: &str = " encoding borders budget empty fallback predicates max_depth threshold fill leaf collapse weight confidence \
    constants objective lambda ";

/// Returns whether an argument is a literal.
pub(super) fn is_literal(value: &[Token]) -> bool {
    matches!(value, [token] if token.kind == Kind::Literal || matches!(token.word(), "true" | "false"))
}

/// A function that is matched to a tree.
pub(super) struct Matching<'a, 't> {
    pub(super) item: &'a Function<'t>,
    pub(super) tree: &'a Tree,
    /// What the attribute gives for axes.
    pub(super) given: Vec<&'a Given<'t>>,
    pub(super) true_labels: Vec<String>,
    pub(super) errors: &'a mut Errors,
}

impl<'t> Matching<'_, 't> {
    /// Returns the parameter of every axis, matched by the axis's name or by the name or expression that the attribute gives.
    pub(super) fn matched(mut self) -> Option<Matched<'t>> {
        let mut is_sound = true;
        for given in &self.given {
            if !self.tree.axes.iter().any(|axis| axis.name == given.name.name()) {
                let name = &given.name.text;
                if is_in(OF_MAPS, name) || is_in(OPTIONS, name) {
                    let message =
                        format!("the value of an option must be in quotes: {name} = {:?}", text(given.value));
                    self.errors.at(given.value, &message);
                } else {
                    let message =
                        format!("`{name}` is not an axis of the tree, whose axes are {}", self.listed());
                    self.errors.place(given.name.place, &message);
                }
                is_sound = false;
            }
        }
        let mut matched = Matched { parameters: Vec::new(), statements: String::new() };
        let (mut taken, mut missing) = (Vec::new(), Vec::new());
        let tree = self.tree;
        for (index, axis) in tree.axes.iter().enumerate() {
            let mut of_axis = self.given.iter().filter(|given| given.name.name() == axis.name);
            let given = of_axis.next().copied();
            if let Some(second) = of_axis.next() {
                self.errors.place(second.name.place, &format!("the axis `{}` is given twice", axis.name));
            }
            let value = given.map_or(&[][..], |given| given.value);
            let wanted = match value {
                [] => &*axis.name,
                [name] if !is_literal(value) => name.name(),
                _ => "",
            };
            let place = self
                .item
                .parameters
                .iter()
                .position(|declared| !wanted.is_empty() && declared.name() == wanted);
            if let Some(place) = place {
                if taken.contains(&place) {
                    self.errors.at(
                        self.item.parameters[place].pattern,
                        &format!("`{wanted}` gives the size on two axes"),
                    );
                }
                taken.push(place);
                matched.parameters.extend(self.declared(place, axis));
            } else if value.is_empty() {
                missing.push(&axis.name);
            } else if let Some((code, ty)) = self.computed(axis, value) {
                let (name, ty) = (format!("qtdec_axis_{index}"), Type::generated(ty));
                let parameter = at(MIXED_SITE, &name);
                matched.statements += &format!("let {parameter}: {} = {code};", ty.code);
                let gives = self.gives(axis, &ty, value);
                matched.parameters.extend(gives.map(|gives| Parameter {
                    code: parameter,
                    name,
                    ty,
                    is_nameable: true,
                    gives,
                }));
            } else {
                is_sound = false;
            }
        }
        if is_sound {
            self.report_unmatched(&taken, &missing);
        }
        self.check_true_labels(&matched.parameters);
        (matched.parameters.len() == self.tree.axes.len()).then_some(matched)
    }

    fn listed(&self) -> String {
        let names: Vec<String> = self.tree.axes.iter().map(|axis| axis.name.clone()).collect();
        in_backticks(&names)
    }

    /// Returns a declared parameter for an axis.
    fn declared(&mut self, place: usize, axis: &Axis) -> Option<Parameter<'t>> {
        let Declared { ty: tokens, .. } = self.item.parameters[place];
        let (name, ty) = (self.item.parameters[place].ident()?, Type::new(tokens));
        if let Some(fault) = type_fault(&ty, axis) {
            self.errors.at(tokens, &fault);
            return None;
        }
        Some(Parameter {
            code: user(std::slice::from_ref(name)),
            name: name.text.clone(),
            is_nameable: ty.is_nameable(&self.item.generics),
            gives: self.gives(axis, &ty, tokens)?,
            ty,
        })
    }

    /// Returns the code of an expression or constant for an axis, and the type that it must have.
    fn computed(&mut self, axis: &Axis, value: &[Token]) -> Option<(String, &'static str)> {
        let fault = if let [literal] = value
            && is_literal(value)
        {
            let is_whole = literal
                .text
                .trim_end_matches("usize")
                .chars()
                .all(|char| char == '_' || char.is_ascii_digit());
            let is_based = matches!(literal.text.get(..2), Some("0x" | "0o" | "0b"));
            let position =
                string(literal).and_then(|text| axis.labels.iter().position(|label| *label == text));
            match position {
                Some(position) => return Some((format!("{position}usize"), "usize")),
                None if !axis.is_labelled() && (is_whole || is_based) => return Some((user(value), "usize")),
                None if axis.labels.len() == 2 && !literal.word().is_empty() => {
                    return Some((user(value), "bool"));
                }
                None if axis.is_labelled() => {
                    format!("the labels of the axis `{}` are {}", axis.name, in_backticks(&axis.labels))
                }
                None => format!("a size on the axis `{}` is a whole number, such as 64", axis.name),
            }
        } else if let [name] = value
            && (!name.text.chars().any(char::is_uppercase) || name.text.chars().any(char::is_lowercase))
        {
            format!("the function has no parameter `{}`", name.text)
        } else if !axis.is_labelled() {
            return Some((user(value), "usize"));
        } else if axis.labels.len() == 2 {
            return Some((user(value), "bool"));
        } else {
            format!(
                "an expression cannot give one of the labels {}\n\
                 help: give the axis `{}` by a parameter of an enum, or one label in quotes",
                in_backticks(&axis.labels),
                axis.name
            )
        };
        self.errors.at(value, &fault);
        None
    }

    /// Returns what a parameter of this type gives, or reports what is wrong at some tokens.
    fn gives(&mut self, axis: &Axis, ty: &Type<'_>, tokens: &[Token]) -> Option<Gives> {
        // The position of a label is generated code alone.
        if !axis.is_labelled() || ty.is("usize") {
            return Some(Gives::Size);
        }
        if ty.is("bool") {
            let is_named = |label: &String| self.true_labels.contains(label);
            let truth = match (is_named(&axis.labels[0]), is_named(&axis.labels[1])) {
                (true, false) => Some(0),
                (false, true) => Some(1),
                _ => axis.true_label(),
            };
            if let Some(truth) = truth {
                return Some(Gives::Truth { first: truth == 0 });
            }
            let message = format!(
                "`{}` is a `bool`: which of {} is `true`?\n\
                 help: use `true_label = {:?}`, or use an enum with a variant for each",
                axis.name,
                in_backticks(&axis.labels),
                axis.labels[1]
            );
            self.errors.at(tokens, &message);
            return None;
        }
        let mut variants: Vec<String> = Vec::new();
        for label in &axis.labels {
            let variant = at(ty.place(), &upper_camel(label));
            if !is_identifier(&upper_camel(label)) || variants.contains(&variant) {
                let message =
                    format!("the label `{label}` cannot be an enum variant\nhelp: choose another label");
                self.errors.at(tokens, &message);
                return None;
            }
            variants.push(variant);
        }
        Some(Gives::Label { path: ty.qualifier(), variants })
    }

    /// Reports axes without a parameter, and parameters without an axis that nothing uses.
    fn report_unmatched(&mut self, taken: &[usize], missing: &[&String]) {
        let mut unknown = Vec::new();
        for (place, declared) in self.item.parameters.iter().enumerate() {
            let words = declared.pattern.iter().filter(|token| !token.word().is_empty());
            let is_used = |word: &Token| self.given.iter().any(|given| mentions(given.value, &word.text));
            let is_unused = text(declared.pattern) == "_" || declared.name().starts_with('_');
            let is_pattern_used = declared
                .pattern
                .iter()
                .any(|token| token.inner.iter().any(|inner| !inner.word().is_empty() && is_used(inner)));
            let is_axis = self.tree.axes.iter().any(|axis| axis.name == declared.name());
            let is_matched =
                taken.contains(&place) || is_axis || is_pattern_used || words.clone().any(is_used);
            if !is_matched && !is_unused && self.item.body.is_none() {
                unknown.push(declared.pattern);
            }
        }
        if let ([axis], [pattern]) = (missing, &unknown[..]) {
            let name = text(pattern);
            let message = format!(
                "`{name}` is not an axis of the tree, and no parameter gives the size on axis `{axis}`\n\
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
        for pattern in unknown {
            let message = format!(
                "`{}` is not an axis of the tree, whose axes are {}\n\
                 help: begin the name with `_`, or give the function a body that uses it",
                text(pattern),
                self.listed()
            );
            self.errors.at(pattern, &message);
        }
    }

    /// Reports labels in the option `true_label` that no `bool` gives.
    fn check_true_labels(&mut self, parameters: &[Parameter<'_>]) {
        let tree = self.tree;
        let is_given = |label: &String| {
            tree.axes.iter().zip(parameters).any(|(axis, parameter)| {
                axis.labels.contains(label) && matches!(parameter.gives, Gives::Truth { .. })
            })
        };
        for label in &self.true_labels {
            if parameters.len() == tree.axes.len() && !is_given(label) {
                let message =
                    format!("`true_label` names `{label}`, which is not a label of a `bool` parameter");
                self.errors.place(self.item.name.place, &message);
            }
        }
    }
}

/// Returns why a type cannot give the size or label on an axis; `None` if it can, as far as its name shows.
fn type_fault(ty: &Type<'_>, axis: &Axis) -> Option<String> {
    if !axis.is_labelled() {
        let is_sound = ty.is_path() && !ty.is_other();
        let (first, last) = (axis.values.first()?, axis.values.last()?);
        let message =
            format!("a size must be an integer: the axis `{}` has the samples {first} to {last}", axis.name);
        return (!is_sound).then_some(message);
    }
    let referent = ty.referent();
    let is_sound = if ty.is("bool") {
        axis.labels.len() == 2
    } else {
        referent.is_path() && !referent.is_other() && !referent.is_integer()
    };
    let bool = if axis.labels.len() == 2 { "a `bool` or " } else { "" };
    let message = format!(
        "a labelled axis needs {bool}an enum with a variant for each label: the axis `{}` has the labels {}",
        axis.name,
        axis.labels.join(", ")
    );
    (!is_sound).then_some(message)
}
