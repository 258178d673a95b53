//! Parsers for values of options that several commands have.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use qtdec_core::domain::Basis;

use qtdec_study::measurements::Statistic;
use qtdec_study::readers::Counted;

/// Returns a parser of the names in a list, which returns their values.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    known: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(known.iter().map(|(name, _)| *name));
    names.try_map(|name| named(known, &name).ok_or("it is not in the list"))
}

fn named<T: Copy>(known: &[(&str, T)], name: &str) -> Option<T> {
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Parses `NAME=VALUE`.
pub fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub fn basis(text: &str) -> Result<Basis, String> {
    named(&Basis::ALL, text).ok_or_else(|| "one of block, buffer and total".to_owned())
}

/// Parses what the message sizes of files count.
pub(crate) fn counted(text: &str) -> Result<Counted, String> {
    Counted::parse(text).ok_or_else(|| "one of block, buffer, total and share".to_owned())
}

pub fn statistic(text: &str) -> Result<Statistic, String> {
    let known = "median, mean, geomean, trimmed, min, max, or a quantile such as p90";
    Statistic::parse(text).ok_or_else(|| known.to_owned())
}

/// Parses a percentage of at least 0.
pub fn percent(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|percent| *percent >= 0.0 && f64::is_finite(*percent))
        .ok_or_else(|| "a percentage, such as 5".to_owned())
}
