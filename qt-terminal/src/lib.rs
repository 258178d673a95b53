//! What the programs `qtdec` and `qtdec-mpi` share: options, inputs, destinations, folders and messages.
//!
//! **The API is not stable.** The programs depend on exactly this version.

#![allow(clippy::doc_markdown, reason = "doc comments of options are help texts")]

#[doc(hidden)]
pub mod advice;
#[doc(hidden)]
pub mod bounds;
#[doc(hidden)]
pub mod completions;
#[doc(hidden)]
pub mod destination;
#[doc(hidden)]
pub mod differences;
#[doc(hidden)]
pub mod emit;
pub mod failure;
#[doc(hidden)]
pub mod fitted;
#[doc(hidden)]
pub mod folder;
#[doc(hidden)]
pub mod gain;
mod help;
#[doc(hidden)]
pub mod hold_out;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod lacking;
#[doc(hidden)]
pub mod leave_out;
#[doc(hidden)]
pub mod man;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod option_values;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod packed;
#[doc(hidden)]
pub mod picture_file;
#[doc(hidden)]
pub mod plane;
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod progress;
#[doc(hidden)]
pub mod reading;
mod replace;
#[doc(hidden)]
pub mod reports;
#[cfg(unix)]
mod signals;
#[doc(hidden)]
pub mod single_samples;
#[doc(hidden)]
pub mod sizes;
#[doc(hidden)]
pub mod subject;
mod temporary;
#[doc(hidden)]
pub mod times;
#[doc(hidden)]
pub mod unmeasured;
#[doc(hidden)]
pub use failure::Failure;
