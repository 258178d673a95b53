//! Decision functions in memory, for programs whose maps arrive after compilation.
//!
//! A function is loaded from bytes that `qtdec emit --target lookup-table` wrote, or that `qtdec_core::lookup` made at run
//! time. It borrows the bytes, does not allocate, and can be used in a `const`:
//!
//! ```
//! use qtdec_lookup::Table;
//!
//! let bytes = include_bytes!("../examples/bcast.qtl");
//! let bcast = Table::<2>::load(bytes)?;
//! let (comm_size, msg_size) = (64, 4096);
//! assert_eq!(bcast.decide([comm_size, msg_size]), Some(1));
//! # Ok::<(), qtdec_lookup::Error>(())
//! ```
//!
//! A decision takes one lookup for every axis and one more in a list of two-byte entries, one for every box that the thresholds
//! make. No branch depends on the sizes, so the processor mispredicts none. The exception is an axis whose thresholds are so close
//! to each other that they must be searched.
//!
//! # The bytes, version 1
//!
//! Numbers are little-endian. A name is its length as `u16`, followed by that many bytes of UTF-8.
//!
//! | bytes | content |
//! |---|---|
//! | 6 | `qtdec\0` |
//! | 1 | the version, 1 |
//! | 1 | the form, `T` for a table |
//! | 8 | the checksum of everything that follows |
//! | 1 | the number of axes, followed by the name of each |
//! | 2 | the number of methods, followed by the id as `u64` and the label of each |
//! | | the data of the [`Table`] |
//!
//! Any other bytes are refused when they are loaded. Whatever the bytes, the crate never reads beyond their end or
//! loops forever.

#![no_std]

mod arrays;
mod axis;
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

/// The first bytes of every form, followed by the version.
///
/// ```
/// assert!(include_bytes!("../examples/bcast.qtl").starts_with(&qtdec_lookup::MAGIC));
/// ```
pub const MAGIC: [u8; 7] = *b"qtdec\0\x01";

/// The entry for no decision.
const NONE: u16 = u16::MAX;
