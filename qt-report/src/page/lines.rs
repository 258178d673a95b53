//! The lines of a printed function that hold the conditions and answers of its tree.
//!
//! The branches of the tree and the printed ones are traversed in parallel, so no condition is parsed: the tree
//! determines which of them hold in a cell.

use std::collections::HashMap;

use qtdec_core::DecisionTree;
use qtdec_core::tree::{Arm, Block, Bound, Condition};
use syn::spanned::Spanned;
use syn::{Expr, ItemFn, Stmt};

/// The branches of a tree with the line numbers, counted from 1, where they are printed.
#[derive(Debug)]
pub(super) struct LineMap<'t> {
    block: &'t Block,
    lines: Lines,
}

/// The lines of a block.
#[derive(Debug)]
enum Lines {
    Answer(usize),
    /// For each arm, the line of its condition and the lines of its body; then those of the last `else`.
    Branches(Vec<(usize, Lines)>, Box<Lines>),
}

/// The lines that decide a call: the conditions that hold, from the outermost inwards, and the answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ExecutionTrace {
    pub(super) conditions: Vec<usize>,
    pub(super) answer: usize,
}

impl<'t> LineMap<'t> {
    /// Finds the lines of a tree in its function in nested branches. Returns `None` if the text belongs to another tree.
    pub(super) fn new(tree: &'t DecisionTree, text: &str) -> Option<Self> {
        let function: ItemFn = syn::parse_str(text).ok()?;
        let parts = function.block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(syn::Item::Fn(part)) => Some((part.sig.ident.to_string(), &*part.block)),
            _ => None,
        });
        let parts = parts.collect();
        let lines = lines(tree.block(), tail(&function.block)?, &parts)?;
        Some(Self { block: tree.block(), lines })
    }

    /// Returns the lines that decide the cell of these samples.
    pub(super) fn trace(&self, samples: &[usize]) -> ExecutionTrace {
        let mut conditions = Vec::new();
        let (mut block, mut lines) = (self.block, &self.lines);
        loop {
            match (block, lines) {
                (Block::Branches { arms, otherwise }, Lines::Branches(lines_of_arms, lines_otherwise)) => {
                    let mut arms = arms.iter().zip(lines_of_arms);
                    (block, lines) = match arms.find(|(arm, _)| holds(&arm.when, samples)) {
                        Some((Arm { then, .. }, (line, lines))) => {
                            conditions.push(*line);
                            (then, lines)
                        }
                        None => (&**otherwise, &**lines_otherwise),
                    };
                }
                (_, Lines::Answer(answer)) => return ExecutionTrace { conditions, answer: *answer },
                (_, Lines::Branches(..)) => unreachable!("lines are those of the block"),
            }
        }
    }
}

fn holds(condition: &Condition, samples: &[usize]) -> bool {
    let side = |bound: &Bound| (samples[bound.axis] < bound.at) == bound.below;
    match condition {
        Condition::Side(bound) => side(bound),
        Condition::Corner(first, second) => side(first) && side(second),
        Condition::Diagonal(first, second) => side(first) == side(second),
    }
}

/// The inner functions, which hold parts that were moved out of a large function.
type Parts<'p> = HashMap<String, &'p syn::Block>;

fn lines(block: &Block, printed: &Expr, parts: &Parts<'_>) -> Option<Lines> {
    let Block::Branches { arms, otherwise } = block else {
        return Some(Lines::Answer(line(printed)));
    };
    let mut printed = inside(printed, parts)?;
    let mut of_arms = Vec::new();
    let mut rest = &arms[..];
    loop {
        match (printed, rest) {
            (_, []) => break,
            (Expr::If(branch), [arm, others @ ..]) => {
                let then = lines(&arm.then, tail(&branch.then_branch)?, parts)?;
                of_arms.push((line(&branch.cond), then));
                printed = inside(&branch.else_branch.as_ref()?.1, parts)?;
                rest = others;
            }
            // Opposite corners are arms of one match, whose last arm has what remains.
            (Expr::Match(corners), [one, other, others @ ..]) if one.when.is_opposite(&other.when) => {
                let [first, second, last] = &corners.arms[..] else { return None };
                for (arm, corner) in [(one, first), (other, second)] {
                    of_arms.push((line(&corner.pat), lines(&arm.then, &corner.body, parts)?));
                }
                printed = inside(&last.body, parts)?;
                rest = others;
            }
            _ => return None,
        }
    }
    Some(Lines::Branches(of_arms, Box::new(lines(otherwise, printed, parts)?)))
}

