//! A tree as a coarse table, with branches in those of its cells that it does not decide.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::answers::Answers;
use super::branches::{Writer, items, nameable};
use super::decision::Decision;
use super::lints::of_branches;
use super::number::number;
use super::parameter::{Given, Parameters};
use super::parts::split_all;
use super::returned::Returned;
use super::table::{self, between, entries, list, step};
use crate::domain::MethodIndex;
use crate::problem::Problem;
use crate::tree::hybrid::Hybrid;
use crate::tree::table::{AxisIndex, Finds};
use crate::tree::{Block, DecisionTree, Node, Nodes, Subtree};

/// One flat table of cells that are found by exponents alone, and a `match` on what is left to decide.
pub(super) fn hybrid(
    root: Subtree<'_>,
    tree: &DecisionTree,
    parameters: &Parameters<'_>,
    answers: &Answers,
) -> Result<Decision, Problem> {
    if let Node::Leaf(method) = root.node() {
        return Ok(Decision::alone(answers.get(method)));
    }
    let hybrid = Hybrid::of(root, tree)?;
    let axes = hybrid.axes.iter().zip(parameters.iter()).enumerate();
    let axes: Vec<(usize, &AxisIndex, &Given<'_>)> =
        axes.filter_map(|(axis, (index, given))| Some((axis, index.as_ref()?, given))).collect();
    let steps: Vec<Ident> = axes.iter().map(|(axis, ..)| format_ident!("qtdec_step_{axis}")).collect();
    let lists = axes.iter().map(|(axis, index, _)| match index.finds {
        Finds::Exponent(_) => TokenStream::new(),
        _ => list(*axis, index),
    });
    let lists: TokenStream = lists.collect();
    let values = axes.iter().map(|(axis, index, given)| coarse_step(*axis, index, given));
    let (entries, entry) =
        entries(hybrid.entries.clone(), hybrid.cells.len(), hybrid.row(), &quote!(#(#steps)+*));
    let cell = Ident::new("cell", Span::mixed_site());
    // Leaves stand first: what they decide needs no branch but the one that finds that it is a leaf.
    let leaves: Vec<Option<MethodIndex>> = hybrid.cells.iter().map_while(leaf).collect();
    let mixed = &hybrid.cells[leaves.len()..];
    let blocks: Vec<Block> = mixed.iter().map(|nodes| Block::of(nodes.root())).collect();
    let of_blocks = mixed.iter().zip(&blocks);
    let lints = lints(of_blocks.flat_map(|(nodes, block)| of_branches(block, nodes.root(), parameters)));
    let (blocks, parts) = split_all(blocks);
    let writer = Writer { parameters, inner: false };
    let (items, decided) = if parts.is_empty() {
        let values = blocks.iter().map(|block| writer.tokens(block, &|method| answers.get(method)));
        (TokenStream::new(), choose(&cell, leaves.len(), values.collect()))
    } else {
        nameable(parameters)?;
        let returned = Returned::of(root, answers);
        let values = blocks.iter().map(|block| writer.tokens(block, &|method| returned.get(method)));
        let decision = choose(&cell, leaves.len(), values.collect());
        (items(&parts, parameters, &returned), returned.answer(&decision))
    };
    let value = match leaves.len() {
        0 => decided,
        _ if mixed.is_empty() => table::dispatch(&leaves, answers, &cell),
        count => {
            let (count, leaf) = (Literal::usize_unsuffixed(count), table::dispatch(&leaves, answers, &cell));
            quote!(if #cell < #count { #leaf } else { #decided })
        }
    };
    let statements = quote!(#lists #entries #(let #steps = #values;)* let #cell = #entry;);
    Ok(Decision { items, statements, value, lints })
}

fn leaf(nodes: &Nodes) -> Option<Option<MethodIndex>> {
    match nodes.root().node() {
        Node::Leaf(method) => Some(method),
        Node::Test { .. } => None,
    }
}

/// What the branches break, and what the way to the cell does, once each.
fn lints(of_branches: impl Iterator<Item = TokenStream>) -> Vec<TokenStream> {
    let casts = ["cast_possible_truncation", "cast_precision_loss", "cast_sign_loss", "unnecessary_cast"];
    let others = ["cognitive_complexity", "manual_clamp", "match_same_arms", "too_many_lines"];
    let names = casts.into_iter().chain(others).map(|name| Ident::new(name, Span::call_site()));
    let mut lints: Vec<TokenStream> = names.map(|name| quote!(clippy::#name)).chain(of_branches).collect();
    lints.push(quote!(trivial_numeric_casts));
    lints.sort_by_key(ToString::to_string);
    lints.dedup_by_key(|lint| lint.to_string());
    lints
}

/// The value that stands at the number of the cell, the first of them at `first`.
fn choose(cell: &Ident, first: usize, mut values: Vec<TokenStream>) -> TokenStream {
    let Some(rest) = values.pop() else { return TokenStream::new() };
    if values.is_empty() {
        return rest;
    }
    let numbers = (first..).map(Literal::usize_unsuffixed).take(values.len());
    quote!(match #cell { #(#numbers => #values,)* _ => #rest, })
}

/// How far a parameter goes through the cells, as a `usize`.
fn coarse_step(axis: usize, index: &AxisIndex, given: &Given<'_>) -> TokenStream {
    let Finds::Exponent(buckets) = &index.finds else { return step(axis, index, given) };
    let clamped = between(given, buckets.lowest(), buckets.last());
    let shift = Literal::u32_unsuffixed(buckets.shift());
    let mask = number(buckets.count() as u64 - 1, Span::call_site());
    let stride = number(index.stride as u64, Span::call_site());
    let size = quote!((#clamped) as u64);
    let nonzero = if buckets.begins_at_zero() { quote!((#size | 1)) } else { quote!((#size)) };
    let place = quote!(((#nonzero as f64).to_bits() >> #shift) as usize & #mask);
    if index.stride > 1 { quote!((#place) * #stride) } else { place }
}
