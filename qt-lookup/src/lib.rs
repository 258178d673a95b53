//! Decision functions in memory: for programs whose maps arrive after they were compiled.
//!
//! A function is loaded from bytes that `qtdec emit --target lookup-table` wrote, or that `qtdec_core::lookup` made at run
//! time. It borrows the bytes, allocates nothing, and may stand in a `const`:
//!
//! ```no_run
//! # const BYTES: &[u8] = &[];
//! use qtdec_lookup::Table;
//!
//! // const BYTES: &[u8] = include_bytes!("bcast.qtl");
//! const BCAST: Option<Table<'static, 2>> = match Table::load(BYTES) {
//!     Ok(table) => Some(table),
//!     Err(_) => None,
//! };
//! let (comm_size, msg_size) = (64, 4096);
//! let method = BCAST.expect("bcast.qtl is sound").decide([comm_size, msg_size]);
//! ```
//!
//! A decision is one look-up for every axis and one more, in two bytes for every box that thresholds cut sizes into. No branch
//! depends on the sizes, so that a processor guesses none wrong, unless thresholds lie so close to each other that they must be
//! searched.
//!
//! # The bytes, version 1
//!
//! Numbers are little-endian. Names are a length as `u16` and so many bytes of UTF-8.
//!
//! | bytes | what |
//! |---|---|
//! | 6 | `qtdec\0` |
//! | 1 | the version, 1 |
//! | 1 | the form, `T` for a table |
//! | 8 | the checksum of all that follows |
//! | 1 | the number of axes, and for each its name |
//! | 2 | the number of methods, and for each its id as `u64` and its label |
//! | | what [`Table`] says |
//!
//! Bytes that are anything else are refused when they are loaded, and none, however they were made, is read beyond its end
//! or for ever.

#![no_std]

mod axis;
mod boxes;
mod buckets;
mod bytes;
mod checksum;
mod error;
mod names;
mod table;

pub use checksum::checksum;
pub use error::Error;
pub use names::{Method, Names};
pub use table::Table;

/// The first bytes of every form, the version behind them.
pub const MAGIC: [u8; 7] = *b"qtdec\0\x01";

/// What stands for no decision.
const NONE: u16 = u16::MAX;
