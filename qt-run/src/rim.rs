//! The text of the programs in C that call MPI, which the user's compiler translates.

/// The files in C, with their names. They call a function of this package's static library.
pub const FILES: [(&str, &str); 2] =
    [("rim.h", include_str!("../c/rim.h")), ("rim.c", include_str!("../c/rim.c"))];

/// The name of the static library, as Cargo calls it.
pub const LIBRARY: &str = "libqtdec_run.a";
