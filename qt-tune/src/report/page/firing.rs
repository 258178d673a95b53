//! Which lines of a generated function decide a call.
//!
//! The printed text itself is read and followed, so that what is shown is what the compiler sees.

use std::collections::HashMap;

use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, ExprIf, ItemFn, Lit, Stmt, UnOp};

/// A decision function as it is printed.
pub(super) struct Printed {
    body: Block,
    /// The functions within it, by name.
    parts: HashMap<String, Block>,
}

/// What a call gives on an axis.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Size(u64),
    Truth(bool),
    Variant(String),
}

/// The lines that a call passes, counted from 1: the conditions that hold, and the answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fired {
    pub(super) conditions: Vec<usize>,
    pub(super) answer: Option<usize>,
}

impl Printed {
    /// Reads the text of a function; `None` if it is none.
    pub(super) fn read(text: &str) -> Option<Self> {
        let function: ItemFn = syn::parse_str(text).ok()?;
        let parts = function.block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(syn::Item::Fn(part)) => Some((part.sig.ident.to_string(), (*part.block).clone())),
            _ => None,
        });
        Some(Self { parts: parts.collect(), body: *function.block })
    }

    /// Follows a call; `None` if the text holds what decision functions do not.
    pub(super) fn follow(&self, given: &HashMap<&str, Given>) -> Option<Fired> {
        let mut call = Call { printed: self, given, fired: Fired::default() };
        // A large function first finds the number of the method, and then what stands for it.
        let found = self.body.stmts.iter().find_map(|statement| match statement {
            // `let _ = comm_size;` uses a parameter that no condition looks at.
            Stmt::Local(local) if !matches!(local.pat, syn::Pat::Wild(_)) => {
                local.init.as_ref().map(|init| &*init.expr)
            }
            _ => None,
        });
        let Some(found) = found else {
            call.block(&self.body)?;
            return Some(call.fired);
        };
        let number = call.expression(found)?;
        if let Some(Stmt::Expr(Expr::Match(answers), _)) = self.body.stmts.last() {
            let answer = answers.arms.iter().find(|arm| match &arm.pat {
                syn::Pat::Lit(literal) => whole(&literal.lit) == number,
                _ => true,
            });
            call.fired.answer = Some(line(answer?));
        }
        Some(call.fired)
    }
}

struct Call<'c> {
    printed: &'c Printed,
    given: &'c HashMap<&'c str, Given>,
    fired: Fired,
}