/// Returns the branches in a block, or in the part that replaces them.
fn inside<'p>(printed: &'p Expr, parts: &Parts<'p>) -> Option<&'p Expr> {
    match printed {
        Expr::Block(block) => inside(tail(&block.block)?, parts),
        Expr::Call(call) => match &*call.func {
            Expr::Path(name) => match name.path.get_ident().and_then(|name| parts.get(&name.to_string())) {
                Some(part) => inside(tail(part)?, parts),
                None => Some(printed),
            },
            _ => Some(printed),
        },
        _ => Some(printed),
    }
}

fn tail(block: &syn::Block) -> Option<&Expr> {
    match block.stmts.last()? {
        Stmt::Expr(expression, None) => Some(expression),
        _ => None,
    }
}

fn line(part: &impl Spanned) -> usize {
    part.span().start().line
}

#[cfg(test)]
mod tests {
    use qtdec_build::{ItemOptions, LayoutChoice};
    use qtdec_core::{DecisionMap, Document, Options, naming};
    use qtdec_testkit::maps::{Pattern, Plan};

    use super::*;

    fn tree(map: DecisionMap) -> DecisionTree {
        Options::parse::<&str>(&[]).unwrap().tree(Document::Map(map)).unwrap()
    }

    fn printed(tree: &DecisionTree) -> String {
        let layout = LayoutChoice::BRANCHES;
        let style = ItemOptions { optional: !tree.is_total(), layout, ..ItemOptions::named("select") };
        style.function(tree, "map.json").unwrap()
    }

    #[test]
    fn a_trace_holds_the_conditions_and_the_answer() {
        let tree = tree(Plan { methods: 4, ..Plan::new(&[2, 2], Pattern::Different, 1) }.map());
        let text = printed(&tree);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let map = LineMap::new(&tree, &text).unwrap();
        let traced = |samples: [usize; 2]| {
            let trace = map.trace(&samples);
            let lines_of = trace.conditions.iter().chain([&trace.answer]);
            lines_of.map(|line| lines[line - 1]).collect::<Vec<_>>()
        };
        let [x, y] =
            [0, 1].map(|axis| format!("{} < {}", tree.domain().axes()[axis].name, tree.threshold(axis, 1)));
        let (left, above, below) = (format!("if {x} {{"), format!("if {y} {{"), format!("}} else if {y} {{"));
        let expected = [
            ([0, 0], vec![&*left, &above, "Select::Method0"]),
            ([0, 1], vec![&*left, "Select::Method1"]),
            ([1, 0], vec![&*below, "Select::Method2"]),
            ([1, 1], vec!["Select::Method3"]),
        ];
        for (samples, lines) in expected {
            assert_eq!(traced(samples), lines, "{text}");
        }
    }

    /// Tests trees that are printed whole and in parts.
    #[test]
    fn each_cell_is_decided_on_a_line_that_names_its_method() {
        for (shape, pattern, is_cut) in [
            (&[9, 7][..], Pattern::Smooth, false),
            (&[8, 8], Pattern::Checkerboard, false),
            (&[24, 24], Pattern::Noise, true),
            (&[10, 9, 8], Pattern::Noise, true),
        ] {
            let tree = tree(Plan { nulls: 10, ..Plan::new(shape, pattern, 3) }.map());
            let text = printed(&tree);
            assert_eq!(text.contains("fn qtdec_part_"), is_cut, "{text}");
            let lines: Vec<&str> = text.lines().collect();
            let map = LineMap::new(&tree, &text).unwrap();
            for (cell, method) in tree.cells().into_iter().enumerate() {
                let mut rest = cell;
                let mut samples: Vec<usize> =
                    shape.iter().rev().map(|len| (rest % len, rest /= len).0).collect();
                samples.reverse();
                let answer = lines[map.trace(&samples).answer - 1];
                let variant = method.map(|method| naming::upper_camel(&tree.domain().method(method).label()));
                assert!(answer.contains(variant.as_deref().unwrap_or("None")), "{samples:?}: {answer}");
            }
        }
    }

    #[test]
    fn the_text_of_another_tree_has_no_lines() {
        let [one, other] = [1, 2].map(|seed| tree(Plan::new(&[9, 7], Pattern::Noise, seed).map()));
        assert!(LineMap::new(&one, &printed(&other)).is_none());
        assert!(LineMap::new(&one, "struct S;").is_none());
    }
}
