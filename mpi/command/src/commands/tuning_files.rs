//! Tuning files: written, read, checked and compared.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod decide;
pub(crate) mod diff;
pub(crate) mod emit;
pub(crate) mod file_check;
pub(crate) mod import;
pub(crate) mod into_files;
pub(crate) mod shipped;
pub(crate) mod tune;
pub(crate) mod tuning_file;
pub(crate) mod verify_hint;
