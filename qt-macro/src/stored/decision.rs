//! The body of a decision function: nested branches, as `qtdec_core::code` writes them.

use super::answers::Answers;
use super::branches::{Block, Condition};
use super::names::number;
use super::nodes::{Bound, Nodes, simplified, whole};
use super::parameters::{Gives, Parameter};
use super::problem::Problem;
use super::reduced::reduced;
use super::tree::Tree;
use super::types::Type;
use crate::front::output::at;
use crate::front::token::MIXED_SITE;

/// The limits of branches in one function; a larger tree is divided by `qtdec-core`.
const MAX_LEAVES: usize = 256;
const MAX_LEVELS: usize = 64;

/// A decision function without its signature.
pub(super) struct Decision<'s, 't> {
    pub(super) tree: &'s Tree,
    pub(super) parameters: &'s [Parameter<'t>],
    pub(super) answers: &'s Answers,
    /// The type of the numbers that are returned.
    pub(super) returned: &'s Type<'t>,
    /// The user's body, which answers where the tree has no decision.
    pub(super) fallback: Option<String>,
}

impl Decision<'_, '_> {
    /// Returns the code of the body.
    pub(super) fn code(&self) -> Result<String, Problem> {
        let nodes = self.canonical();
        let block = if self.tree.is_for_prediction {
            Block::new(&nodes.0)
        } else {
            Block::new(&reduced(&nodes, &self.tree.shape()).0)
        };
        let (leaves, levels) = block.size();
        if leaves > MAX_LEAVES || levels > MAX_LEVELS {
            return Err(Problem::needs_maps(&format!("a tree of {leaves} decisions in {levels} levels")));
        }
        let mut code = self.checks(&nodes);
        for (axis, parameter) in self.parameters.iter().enumerate() {
            if !block.compares(axis) {
                code += &format!("let _ = {};", parameter.code);
            }
        }
        for never in &self.answers.never {
            code += &format!("if false {{ return {never}; }}");
        }
        let value = self.chain(&block.arms, block.otherwise);
        let Some(fallback) = &self.fallback else { return Ok(code + &value) };
        // If the tree has a decision everywhere, the label would be unused and the user's body unreachable.
        let unmapped = &self.answers.unmapped;
        let total = if self.tree.is_total() { format!("if false {{ {unmapped}; }}") } else { String::new() };
        Ok(format!("{code} {}: {{ {total} return {value}; }} {fallback}", label()))
    }

    /// Returns the tree with one method for each number that is returned.
    fn canonical(&self) -> Nodes {
        let ids = &self.answers.ids;
        let mut canonical = Vec::new();
        for (method, id) in ids.iter().enumerate() {
            canonical.push(ids.iter().position(|other| other == id).unwrap_or(method));
        }
        let nodes = self.tree.nodes.clone();
        let nodes = if canonical.is_empty() { nodes } else { nodes.with_methods(&canonical) };
        simplified(&nodes.0, &mut whole(&self.tree.shape()))
    }

