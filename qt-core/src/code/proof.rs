//! A test that proves a function equal to the tree that it was generated from.

use std::ops::RangeInclusive;

use super::function::Function;
use super::layouts::LayoutChoice;
use super::number::number;
use super::parameter::{BoundParameter, Parameter, ParameterKind};
use super::scope::Scope;
use crate::message::Message;
use crate::problem::{Place, Problem, Problems};
use crate::rust;
use crate::tokens::{Code, Ident, Literal, Span};
use crate::tree::{DecisionTree, Region};

impl Function<'_> {
    /// Returns a test named `test` that proves the function named `function` in this layout equal to the tree.
    ///
    /// The test lists the regions of the tree, each as its first and last size on every axis. In each region it checks all *breakpoints*:
    /// 0, every threshold of the layout, the sizes just below and above it, and the maximum. The regions cover all
    /// sizes. Code that only compares sizes with these thresholds is constant between two breakpoints, and is therefore
    /// proved. The test finds every moved threshold, changed answer and reversed comparison.
    /// It does not check how an edited copy behaves for sizes strictly between two neighbouring breakpoints.
    ///
    /// # Errors
    ///
    /// Returns an error for names that make no variants, ids that do not distinguish methods, and methods that may not run everywhere.
    ///
    /// # Panics
    ///
    /// Panics if the function falls back on a body, whose answers are unknown here.
    pub fn proof(&self, layout: LayoutChoice, test: &Ident, function: &Ident) -> Result<Code, Problems> {
        assert!(self.fallback.is_none(), "the answers of the user's body are unknown");
        let whole = self.tree;
        if !whole.guards().is_empty() {
            let message = "the proof does not support methods that may not run at some sizes between the \
                 samples";
            return Err(Problem::new(Place::File, message)
                .help(Message::from("remove ").option("certify"))
                .into());
        }
        let scope = Scope::new(self, rust!("::core::option::Option::None"))?;
        let tree = whole.with_canonical_methods(&scope.answers.canonical_methods(whole.domain()));
        let cuts = (layout.choose(&tree).cuts)(&tree);
        let axes = 0..scope.parameters.len();
        let names = &scope.names;
        let local = |what: &str, axis: usize| names.local(&format!("{what}_{axis}"));
        let points: Vec<Ident> =
            axes.clone().map(|axis| names.item(&format!("QTDEC_POINTS_{axis}"))).collect();
        let ends: Vec<Ident> = axes.clone().map(|axis| local("ends", axis)).collect();
        let points_at: Vec<Ident> = axes.clone().map(|axis| local("point", axis)).collect();
        let [regions, answers] = ["QTDEC_REGIONS", "QTDEC_ANSWERS"].map(|name| names.item(name));
        let [expected, answer] = ["expected", "answer"].map(|name| names.local(name));

        let breakpoints = axes.clone().map(|axis| {
            let sizes = breakpoints(&tree, &cuts, axis);
            let sizes: Vec<Literal> = sizes.iter().map(|&size| number(size, Span::CALL_SITE)).collect();
            rust!("&[#(#sizes),*]"; sizes)
        });
        let breakpoints: Vec<Code> = breakpoints.collect();
        let known = tree.root().answers();
        let labels = known.iter().map(|method| method.map(|method| tree.domain().method(method).label()));
        let labels = labels.map(|label| label.unwrap_or_else(|| "no decision".to_owned()));
        let labels: Vec<String> = labels.collect();
        let listed = tree.regions().into_iter().map(|region| {
            let ends = axes.clone().map(|axis| {
                let sizes = sizes(&tree, &region, axis);
                let [first, last] = [*sizes.start(), *sizes.end()].map(|size| number(size, Span::CALL_SITE));
                rust!("[#first, #last]"; first, last)
            });
            let ends: Vec<Code> = ends.collect();
            let answer = known.iter().position(|known| *known == region.method).unwrap_or_default();
            rust!("(#(#ends,)* #answer)"; ends, answer)
        });
        let listed: Vec<Code> = listed.collect();
        let of_ends: Vec<Code> = axes.clone().map(|_| rust!("[u64; 2]")).collect();
        let numbers: Vec<usize> = (0..known.len()).collect();
        let patterns: Vec<Code> = known.iter().map(|&method| scope.answers.get(method)).collect();
        let arguments = scope.parameters.iter().zip(&points_at);
        let arguments: Vec<Code> = arguments.map(|(bound, point)| bound.of_point(point)).collect();
        let call = format!("{function}({})", vec!["{}"; points_at.len()].join(", "));
        let message = format!("{call} is not `{{}}`");
        let ask = rust!(
            "let #answer = match #function(#(#arguments),*) {
                 #(#patterns => #numbers,)*
                 #[allow(unreachable_patterns)]
                 _ => usize::MAX,
             };
             ::core::assert!(#answer == #expected, #message, #(#points_at,)* #answers[#expected]);";
            answer, function, arguments, patterns, numbers, expected, message, points_at, answers
        );
        let ask = axes.clone().rev().fold(ask, |inner, axis| {
            let (points, point, ends) = (&points[axis], &points_at[axis], &ends[axis]);
            let skip = scope.parameters[axis].skip_too_large(point);
            rust!(
                "for &#point in #points {
                     if #point < #ends[0] || #point > #ends[1] {
                         continue;
                     }
                     #skip
                     #inner
                 }";
                point, points, ends, skip, inner
            )
        });
        let about = format!(
            " Calls `{function}` at every size next to a border of a region, and at the smallest and the \
                 largest: between"
        );
        Ok(rust!(
            "#[doc = #about]
             /// these it compares nothing, so its answer stays the same.
             #[cfg(test)]
             #[test]
             #[allow(irrefutable_let_patterns)]
             fn #test() {
                 #(const #points: &[u64] = #breakpoints;)*
                 const #answers: &[&str] = &[#(#labels),*];
                 /// The first and the last size on each axis, and the number of the answer.
                 const #regions: &[(#(#of_ends,)* usize)] = &[#(#listed),*];
                 for &(#(#ends,)* #expected) in #regions {
                     #ask
                 }
             }";
            about, test, points, breakpoints, answers, labels, regions, of_ends, listed, ends, expected, ask
        ))
    }
}

