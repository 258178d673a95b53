//! The layout of a tree as a table, without branches and without bounds checks at run time.
//!
//! A size is first clamped between the first and the last threshold, in its own type. This handles negative sizes and sizes of more
//! than 64 bits. From the clamp, or from the mask of a power of two, the compiler also sees that no index is out of
//! bounds.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::answers::Answers;
use super::decision::Decision;
use super::layout::Layout;
use super::limits::check_answers;
use super::names::Names;
use super::number::number;
use super::parameter::BoundParameter;
use super::scope::Scope;
use crate::domain::MethodIndex;
use crate::problem::Problem;
use crate::tree::DecisionTree;
use crate::tree::table::{AxisIndex, DecisionTable, IntervalLookup};

/// One flat table with an index for each axis: the fastest layout for large trees with varying calls.
#[derive(Debug)]
pub(super) struct FlatTable;

impl Layout for FlatTable {
    fn name(&self) -> &'static str {
        "table"
    }

    fn summary(&self) -> &'static str {
        "a table without branches"
    }

    fn write(&self, tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem> {
        let Scope { parameters, answers, names, .. } = scope;
        let table = DecisionTable::from_tree(tree)?;
        if let [answer] = table.answers[..] {
            return Ok(Decision::alone(answers.get(answer)));
        }
        let axes: Vec<IndexedAxis<'_>> = table
            .axes
            .iter()
            .zip(parameters)
            .enumerate()
            .filter_map(|(axis, (index, bound))| {
                Some(IndexedAxis { axis, index: index.as_ref()?, bound, names })
            })
            .collect();
        let lists = axes.iter().map(IndexedAxis::list);
        let steps: Vec<Ident> =
            axes.iter().map(|indexed| names.local(&format!("qtdec_step_{}", indexed.axis))).collect();
        let values = axes.iter().map(IndexedAxis::step);
        let numbers = of_numbers(&table, answers);
        if numbers.is_none() {
            check_answers(table.answers.len())?;
        }
        let row =
            table.axes.iter().flatten().next_back().map_or(1, |axis| axis.intervals.next_power_of_two());
        let filled = numbers.as_ref().unwrap_or(&table).entries.clone();
        let (entries, entry) = entries(filled, table.answers.len(), row, &quote!(#(#steps)+*), names);
        let index = names.local("index");
        Ok(Decision {
            items: TokenStream::new(),
            statements: quote!(#(#lists)* #entries #(let #steps = #values;)* let #index = #entry;),
            value: if numbers.is_some() {
                answers.number(&index)
            } else {
                dispatch(&table.answers, answers, &index)
            },
            lints: lints(&table, numbers.is_some()),
        })
    }
}

/// Returns the lints. The casts are lossless: the values lie between two thresholds, or rounding is intended.
fn lints(table: &DecisionTable, of_numbers: bool) -> Vec<TokenStream> {
    let lookup: Vec<&IntervalLookup> = table.axes.iter().flatten().map(|axis| &axis.lookup).collect();
    let mut lints = Vec::new();
    if lookup.iter().any(|lookup| matches!(lookup, IntervalLookup::Size { .. } | IntervalLookup::Exponent(_)))
    {
        lints.extend([
            quote!(clippy::cast_possible_truncation),
            quote!(clippy::cast_sign_loss),
            quote!(clippy::manual_clamp),
            quote!(clippy::unnecessary_cast),
            quote!(trivial_numeric_casts),
        ]);
    }
    if lookup.iter().any(|lookup| matches!(lookup, IntervalLookup::Exponent(_))) {
        lints.extend([quote!(clippy::cast_precision_loss), quote!(clippy::too_many_lines)]);
    }
    if of_numbers {
        lints.extend([quote!(clippy::cast_lossless), quote!(clippy::cast_possible_wrap)]);
        lints.extend([quote!(clippy::unnecessary_cast), quote!(trivial_numeric_casts)]);
    } else if !table.answers.len().is_power_of_two() {
        lints.push(quote!(clippy::match_same_arms));
    }
    lints
}

/// An axis that the table uses, with its parameter.
struct IndexedAxis<'s> {
    axis: usize,
    index: &'s AxisIndex,
    bound: &'s BoundParameter<'s>,
    names: &'s Names,
}

impl IndexedAxis<'_> {
    fn list_name(&self) -> Ident {
        self.names.item(&format!("QTDEC_AXIS_{}", self.axis))
    }

    /// Returns the list for lookups on the axis.
    fn list(&self) -> TokenStream {
        let name = self.list_name();
        match &self.index.lookup {
            IntervalLookup::Label(_) | IntervalLookup::Comparisons(_) => TokenStream::new(),
            IntervalLookup::Size { numbers, .. } => {
                let length = Literal::usize_unsuffixed(numbers.len());
                let numbers = bytes(numbers.chunks(64));
                quote!(static #name: [u8; #length] = *#numbers;)
            }
            IntervalLookup::Exponent(buckets) => {
                let length = Literal::usize_unsuffixed(buckets.count());
                let ty = if buckets.is_short() { quote!(u32) } else { quote!(u64) };
                let list = buckets.list().into_iter().map(|bucket| {
                    let threshold = number(bucket.threshold, Span::call_site());
                    let below = number((bucket.below * self.index.stride) as u64, Span::call_site());
                    quote!((#threshold, #below))
                });
                quote!(static #name: [(#ty, #ty); #length] = [#(#list),*];)
            }
        }
    }

    /// Returns the offset of the parameter in the entries, as a `usize`.
    fn step(&self) -> TokenStream {
        let AxisIndex { stride, lookup, .. } = self.index;
        let times = (*stride > 1).then(|| {
            let stride = number(*stride as u64, Span::call_site());
            quote!(* #stride)
        });
        let list = self.list_name();
        match lookup {
            IntervalLookup::Label(firsts) => {
                let interval = self.bound.interval(firsts);
                quote!(#interval #times)
            }
            IntervalLookup::Comparisons(thresholds) => {
                let size = self.bound.size();
                let thresholds = thresholds.iter().map(|&threshold| self.bound.number(threshold));
                let above = thresholds.map(|threshold| quote!((#size >= #threshold) as usize));
                let above = quote!(#(#above)+*);
                if times.is_some() { quote!((#above) #times) } else { above }
            }
            IntervalLookup::Size { first, numbers } => {
                // The list begins with zero.
                let lowest = if self.bound.is_unsigned() { 0 } else { first - 1 };
                let size = self.between(lowest, numbers.len() as u64 - 1);
                quote!(#list[(#size) as usize] as usize #times)
            }
            IntervalLookup::Exponent(buckets) => {
                let clamped = self.between(buckets.lowest(), buckets.last());
                let shift = Literal::u32_unsuffixed(buckets.shift());
                let mask = number(buckets.count() as u64 - 1, Span::call_site());
                let [size, threshold, below] =
                    ["size", "threshold", "below"].map(|name| self.names.local(name));
                let nonzero = if buckets.begins_at_zero() { quote!((#size | 1)) } else { quote!(#size) };
                let widened = if buckets.is_short() { quote!(#threshold as u64) } else { quote!(#threshold) };
                quote!({
                    let #size = (#clamped) as u64;
                    let (#threshold, #below) = #list[((#nonzero as f64).to_bits() >> #shift) as usize & #mask];
                    #below as usize + (#size >= #widened) as usize #times
                })
            }
        }
    }

    /// Clamps the size that the parameter gives. The lower bound is not the maximum of the type.
    fn between(&self, lowest: u64, last: u64) -> TokenStream {
        let name = self.bound.size();
        let literal = |size| self.bound.number(size);
        let (least, first, last) = (literal(lowest), literal(lowest + 1), literal(last));
        let below_last = quote!(if #name < #last { #name } else { #last });
        if lowest == 0 && self.bound.is_unsigned() {
            below_last
        } else {
            quote!(if #name < #first { #least } else #below_last)
        }
    }
}

/// Generates the entries, in rows of this many, and the entry at this place.
fn entries(
    mut entries: Vec<u16>,
    kinds: usize,
    row: usize,
    place: &TokenStream,
    names: &Names,
) -> (TokenStream, TokenStream) {
    let name = names.item("QTDEC_TABLE");
    entries.resize(entries.len().next_power_of_two(), 0);
    let mask = number(entries.len() as u64 - 1, Span::call_site());
    let place = quote!((#place) & #mask);
    if kinds <= 1 << 8 {
        let length = Literal::usize_unsuffixed(entries.len());
        let entries: Vec<u8> = entries.into_iter().map(|entry| entry as u8).collect();
        let entries = bytes(entries.chunks(row));
        return (quote!(static #name: [u8; #length] = *#entries;), quote!(#name[#place]));
    }
    let length = Literal::usize_unsuffixed(2 * entries.len());
    let entries: Vec<u8> = entries.into_iter().flat_map(u16::to_le_bytes).collect();
    let entries = bytes(entries.chunks(2 * row));
    let place_of = names.local("place");
    let entry = quote!({
        let #place_of = (#place) * 2;
        #name[#place_of] as u16 | (#name[#place_of + 1] as u16) << 8
    });
    (quote!(static #name: [u8; #length] = *#entries;), entry)
}

const HEX: [&str; 16] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];

/// Returns a byte string with one line for each row. Compilers read it many times faster than a list of numbers.
fn bytes<'b>(rows: impl Iterator<Item = &'b [u8]>) -> Literal {
    let mut literal = String::from("b\"");
    for row in rows {
        literal.push_str("\\\n");
        literal.extend(
            row.iter().flat_map(|byte| ["\\x", HEX[usize::from(*byte >> 4)], HEX[usize::from(*byte & 15)]]),
        );
    }
    literal.push('"');
    literal.parse().expect("escaped bytes are a literal")
}

/// Returns the table with the returned numbers as its entries, if numbers are returned and are small enough.
fn of_numbers(table: &DecisionTable, answers: &Answers) -> Option<DecisionTable> {
    let number = |method: &Option<MethodIndex>| u8::try_from(answers.id((*method)?)?).ok().map(u16::from);
    let numbers: Vec<u16> = table.answers.iter().map(number).collect::<Option<_>>()?;
    let entries = table.entries.iter().map(|&entry| numbers[usize::from(entry)]).collect();
    Some(DecisionTable { entries, ..table.clone() })
}

/// Converts an entry into the answer.
///
/// The compiler turns the match into a table of its own, without a branch, if every value of this many bits has an arm. Values that no
/// entry has repeat the answers from the first on.
pub(super) fn dispatch(known: &[Option<MethodIndex>], answers: &Answers, index: &Ident) -> TokenStream {
    let values = known.len().next_power_of_two();
    let literal = |value: usize| Literal::usize_unsuffixed(value);
    let arms = known.iter().enumerate().map(|(position, method)| {
        let answer = answers.get(*method);
        let values = (position..values - 1).step_by(known.len()).map(literal);
        quote!(#(#values)|* => #answer,)
    });
    // The last value has its own arm, or repeats the answers like the others.
    let (arms, rest) = if values == known.len() {
        (arms.take(values - 1).collect::<TokenStream>(), known[values - 1])
    } else {
        (arms.collect(), known[(values - 1) % known.len()])
    };
    let rest = answers.get(rest);
    let mask = literal(values - 1);
    let masked = if values == 1 << 8 || values == 1 << 16 { quote!(#index) } else { quote!(#index & #mask) };
    quote!(match #masked { #arms _ => #rest, })
}
