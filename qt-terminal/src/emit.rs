//! Decision functions in languages other than Rust.

pub mod c_header;
mod c_names;
