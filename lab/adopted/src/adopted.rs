//! The crates in which a decision is measured.

use std::path::PathBuf;

use xtask::run::root;

/// A crate in which a decision is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adopted {
    /// The name of the crate, and of its folder.
    pub(crate) name: &'static str,
    /// The version whose copy is patched, if its own functions call the decision.
    pub(crate) patched: Option<&'static str>,
    /// What the rule chooses, as the table of all crates says it.
    pub(crate) chooses: &'static str,
    /// The generated code, in the folder.
    code: &'static str,
    /// The options of `qtdec emit`.
    emit: &'static str,
}

/// All of them.
pub(crate) const ALL: [Adopted; 3] = [
    Adopted {
        name: "num-bigint",
        patched: Some("0.5.1"),
        chooses: "one of four algorithms for a product, by the lengths of its factors",
        code: "added/choice.rs",
        emit: "--function multiplication --returns u8 --answers long=crate::rule::LONG,half_karatsuba=crate::rule::HALF_KARATSUBA,\
               karatsuba=crate::rule::KARATSUBA,toom3=crate::rule::TOOM_3",
    },
    Adopted {
        name: "nalgebra",
        patched: None,
        chooses: "one of three algorithms for a product of matrices, by their sides",
        code: "src/choice.rs",
        emit: "--function product --returns crate::Product",
    },
    Adopted {
        name: "arrow-select",
        patched: Some("60.1.0"),
        chooses: "whether a filter copies single values or runs of them",
        code: "added/choice.rs",
        emit: "--function is_by_slices --returns bool --answers values=false,slices=true",
    },
];

impl Adopted {
    /// Returns a path in the folder of the crate.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        folder().join(self.name).join(name)
    }

    /// Returns the arguments of `qtdec emit`.
    pub(crate) fn emit(&self) -> Vec<&'static str> {
        let mut arguments = vec!["emit", "tree.json", "--target", "rust", "-o", self.code];
        arguments.extend(self.emit.split_whitespace());
        arguments
    }
}

/// Returns the folder of the workspace of these crates.
pub(crate) fn folder() -> PathBuf {
    root().join("examples/adopted")
}
