//! Decision maps, decision trees and the code generated from them.
//!
//! This is the pure part of qtdec: it takes text and returns values, and does not access files, clocks or terminals.
//! Data flows in one direction:
//!
//! ```text
//!  text ──► DecisionMap ──► encode ──► DecisionTree ──► code
//! ```
//!
//! Programs use this crate through one of its front ends: the attribute (`qtdec`), the build script (`qtdec-build`) or the
//! command (`qtdec-cli`).
//!
//! **The API is not stable.** The packages of qtdec depend on exactly this version, and any release may change it, except for the items
//! that `qtdec-build` re-exports.

pub mod borders;
pub mod code;
pub mod document;
pub mod domain;
pub mod encode;
pub mod json;
pub mod listing;
#[cfg(feature = "tools")]
pub mod lookup;
pub mod map;
pub mod naming;
pub mod options;
pub mod penalty;
pub mod problem;
#[cfg(feature = "tools")]
pub mod racing;
pub mod rectangles;
pub mod similar;
pub mod statistics;
pub mod tree;
pub mod visible;

mod fixed_point;
#[cfg(feature = "tools")]
mod median;
mod message;
mod option_form;
mod report;
mod shape;
mod source;

pub use borders::Borders;
pub use document::Document;
pub use domain::{Axis, Basis, Domain, Method, MethodIndex, Requirement, Samples};
pub use json::MAX_BYTES;
pub use map::{Calls, Costs, DecisionMap, Ties};
#[cfg(feature = "tools")]
pub use median::median;
pub use message::{Message, Syntax};
pub use options::Options;
pub use penalty::Penalty;
pub use problem::{Diagnostics, Path, Place, Problem, Problems};
pub use source::{SourceFile, help_if_missing};
pub use statistics::Statistics;
pub use tree::DecisionTree;
