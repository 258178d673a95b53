//! The file beside a tuning file, with which a part of the library keeps the calls that the rules leave to the library. Without it, the
//! settings of a tuning file switch that part off for all calls.

use crate::catalogue::{Algorithm, Release};

use super::{Format, LibraryRules, Switches, Write};

/// What a [`Format`] knows of the file beside its tuning files.
#[derive(Clone, Copy, Debug)]
pub struct Companion {
    /// What follows the stem of the tuning file's name in the name of the file.
    pub ending: &'static str,
    /// Returns the format in which the file is checked, and whose sizes its rules have.
    pub format: fn() -> &'static Format,
    /// Returns whether the file is written, or the reason why not if users can change that.
    pub is_written: fn(&Circumstances) -> Result<bool, String>,
    /// The method that stands for the library's own choice after a deployment with the file.
    pub own_choice: &'static str,
    /// Why it replaces another baseline.
    pub why_own_choice: &'static str,
    /// The warning that it was not measured, if no other method can stand for it.
    pub unmeasured: Option<&'static str>,
    /// Returns whether the part serves a collective.
    pub serves: fn(&str) -> bool,
    /// Whether the part has communicators of its own, which read the rules too.
    pub has_communicators: bool,
    /// Returns whether the file can choose an algorithm by nodes for a collective, with or without segments.
    pub chooses: fn(&Algorithm, &str, bool) -> bool,
    /// Why it cannot choose some.
    pub why_not_chosen: &'static str,
    /// Returns the rules of the file, from those of the tuning file and those of the same tree in its own sizes.
    pub beside: fn(&LibraryRules, LibraryRules) -> LibraryRules,
    /// Returns a warning about rules of the tuning file, if they change calls that the part serves.
    pub warning: fn(&LibraryRules) -> Option<String>,
    /// Writes the file, if need be from the library's own one.
    pub write: Write,
    /// Returns the settings of the tuning file without those that would take all calls from the part.
    pub kept_by: fn(Switches) -> Switches,
}

/// What is known when it is decided whether the file is written.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances {
    /// The release that the tuning file is for.
    pub release: Option<Release>,
    /// Whether the release is stated by the user or by the times.
    pub is_stated: bool,
    /// Whether rules are inserted into a tuning file, whose other rules the file does not have.
    pub inserts: bool,
    /// Whether the library's own file is given.
    pub has_own_file: bool,
    /// The number of collectives that the part serves and of which its [own choice](Companion::own_choice) was measured, and the number
    /// of those of which it was not; 0 if it is excluded.
    pub measured: (usize, usize),
}
