//! The text of the code in C that calls MPI, which the user's compiler translates.

use std::path::Path;

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
        files: &[
            ("rim.h", include_str!("../c/rim.h")),
            ("channel.h", include_str!("../c/channel.h")),
            ("nodes.h", include_str!("../c/nodes.h")),
            ("rim.c", include_str!("../c/rim.c")),
            ("channel.c", include_str!("../c/channel.c")),
            ("nodes.c", include_str!("../c/nodes.c")),
        ],
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
            ("channel.h", include_str!("../c/channel.h")),
            ("nodes.h", include_str!("../c/nodes.h")),
            ("interposer.c", include_str!("../c/interposer.c")),
            ("communicator.c", include_str!("../c/communicator.c")),
            ("channel.c", include_str!("../c/channel.c")),
            ("nodes.c", include_str!("../c/nodes.c")),
            ("ends.c", include_str!("../c/ends.c")),
            ("worlds.c", include_str!("../c/worlds.c")),
            ("types.c", include_str!("../c/types.c")),
            ("carry_out.c", include_str!("../c/carry_out.c")),
            ("check.c", include_str!("../c/check.c")),
            ("learn.c", include_str!("../c/learn.c")),
            (TREES, include_str!("../c/trees.c")),
        ],
        exported: Some(("interposer.map", include_str!("../c/interposer.map"))),
    },
];

/// The name of the file with the trees that are compiled into the interposer.
pub const TREES: &str = "trees.c";

/// Returns the text of this file with the trees of a folder, such as `bcast.tree.json`.
///
/// # Errors
///
/// Returns what is wrong with the folder or a tree, or that there is no interposer for this system.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "there is no interposer"))]
pub fn trees_in_c(folder: &Path) -> Result<String, String> {
    #[cfg(target_os = "linux")]
    return crate::interposer::in_c(folder);
    #[cfg(not(target_os = "linux"))]
    Err("the interposer is for Linux".to_owned())
}

/// The name of the static library, as Cargo calls it.
pub const LIBRARY: &str = "libqtdec_mpi_run.a";

/// The mark of the static library for these sources: a number made of the headers with the functions that both call.
pub const MARK: [u8; 32] = mark(&[
    include_bytes!("../c/channel.h"),
    include_bytes!("../c/rim.h"),
    include_bytes!("../c/profile.h"),
    include_bytes!("../c/interposer.h"),
]);

/// What brings the mark into the static library.
#[used]
static MARKED: [u8; 32] = MARK;

/// Returns the hash FNV-1a of texts as 16 hexadecimal digits after a name.
const fn mark(texts: &[&[u8]]) -> [u8; 32] {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut text = 0;
    while text < texts.len() {
        let mut at = 0;
        while at < texts[text].len() {
            hash = (hash ^ texts[text][at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        text += 1;
    }
    let mut mark = *b"qtdec interface 0000000000000000";
    let mut digit = 0;
    while digit < 16 {
        mark[31 - digit] = b"0123456789abcdef"[(hash >> (4 * digit)) as usize % 16];
        digit += 1;
    }
    mark
}