    /// Returns checks at compile time for types that do not fit. Without them, the function could silently return wrong decisions.
    fn checks(&self, nodes: &Nodes) -> String {
        let mut checks = String::new();
        let cuts = nodes.cuts();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Parameter { name, ty, is_nameable, gives, .. } = parameter;
            let mut most = 0;
            for (axis, at) in &cuts {
                if *axis == index && !self.tree.axes[index].is_labelled() {
                    most = self.tree.threshold(*axis, *at).max(most);
                }
            }
            let message =
                format!("the type of `{name}` is too narrow: the decision map compares it with {most}");
            checks += &ty.check_bits(most, &message, *is_nameable);
            if let (Gives::Label { path, variants }, true) = (gives, *is_nameable) {
                let variants = alternatives(path, variants);
                let check =
                    format!("{{ const _: fn(&{path}) = |label| match *label {{ {variants} => {{}} }}; }}");
                checks += &at(ty.place(), &check);
            }
        }
        let mut most = 0;
        for method in self.tree.nodes.answers().into_iter().flatten() {
            most = self.answers.ids.get(method).copied().unwrap_or_default().max(most);
        }
        let message = format!("the return type is too narrow: the decision map holds the id {most}");
        checks + &self.returned.check_bits(most, &message, true)
    }

    /// Returns `if … else if … else …`, or the answer if there are no conditions.
    fn chain(&self, arms: &[(Condition, Block)], otherwise: Option<usize>) -> String {
        if arms.is_empty() {
            return self.answers.get(otherwise).to_owned();
        }
        let block = |block: &Block| self.chain(&block.arms, block.otherwise);
        let mut chain = String::new();
        for (index, (when, then)) in arms.iter().enumerate() {
            if let Some((next, opposite)) = arms.get(index + 1)
                && when.is_opposite(*next)
            {
                let rest = &arms[index + 2..];
                let ends = [
                    end_of_arm(then.arms.is_empty(), &block(then)),
                    end_of_arm(opposite.arms.is_empty(), &block(opposite)),
                    end_of_arm(rest.is_empty(), &self.chain(rest, otherwise)),
                ];
                let corners = self.corners(*when, &ends);
                return if index == 0 { corners } else { format!("{chain} {{ {corners} }}") };
            }
            chain += &format!("if {} {{ {} }} else ", self.condition(*when), block(then));
        }
        format!("{chain} {{ {} }}", self.answers.get(otherwise))
    }

    /// Returns the branches of a corner, of the opposite one, and of the rest. A match evaluates each comparison once.
    fn corners(&self, corner: Condition, [then, opposite, rest]: &[String; 3]) -> String {
        let Condition::Corner(first, second) = corner else { return String::new() };
        let ((one, is_one), (two, is_two)) = (self.comparison(first), self.comparison(second));
        let (not_one, not_two) = (!is_one, !is_two);
        format!(
            "match ({one}, {two}) {{
                 ({is_one}, {is_two}) => {then}
                 ({not_one}, {not_two}) => {opposite}
                 _ => {rest}
             }}"
        )
    }

    fn condition(&self, condition: Condition) -> String {
        match condition {
            Condition::Side(bound) => self.side(bound),
            Condition::Corner(first, second) => format!("{} && {}", self.side(first), self.side(second)),
            Condition::Diagonal(first, second) => self.diagonal(first, second),
        }
    }

    /// Returns the condition that both sides hold or neither, in a form that negates no `bool`.
    fn diagonal(&self, first: Bound, second: Bound) -> String {
        let (first, second) =
            if self.is_negated(first) { (first.other(), second.other()) } else { (first, second) };
        let operand = |bound: Bound| match self.parameters[bound.axis].gives {
            Gives::Size => format!("({})", self.side(bound)),
            _ => self.side(bound),
        };
        if self.is_negated(second) {
            format!("{} != {}", operand(first), operand(second.other()))
        } else {
            format!("{} == {}", operand(first), operand(second))
        }
    }

    /// Returns the comparison behind a condition in its plain form, `<` or a `bool` itself, and its value if the condition holds.
    fn comparison(&self, bound: Bound) -> (String, bool) {
        let below = match self.parameters[bound.axis].gives {
            Gives::Truth { first } => first,
            _ => true,
        };
        (self.side(Bound { below, ..bound }), below == bound.below)
    }

    fn is_negated(&self, bound: Bound) -> bool {
        matches!(self.parameters[bound.axis].gives, Gives::Truth { first } if first != bound.below)
    }

    /// Returns the condition that a size or label is on one side of a cut.
    fn side(&self, bound: Bound) -> String {
        let Parameter { code, ty, gives, .. } = &self.parameters[bound.axis];
        match gives {
            Gives::Size => {
                let size = if ty.is_nonzero() { ".get()" } else { "" };
                let threshold = at(ty.place(), &number(self.tree.threshold(bound.axis, bound.at)));
                format!("{code} {size} {} {threshold}", if bound.below { "<" } else { ">=" })
            }
            Gives::Truth { .. } if self.is_negated(bound) => format!("!{code}"),
            Gives::Truth { .. } => code.clone(),
            Gives::Label { path, variants } => {
                let side = if bound.below { &variants[..bound.at] } else { &variants[bound.at..] };
                format!("::core::matches!({code}, {})", alternatives(path, side))
            }
        }
    }
}

/// Returns the label of the branches above the user's body, of which neither sees the labels of the other.
pub(super) fn label() -> String {
    at(MIXED_SITE, "{ 'unmapped }")
}

/// Returns what follows `=>` in an arm of a match.
fn end_of_arm(is_answer: bool, code: &str) -> String {
    if is_answer { format!("{code},") } else { format!("{{ {code} }}") }
}

/// Returns a pattern of variants.
fn alternatives(path: &str, variants: &[String]) -> String {
    let mut pattern = String::new();
    for variant in variants {
        let or = if pattern.is_empty() { "" } else { " | " };
        pattern += &format!("{or}{path}::{variant}");
    }
    pattern
}
