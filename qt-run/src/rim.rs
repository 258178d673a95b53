//! The text of the code in C that calls MPI, which the user's compiler translates.

/// A program or library in C that calls functions of this package's static library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rim {
    /// The name of the program or library.
    pub name: &'static str,
    /// The files in C, with their names.
    pub files: &'static [(&'static str, &'static str)],
    /// Which symbols a library has for others, in the form of a linker's version script. A program has none.
    pub exported: Option<(&'static str, &'static str)>,
}

/// The programs, and where libraries can be preloaded the libraries.
pub const RIMS: &[Rim] = &[
    Rim {
        name: "qtdec-bench",
        files: &[("rim.h", include_str!("../c/rim.h")), ("rim.c", include_str!("../c/rim.c"))],
        exported: None,
    },
    #[cfg(target_os = "linux")]
    Rim {
        name: "libqtdec_profile.so",
        files: &[
            ("next.h", include_str!("../c/next.h")),
            ("signatures.h", include_str!("../c/signatures.h")),
            ("profile.h", include_str!("../c/profile.h")),
            ("profile.c", include_str!("../c/profile.c")),
        ],
        exported: Some(("profile.map", include_str!("../c/profile.map"))),
    },
    #[cfg(target_os = "linux")]
    Rim {
        name: "libqtdec_mpi.so",
        files: &[
            ("next.h", include_str!("../c/next.h")),
            ("signatures.h", include_str!("../c/signatures.h")),
            ("interposer.h", include_str!("../c/interposer.h")),
            ("collective.h", include_str!("../c/collective.h")),
            ("interposer.c", include_str!("../c/interposer.c")),
            ("communicator.c", include_str!("../c/communicator.c")),
            ("carry_out.c", include_str!("../c/carry_out.c")),
            ("check.c", include_str!("../c/check.c")),
        ],
        exported: Some(("interposer.map", include_str!("../c/interposer.map"))),
    },
];

/// The name of the static library, as Cargo calls it.
pub const LIBRARY: &str = "libqtdec_run.a";
