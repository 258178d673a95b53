//! Generated code in a crate without the standard library and the prelude, among names that shadow everything that it
//! could use, with all lints enabled: it must compile without warnings.

#![no_std]
#![no_implicit_prelude]
#![deny(
    warnings,
    future_incompatible,
    keyword_idents,
    let_underscore,
    missing_docs,
    nonstandard_style,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_code,
    unreachable_pub,
    unsafe_code,
    unused,
    unused_qualifications,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]

/// A module that generated code must not use.
pub mod core {}

/// A module that generated code must not use.
pub mod std {}

#[allow(dead_code)]
struct Option;
#[allow(dead_code)]
struct Some;
#[allow(dead_code)]
struct None;
#[allow(dead_code)]
struct Ok;

/// A macro that generated code must not use.
#[allow(unused_macros)]
macro_rules! assert {
    ($($tokens:tt)*) => {
        compile_error!("the wrong macro");
    };
}

/// A macro that generated code must not use.
#[allow(unused_macros)]
macro_rules! matches {
    ($($tokens:tt)*) => {
        compile_error!("the wrong macro");
    };
}

/// A macro that generated code must not use.
#[allow(unused_macros)]
macro_rules! include_str {
    ($($tokens:tt)*) => {
        compile_error!("the wrong macro");
    };
}

/// The methods, filled in from the map.
#[::decisions::decision_map(
    "../golden/bcast.json",
    "../golden/partial.json",
    "../golden/large.json",
    "../golden/labels.json"
)]
#[derive(::core::clone::Clone, ::core::marker::Copy)]
pub enum Method {}

/// The user's enum for the labels of an axis.
#[derive(::core::clone::Clone, ::core::marker::Copy)]
#[allow(missing_docs)]
pub enum Collective {
    Bcast,
    Reduce,
    AllReduce,
}

/// Returns an enum.
#[::decisions::decision_map("../golden/bcast.json")]
#[must_use]
pub const fn bcast(comm_size: u64, msg_size: u64) -> Method;

/// Returns an option.
#[::decisions::decision_map("../golden/partial.json")]
#[must_use]
pub const fn optional(comm_size: u64, msg_size: u64) -> ::core::option::Option<Method>;

/// Has a body.
#[::decisions::decision_map("../golden/partial.json")]
#[must_use]
pub const fn fallback(comm_size: u64, msg_size: u64) -> Method {
    Method::Ring
}

/// Is divided into parts.
#[::decisions::decision_map("../golden/large.json")]
#[must_use]
pub const fn large(comm_size: u64, msg_size: u64) -> Method;

/// Is encoded by greedy cuts.
#[::decisions::decision_map("../golden/large.json", encoding = "greedy")]
#[must_use]
pub const fn greedy(comm_size: u64, msg_size: u64) -> Method;

/// Returns a number.
#[::decisions::decision_map("../golden/bcast.json")]
#[must_use]
pub const fn number(comm_size: i64, msg_size: i64) -> u16;

/// Takes labels.
#[::decisions::decision_map("../golden/labels.json")]
#[must_use]
pub const fn labels(collective: Collective, commutative: bool, msg_size: usize) -> &'static str;

/// Is a table.
#[::decisions::decision_map("../golden/polaris.json", layout = "table")]
#[must_use]
pub const fn table(comm_size: usize, msg_size: u64) -> u16;

/// Is selections.
#[::decisions::decision_map("../golden/bcast.json", layout = "select")]
#[must_use]
pub const fn selections(comm_size: i128, msg_size: u64) -> Method;

/// Is selections with a body.
#[::decisions::decision_map("../golden/partial.json", layout = "select")]
#[must_use]
pub const fn selections_fallback(comm_size: u64, msg_size: u64) -> Method {
    Method::Ring
}

/// Is selections with labels.
#[::decisions::decision_map("../golden/labels.json", layout = "auto")]
#[must_use]
pub const fn selections_of_labels(collective: Collective, commutative: bool, msg_size: i64) -> Method;

/// Is a table with labels.
#[::decisions::decision_map("../golden/labels.json", layout = "table")]
#[must_use]
pub const fn table_of_labels(collective: Collective, commutative: bool, msg_size: i64) -> Method;

/// Is a table with a body.
#[::decisions::decision_map("../golden/partial.json", layout = "table")]
#[must_use]
pub const fn table_fallback(comm_size: u64, msg_size: u64) -> Method {
    Method::Ring
}

/// Has the same answer for all sizes.
#[::decisions::decision_map("../golden/constant.json")]
#[must_use]
pub const fn constant(comm_size: u64, msg_size: u64) -> &'static str;

/// Reads a map that the build script wrote.
#[::decisions::decision_map(concat!(env!("OUT_DIR"), "/map.json"))]
#[must_use]
pub const fn from_build_script(comm_size: u64, msg_size: u64) -> Method;

/// The output of a build script.
pub mod built {
    // Derives in an included file use the prelude of the place where it is included.
    use ::core::prelude::rust_2024::derive;

    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/qtdec/bcast.rs"));
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/qtdec/partial.rs"));
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/qtdec/polaris.rs"));
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/qtdec/large.rs"));
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/qtdec/three_axes.rs"));
}