impl BoundParameter<'_> {
    /// Returns the argument for a point, which is a `u64`, or the position of a label.
    fn of_point(&self, point: &Ident) -> Code {
        match &self.kind {
            ParameterKind::Size => rust!("#point"; point),
            ParameterKind::Truth { first } => {
                if *first {
                    rust!("#point == 0"; point)
                } else {
                    rust!("#point != 0"; point)
                }
            }
            ParameterKind::Label { path, variants } => {
                let (last, others) = variants.split_last().expect("an axis has two labels");
                let positions: Vec<usize> = (0..others.len()).collect();
                rust!(
                    "match #point { #(#positions => #path::#others,)* _ => #path::#last }";
                    point, positions, path, others, last
                )
            }
        }
    }

    /// Skips points that the type cannot hold, because the function cannot be called with them.
    fn skip_too_large(&self, point: &Ident) -> Code {
        let Parameter { ty, .. } = self.parameter;
        match self.kind {
            ParameterKind::Size => rust!(
                "let #point: ::core::result::Result<#ty, _> = ::core::convert::TryFrom::try_from(#point);
                 let ::core::result::Result::Ok(#point) = #point else { continue };";
                point, ty
            ),
            ParameterKind::Truth { .. } | ParameterKind::Label { .. } => Code::new(),
        }
    }
}

/// Returns the breakpoints of an axis, between which the function gives the same answer; all positions of a labelled axis.
fn breakpoints(tree: &DecisionTree, cuts: &[(usize, usize)], axis: usize) -> Vec<u64> {
    let described = &tree.domain().axes()[axis];
    if described.values().is_none() {
        return (0..described.len() as u64).collect();
    }
    let thresholds = cuts.iter().filter(|(cut, _)| *cut == axis).map(|&(_, at)| tree.threshold(axis, at));
    let near = thresholds.flat_map(|at| [at.saturating_sub(1), at, at.saturating_add(1)]);
    // The maximum of every type, which is the last breakpoint for the sizes that it can hold.
    let greatest = [u8::MAX.into(), u16::MAX.into(), u32::MAX.into(), u64::MAX]
        .into_iter()
        .flat_map(|unsigned: u64| [unsigned >> 1, unsigned]);
    let mut sizes: Vec<u64> = near.chain([0]).chain(greatest).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Returns the sizes of a region on an axis, or the positions of its labels.
fn sizes(tree: &DecisionTree, region: &Region, axis: usize) -> RangeInclusive<u64> {
    if tree.domain().axes()[axis].values().is_none() {
        let samples = &region.samples[axis];
        return samples.start as u64..=samples.end as u64 - 1;
    }
    let (from, below) = tree.bounds(region, axis);
    from.unwrap_or(0)..=below.map_or(u64::MAX, |below| below - 1)
}
