//! The selection files that a release has built in: those of its sources, `maint/tuning/coll/mpir/generic.json` and `ch4/generic.json`.

use std::fs;

use crate::engines::observed::Program;

/// The files of a release.
pub(super) struct Shipped {
    /// The file of the algorithms between any ranks.
    pub(super) whole: Vec<u8>,
    /// The file of CH4, the device.
    pub(super) device: Vec<u8>,
}

impl Shipped {
    /// Finds the files in the library of a program.
    pub(super) fn of(program: &Program) -> Result<Self, String> {
        let library = program.library("libmpi")?;
        let bytes = fs::read(&library).map_err(|error| format!("{}: {error}", library.display()))?;
        let files = || bytes.split(|byte| *byte == 0).filter(|text| text.starts_with(b"{\"collective="));
        let with = |name: &str| {
            let has = |text: &&[u8]| String::from_utf8_lossy(text).contains(name);
            let found = files().find(has).map(<[u8]>::to_vec);
            found.ok_or_else(|| format!("{} has no selection file with `{name}`", library.display()))
        };
        Ok(Self { whole: with("\"algorithm=MPIR_")?, device: with("\"composition=MPIDI_")? })
    }
}
