//! What the programs `qtdec` and `qtdec-mpi` share: options, inputs, destinations, folders and messages.
//!
//! **The API is not stable.** The programs depend on exactly this version.

#![allow(clippy::doc_markdown, reason = "doc comments of options are help texts")]
#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "only the programs call this: names that say everything have no description, and a failure is the end of a program"
)]

mod advice;
mod answer;
pub mod c_header;
pub mod completions;
mod destination;
pub mod differences;
mod failure;
pub mod fitted;
pub mod folder;
pub mod gain;
mod help;
mod input;
pub mod man;
pub mod mapping;
pub mod missing_options;
mod option_values;
pub mod output;
pub mod packed;
mod picture_file;
mod plane;
pub mod program;
mod progress;
pub mod reading;
mod replace;
mod reports;
pub mod single_samples;
pub mod sizes;
pub mod subject;
pub mod times;
pub mod unmeasured;

pub use advice::Advice;
pub use answer::{Answer, Notes};
pub use destination::{Output, Outputs};
pub use failure::Failure;
pub use folder::{FileSet, ForceArgument, deployed_tree};
pub use input::{EncodingArguments, Input, TreeOptions, sentence, stem};
pub use option_values::{basis, one_of, pair, percent, statistic};
pub use output::{FormArguments, counted};
pub use picture_file::{PrintArguments, picture_file, write_picture, write_svg};
pub use plane::PlaneArguments;
pub use progress::Progress;
pub use reports::{failures, reported, reports};
pub use subject::{SourceArguments, Subject, SubjectArguments};
