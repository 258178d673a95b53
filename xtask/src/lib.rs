//! What tasks and the programs of `lab/` share: the workspace, the machine, and results that not every machine can have.

pub mod chapter;
pub mod files;
pub mod libraries;
pub mod machine;
pub mod outcome;
pub mod run;
pub mod watched;
