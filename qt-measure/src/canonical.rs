//! Canonical times: the form `qtdec-times/1`, a CSV file with one row for each repeat.
//!
//! A [`Builder`] takes the rows in any order and returns [`Times`], which are sorted: equal times have equal files, byte for byte.
//! [`Times::write`] and [`read`](read()) are inverse to each other. Neither uses the readers of other formats.

mod builder;
mod columns;
mod fields;
mod header;
mod json;
mod measured;
mod merge;
mod order;
mod raw;
mod read;
mod rows;
mod select;
mod times;
mod write;

pub use super::about::{About, LIBRARY, MACHINE, RANKS};
pub use builder::Builder;
pub use header::{FORMAT, Header, Named, SEGMENT_SIZE};
pub use raw::RawHeader;
pub use read::{is_canonical, read};
pub use times::{Method, Row, Sample, Series, Times};
