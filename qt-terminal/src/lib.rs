//! What the programs `qtdec` and `qtdec-mpi` share: options, inputs, destinations, folders and messages.
//!
//! **The API is not stable.** The programs depend on exactly this version.

// What only the programs call needs no description of its errors.
#![doc(hidden)]
#![allow(clippy::doc_markdown, reason = "doc comments of options are help texts")]

pub mod advice;
pub mod c_header;
pub mod completions;
pub mod destination;
pub mod differences;
pub mod failure;
pub mod fitted;
pub mod folder;
pub mod gain;
mod help;
pub mod input;
pub mod lacking;
pub mod man;
pub mod mapping;
pub mod option_values;
pub mod output;
pub mod packed;
pub mod picture_file;
pub mod plane;
pub mod program;
pub mod progress;
pub mod python;
pub mod reading;
mod replace;
pub mod reports;
#[cfg(unix)]
mod signals;
pub mod single_samples;
pub mod sizes;
pub mod subject;
mod temporary;
pub mod times;
pub mod unmeasured;
pub use failure::Failure;