impl Call<'_> {
    fn block(&mut self, block: &Block) -> Option<Option<u64>> {
        match block.stmts.last()? {
            Stmt::Expr(expression, None) => self.expression(expression),
            _ => None,
        }
    }

    /// The number that an expression leads to, if it leads to one.
    fn expression(&mut self, expression: &Expr) -> Option<Option<u64>> {
        match expression {
            Expr::If(branches) => self.branches(branches),
            Expr::Block(block) => self.block(&block.block),
            Expr::Call(call) => {
                let Expr::Path(name) = &*call.func else { return self.answer(expression) };
                let name = name.path.get_ident().map(ToString::to_string);
                match name.and_then(|name| self.printed.parts.get(&name)) {
                    Some(part) => self.block(part),
                    None => self.answer(expression),
                }
            }
            _ => self.answer(expression),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "what `expression` gives")]
    fn answer(&mut self, expression: &Expr) -> Option<Option<u64>> {
        self.fired.answer = Some(line(expression));
        Some(match expression {
            Expr::Lit(literal) => whole(&literal.lit),
            _ => None,
        })
    }

    /// A chain of `else if` is followed in a loop: it may be long.
    fn branches(&mut self, first: &ExprIf) -> Option<Option<u64>> {
        let mut branches = first;
        loop {
            if self.holds(&branches.cond)? {
                self.fired.conditions.push(line(&branches.cond));
                return self.block(&branches.then_branch);
            }
            match &*branches.else_branch.as_ref()?.1 {
                Expr::If(next) => branches = next,
                otherwise => return self.expression(otherwise),
            }
        }
    }

    fn holds(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Paren(inner) => self.holds(&inner.expr),
            Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => Some(!self.holds(&not.expr)?),
            Expr::Path(name) => match self.given(name)? {
                Given::Truth(truth) => Some(*truth),
                _ => None,
            },
            Expr::Macro(matches) => self.matches(&matches.mac),
            Expr::Binary(binary) => {
                let (left, right) = (&*binary.left, &*binary.right);
                match binary.op {
                    BinOp::And(_) => Some(self.holds(left)? && self.holds(right)?),
                    BinOp::Eq(_) => Some(self.holds(left)? == self.holds(right)?),
                    BinOp::Ne(_) => Some(self.holds(left)? != self.holds(right)?),
                    BinOp::Lt(_) => Some(self.size(left)? < threshold(right)?),
                    BinOp::Ge(_) => Some(self.size(left)? >= threshold(right)?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn given(&self, name: &syn::ExprPath) -> Option<&Given> {
        self.given.get(&*name.path.get_ident()?.to_string())
    }

    fn size(&self, expression: &Expr) -> Option<u64> {
        match expression {
            Expr::Path(name) => match self.given(name)? {
                Given::Size(size) => Some(*size),
                _ => None,
            },
            _ => None,
        }
    }

    /// `matches!(name, Enum::First | Enum::Second)`: the variants are the identifiers that end a path.
    fn matches(&self, call: &syn::Macro) -> Option<bool> {
        let text = call.tokens.to_string();
        let (name, variants) = text.split_once(',')?;
        match self.given.get(name.trim().trim_start_matches(['&', '*']))? {
            Given::Variant(given) => {
                Some(variants.split('|').any(|path| path.rsplit("::").next().map(str::trim) == Some(given)))
            }
            _ => None,
        }
    }
}

fn threshold(expression: &Expr) -> Option<u64> {
    match expression {
        Expr::Lit(literal) => whole(&literal.lit),
        _ => None,
    }
}

fn whole(literal: &Lit) -> Option<u64> {
    match literal {
        Lit::Int(whole) => whole.base10_parse().ok(),
        _ => None,
    }
}

fn line(part: &impl Spanned) -> usize {
    part.span().start().line
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn decide(p: usize, m: usize, flag: bool, op: Op) -> u8 {
    const _: () = ();
    const fn part(p: usize, m: usize) -> u16 {
        if p < 4 { 7 } else { 9 }
    }
    let index = if p < 8 && m >= 1_000 {
        part(p, m)
    } else if (p < 16) == (m < 32) {
        if !flag { 1 } else { 2 }
    } else if ::core::matches!(op, Op::Sum | Op::Max) {
        3
    } else {
        4
    };
    match index {
        7 => 70,
        1 => 10,
        _ => 0,
    }
}";

    #[test]
    fn the_text_is_followed() {
        let printed = Printed::read(TEXT).unwrap();
        let follow = |p: u64, m: u64, flag: bool, op: &str| {
            let given = HashMap::from([
                ("p", Given::Size(p)),
                ("m", Given::Size(m)),
                ("flag", Given::Truth(flag)),
                ("op", Given::Variant(op.to_owned())),
            ]);
            let fired = printed.follow(&given).unwrap();
            (fired.conditions, fired.answer.unwrap())
        };
        assert_eq!(follow(2, 1000, false, "Sum"), (vec![6, 4], 16));
        assert_eq!(follow(4, 1000, false, "Sum"), (vec![6], 18));
        assert_eq!(follow(9, 9, false, "Sum"), (vec![8, 9], 17));
        assert_eq!(follow(9, 9, true, "Sum"), (vec![8], 18));
        assert_eq!(follow(9, 99, true, "Max"), (vec![10], 18));
        assert_eq!(follow(9, 99, true, "Min"), (vec![], 18));
    }

    #[test]
    fn a_parameter_that_is_not_looked_at_decides_nothing() {
        let text = "fn f(p: usize, m: usize) -> u8 {\n    let _ = p;\n    if m < 8 { 1 } else {\n 2 }\n}";
        let printed = Printed::read(text).unwrap();
        let given = HashMap::from([("p", Given::Size(1)), ("m", Given::Size(9))]);
        assert_eq!(printed.follow(&given), Some(Fired { conditions: vec![], answer: Some(4) }));
    }

    #[test]
    fn what_is_no_decision_function_is_not_followed() {
        assert!(Printed::read("struct S;").is_none());
        let printed = Printed::read("fn f(p: usize) -> u8 { if g(p) { 1 } else { 2 } }").unwrap();
        assert_eq!(printed.follow(&HashMap::from([("p", Given::Size(1))])), None);
    }
}
