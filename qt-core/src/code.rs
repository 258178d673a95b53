//! From a tree to code.
//!
//! [`Block`](crate::tree::Block) is the shape of the branches, alike in every language; what is here writes it down in
//! Rust.

mod answers;
mod branches;
mod checks;
mod function;
mod label_enum;
mod lints;
mod method_enum;
mod number;
mod parameter;
mod parts;
mod returns;
mod variants;

pub use function::{Body, Function};
pub use label_enum::label_variants;
pub use method_enum::MethodEnum;
pub use parameter::Parameter;
pub use returns::{Returns, Wrapper};
