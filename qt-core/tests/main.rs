//! The tests of the package that share a process: one binary is linked, instead of one for each file.

#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod c45;
mod combined;
mod crossing;
mod encoders;
mod layouts;
mod minimal;
mod optimal;
mod quadrants;
mod quadtree;
mod refusals;
mod schema;
mod written;
