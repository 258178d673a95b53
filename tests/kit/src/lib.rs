//! Code that the tests of several packages share.

pub mod c45;
pub mod maps;
pub mod proof;
pub mod sample;
