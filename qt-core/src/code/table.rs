//! The layout of a tree as a table, without branches and without bounds checks at run time.
//!
//! A size is first clamped between the first and the last threshold, in its own type. This handles negative sizes and sizes of more
//! than 64 bits. From the clamp, or from the mask of a power of two, the compiler also sees that no index is out of
//! bounds.

use super::answers::Answers;
use super::layout::{Decision, Layout};
use super::names::Names;
use super::number::number;
use super::parameter::{BoundParameter, ParameterKind};
use super::returns::ReturnKind;
use super::scope::Scope;
use crate::domain::MethodIndex;
use crate::message::Message;
use crate::problem::{Place, Problem};
use crate::tree::DecisionTree;
use crate::tree::table::{AxisIndex, DecisionTable, IntervalLookup};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// The maximum number of answers of a table whose entries are not the answers themselves.
///
/// The time that rustc takes for the match grows with the square of its arms: 12 seconds for 16384.
pub const MAX_TABLE_ANSWERS: usize = 1 << 14;

/// One flat table with an index for each axis: the fastest layout for large trees with varying calls.
pub(super) const TABLE: Layout = Layout { name: "table", summary: "a table without branches", write };

fn write(tree: &DecisionTree, scope: &Scope<'_>) -> Result<Decision, Problem> {
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
        .filter_map(|(axis, (index, bound))| Some(IndexedAxis { axis, index: index.as_ref()?, bound, names }))
        .collect();
    let lists: TokenStream = axes.iter().map(IndexedAxis::list).collect();
    let steps: Vec<Ident> =
        axes.iter().map(|indexed| names.local(&format!("qtdec_step_{}", indexed.axis))).collect();
    let values: Vec<TokenStream> = axes.iter().map(IndexedAxis::step).collect();
    let numbers = of_numbers(&table, answers);
    if numbers.is_none() {
        check_answers(table.answers.len())?;
    }
    let row = table.axes.iter().flatten().next_back().map_or(1, |axis| axis.intervals.next_power_of_two());
    let filled = numbers.as_ref().unwrap_or(&table).entries.clone();
    let place = quote!(#(#steps)+*);
    let (entries, entry) = entries(filled, table.answers.len(), row, &place, names);
    let index = names.local("index");
    Ok(Decision {
        items: TokenStream::new(),
        statements: quote!(#lists #entries #(let #steps = #values;)* let #index = #entry;),
        value: if numbers.is_some() {
            answers.number(&index)
        } else {
            dispatch(&table.answers, answers, &index)
        },
        lints: lints(&table, numbers.is_some()),
    })
}

fn check_answers(answers: usize) -> Result<(), Problem> {
    if answers <= MAX_TABLE_ANSWERS {
        return Ok(());
    }
    let message = format!(
        "a table of {answers} answers is too large for a compiler: the maximum is {MAX_TABLE_ANSWERS}"
    );
    Err(Problem::new(Place::File, message)
        .help(Message::set("layout", "branches"))
        .help("set a budget, which makes the tree smaller"))
}

impl Answers<'_> {
    /// Returns the answer whose id is the value of this variable.
    pub(super) fn number(&self, variable: &Ident) -> TokenStream {
        let number = match &self.function.returns {
            ReturnKind::Id(ty) => quote!(#variable as #ty),
            ReturnKind::Variant(_) | ReturnKind::Label | ReturnKind::Own(_) => quote!(#variable),
        };
        self.wrap(&number)
    }
}

impl BoundParameter<'_> {
    /// Returns the number of the interval of a label, as a `usize`. `firsts` are the first labels of all intervals except the first.
    fn interval(&self, firsts: &[usize]) -> TokenStream {
        let name = &self.parameter.name;
        match &self.kind {
            ParameterKind::Size => {
                let firsts: Vec<Literal> = firsts.iter().map(|&first| self.number(first as u64)).collect();
                quote!((0 #(+ (#name >= #firsts) as usize)*))
            }
            ParameterKind::Truth { first: false } => quote!(#name as usize),
            ParameterKind::Truth { first: true } => quote!(!#name as usize),
            ParameterKind::Label { path, variants } => {
                let begins = std::iter::once(0).chain(firsts.iter().copied());
                let ends = firsts.iter().copied().chain([variants.len()]);
                let arms = begins.zip(ends).enumerate().map(|(interval, (begin, end))| {
                    let labels = &variants[begin..end];
                    let interval = Literal::usize_suffixed(interval);
                    quote!(#(#path::#labels)|* => #interval,)
                });
                quote!((match #name { #(#arms)* }))
            }
        }
    }
}

/// Returns the lints. The casts are lossless: the values lie between two thresholds, or rounding is intended.
fn lints(table: &DecisionTable, of_numbers: bool) -> Vec<&'static str> {
    let lookup: Vec<&IntervalLookup> = table.axes.iter().flatten().map(|axis| &axis.lookup).collect();
    let mut lints = Vec::new();
    if lookup.iter().any(|lookup| matches!(lookup, IntervalLookup::Size { .. } | IntervalLookup::Exponent(_)))
    {
        lints.extend([
            "clippy::cast_possible_truncation",
            "clippy::cast_sign_loss",
            "clippy::manual_clamp",
            "clippy::unnecessary_cast",
            "trivial_numeric_casts",
        ]);
    }
    if lookup.iter().any(|lookup| matches!(lookup, IntervalLookup::Exponent(_))) {
        lints.extend(["clippy::cast_precision_loss", "clippy::too_many_lines"]);
    }
    if of_numbers {
        lints.extend(["clippy::cast_lossless", "clippy::cast_possible_wrap"]);
        lints.extend(["clippy::unnecessary_cast", "trivial_numeric_casts"]);
    } else if !table.answers.len().is_power_of_two() {
        lints.push("clippy::match_same_arms");
    }
    lints
}

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
                let ty = if buckets.is_short() { quote!(u32) } else { quote!(u64) };
                let list = buckets.list().into_iter().map(|bucket| {
                    let threshold = number(bucket.threshold, Span::call_site());
                    let below = number((bucket.below * self.index.stride) as u64, Span::call_site());
                    quote!((#threshold, #below))
                });
                let list: Vec<TokenStream> = list.collect();
                let length = Literal::usize_unsuffixed(buckets.count());
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
                let thresholds: Vec<Literal> = thresholds.collect();
                let above = quote!(#((#size >= #thresholds) as usize)+*);
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
                let shift = Literal::u64_unsuffixed(u64::from(buckets.shift()));
                let mask = number(buckets.count() as u64 - 1, Span::call_site());
                let [size, threshold, below] =
                    ["size", "threshold", "below"].map(|name| self.names.local(name));
                let nonzero = if buckets.begins_at_zero() { quote!((#size | 1)) } else { quote!(#size) };
                let widened = if buckets.is_short() { quote!(#threshold as u64) } else { quote!(#threshold) };
                quote! {
                    {
                        let #size = (#clamped) as u64;
                        let (#threshold, #below) = #list[((#nonzero as f64).to_bits() >> #shift) as usize & #mask];
                        #below as usize + (#size >= #widened) as usize #times
                    }
                }
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
    let width = if kinds <= 1 << 8 { 1 } else { 2 };
    let entries = entries.into_iter().flat_map(|entry| entry.to_le_bytes().into_iter().take(width));
    let entries: Vec<u8> = entries.collect();
    let length = Literal::usize_unsuffixed(entries.len());
    let entries = bytes(entries.chunks(width * row));
    let list = quote!(static #name: [u8; #length] = *#entries;);
    if width == 1 {
        return (list, quote!(#name[#place]));
    }
    let place_of = names.local("place");
    let entry = quote! {
        {
            let #place_of = (#place) * 2;
            #name[#place_of] as u16 | (#name[#place_of + 1] as u16) << 8
        }
    };
    (list, entry)
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
    literal.parse().expect("it is a byte string")
}

/// Returns the table with the returned numbers as its entries, if numbers are returned and are small enough.
fn of_numbers(table: &DecisionTable, answers: &Answers<'_>) -> Option<DecisionTable> {
    let number = |method: &Option<MethodIndex>| u8::try_from(answers.id((*method)?)?).ok().map(u16::from);
    let numbers: Vec<u16> = table.answers.iter().map(number).collect::<Option<_>>()?;
    let entries = table.entries.iter().map(|&entry| numbers[usize::from(entry)]).collect();
    Some(DecisionTable { entries, ..table.clone() })
}

/// Converts an entry into the answer.
///
/// The compiler turns the match into a table of its own, without a branch, if every value of this many bits has an arm. Values that no
/// entry has repeat the answers from the first on.
pub(super) fn dispatch(known: &[Option<MethodIndex>], answers: &Answers<'_>, index: &Ident) -> TokenStream {
    let values = known.len().next_power_of_two();
    let arms = known.iter().enumerate().map(|(position, method)| {
        let answer = answers.get(*method);
        let values = (position..values - 1).step_by(known.len()).map(Literal::usize_unsuffixed);
        quote!(#(#values)|* => #answer,)
    });
    // The last value has its own arm, or repeats the answers like the others.
    let (arms, rest) = if values == known.len() {
        (arms.take(values - 1).collect::<TokenStream>(), known[values - 1])
    } else {
        (arms.collect(), known[(values - 1) % known.len()])
    };
    let rest = answers.get(rest);
    let masked = if values == 1 << 8 || values == 1 << 16 {
        quote!(#index)
    } else {
        let mask = Literal::usize_unsuffixed(values - 1);
        quote!(#index & #mask)
    };
    quote!(match #masked { #arms _ => #rest, })
}
