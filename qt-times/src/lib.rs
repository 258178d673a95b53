//! Canonical times: the form `qtdec-times/1`, a CSV file with one row for each repeat.
//!
//! A [`Builder`] takes the rows in any order and returns [`Times`], which are sorted: equal times have equal files, byte for byte.
//! [`Times::write`] and [`read`](read()) are inverse to each other. Nothing here knows the output of a benchmark program, so that a
//! program that measures can write its times with little to compile.
//!
//! **The API is not stable.** The packages `qtdec-measure` and `qtdec-study` are built on it.

pub mod about;
mod builder;
pub mod collective;
mod columns;
pub mod faults;
mod fields;
mod header;
mod jobs;
mod json;
mod merge;
mod modes;
mod order;
mod raw;
mod read;
mod rows;
mod select;
mod statistic;
mod text;
mod times;
mod unit;
mod write;

pub use about::{About, BLOCKS, LIBRARY, MACHINE, RANKS, SKEW};
pub use builder::{Builder, TIMES};
pub use header::{FORMAT, Header, Named, SEGMENT_SIZE};
pub use jobs::{Job, Jobs};
pub use modes::is_bimodal;
pub use raw::RawHeader;
pub use read::{is_canonical, read};
pub use statistic::Statistic;
pub use times::{Method, Row, Sample, Series, Times};
pub use unit::TimeUnit;
