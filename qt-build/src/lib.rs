//! Decision functions from measured maps, generated in a build script.
//!
//! The generated code is the same as that of the attribute `#[decision_map]`, but in a file that can be read and reviewed. It has
//! no dependencies. In `build.rs`:
//!
//! ```no_run
//! fn main() -> Result<(), qtdec_build::Error> {
//!     qtdec_build::Builder::new().map("maps/bcast.json").map("maps/reduce.json").generate()
//! }
//! ```
//!
//! and in the crate:
//!
//! ```ignore
//! include!(concat!(env!("OUT_DIR"), "/qtdec/bcast.rs"));
//!
//! let method = bcast(comm_size, msg_size);
//! ```

mod builder;
mod encoding;
mod error;
mod file;
mod print;
mod settings;
mod write;

pub use builder::Builder;
pub use error::Error;
pub use file::ItemOptions;
pub use qtdec_core::code::{EnumItem, LayoutChoice};
pub use qtdec_core::encode::{
    Budget, C45, Constants, Empty, Encoder, Fill, Greedy, LeafRule, Objective, Optimal, Quadtree, Rle,
};
pub use qtdec_core::{
    Axis, Basis, Borders, Costs, DecisionMap, Domain, Method, MethodIndex, Problems, Samples,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
