//! Decision maps, decision trees and the code that is made of them.
//!
//! This is the pure part of qtdec: text goes in, values come out, and nothing here knows of files, clocks or terminals.
//! Data flows one way:
//!
//! ```text
//!  text ──► DecisionMap ──► encode ──► DecisionTree ──► code
//! ```
//!
//! Programs use it through one of its front ends: the attribute (`qtdec`), the build script (`qtdec-build`) or the
//! command (`qtdec-tune`).

pub mod borders;
pub mod code;
pub mod document;
pub mod domain;
pub mod encode;
pub mod json;
pub mod lookup;
pub mod map;
pub mod naming;
pub mod options;
pub mod penalty;
pub mod problem;
pub mod rectangles;
pub mod statistics;
pub mod tree;
pub mod visible;

mod message;
mod report;
mod shape;
mod similar;
mod source;

pub use borders::Borders;
pub use document::Document;
pub use domain::{Axis, Basis, Domain, Method, MethodIndex, Requirement, Samples};
pub use json::MAX_BYTES;
pub use map::{Calls, Costs, DecisionMap, Ties};
pub use message::{Message, Suggestion, Syntax};
pub use options::{OptionFault, Options};
pub use penalty::Penalty;
pub use problem::{Diagnostics, Path, Place, Problem, Problems};
pub use source::SourceFile;
pub use statistics::Statistics;
pub use tree::DecisionTree;
