//! The collectives of times; times of several collectives are never mixed.

use std::collections::{BTreeMap, BTreeSet};

use qtdec_core::{Place, Problem};
use qtdec_times::collective;

use super::machines::pattern_in;
use crate::notes::Notes;
use crate::readers::advice;
use crate::readers::collective_name;
use crate::readers::path::PathPattern;
use crate::readers::selectors::remember;

/// The maximum number of names listed in a message.
const MAX_LISTED: usize = 20;

#[derive(Default)]
pub(super) struct Collectives<'a> {
    requested: Option<&'a str>,
    met: BTreeSet<String>,
    read: BTreeSet<String>,
    /// The first file with times of an unnamed collective.
    unnamed: Option<String>,
    /// The collectives after which folders are called, of files that do not name theirs, with the number of names in the path after
    /// the folder.
    folders: BTreeMap<String, usize>,
}

#[derive(Default)]
pub(super) struct FileCollectives {
    /// The collective from the path, or the user's for all files.
    named: Option<String>,
    /// Whether rows name that collective, and another one that they name instead.
    agrees: bool,
    contradicts: Option<String>,
    /// Whether rows name their collective although the path does not.
    rows_name_it: bool,
    /// The collective after which a folder of the file is called, and the number of names in the path after it.
    folder: Option<(String, usize)>,
}

impl<'a> Collectives<'a> {
    pub(super) fn new(requested: Option<&'a str>) -> Self {
        Self { requested, ..Self::default() }
    }

    fn selects(&mut self, collective: &str) -> bool {
        remember(&mut self.met, collective);
        let selected = self.requested.is_none_or(|requested| requested.eq_ignore_ascii_case(collective));
        if selected {
            remember(&mut self.read, collective);
        }
        selected
    }

    /// Begins a file whose path names this collective, or that is in a folder called after one. Returns `None` if its times are not
    /// read.
    pub(super) fn begin(
        &mut self,
        named: Option<String>,
        folder: Option<(String, usize)>,
    ) -> Option<FileCollectives> {
        let selected = named.as_ref().is_none_or(|named| self.selects(named));
        selected.then_some(FileCollectives { named, folder, ..FileCollectives::default() })
    }

    /// Returns whether the rows of a collective that they name themselves are read from a file.
    pub(super) fn selects_in(&mut self, file: &mut FileCollectives, collective: &str) -> bool {
        match &file.named {
            None => {
                file.rows_name_it = true;
                self.selects(collective)
            }
            Some(named) if named == collective => {
                file.agrees = true;
                true
            }
            Some(_) => {
                file.contradicts.get_or_insert_with(|| collective.to_owned());
                false
            }
        }
    }

    pub(super) fn read_from(&mut self, file: &FileCollectives, name: &str) {
        if file.named.is_none() && !file.rows_name_it {
            self.unnamed.get_or_insert_with(|| name.to_owned());
            if let Some((folder, depth)) = &file.folder
                && !self.folders.contains_key(folder)
            {
                self.folders.insert(folder.clone(), *depth);
            }
        }
    }

    /// Ends a file. If some of its rows name the collective of its path, the others are omitted. It is a fault if all name another one.
    pub(super) fn end(&self, file: FileCollectives, notes: &mut Notes) -> Result<(), Problem> {
        let (Some(named), Some(other)) = (file.named, file.contradicts) else { return Ok(()) };
        if !file.agrees {
            let message = format!("the path names the collective `{named}`, and the file names `{other}`");
            return Err(Problem::new(Place::File, message).help(advice::OTHER_COLLECTIVE_IN_PATH));
        }
        if self.requested.is_none() {
            notes.add(format!("times of `{other}` were skipped in a file whose path names `{named}`"));
        }
        Ok(())
    }

    pub(super) fn are_mixed(&self) -> bool {
        self.read.len() > 1
    }

    /// Returns the collective of all times that were read, if there is only one.
    pub(super) fn only(&self) -> Option<String> {
        self.read.first().filter(|_| self.read.len() == 1).cloned()
    }

    pub(super) fn mixed(&self) -> Option<Problem> {
        self.are_mixed().then(|| {
            let (number, names) = (self.read.len(), listed(&self.read, quoted));
            Problem::new(Place::File, format!("the times are of {number} collectives: {names}"))
                .help(format!("choose one: {}", listed(&self.read, |name| advice::collective(name))))
        })
    }

    /// Returns a fault if there are times of several collectives, and of one that is not named.
    pub(super) fn unnamed_among_several(&self) -> Option<Problem> {
        let file = self.unnamed.as_ref().filter(|_| self.are_mixed() && self.requested.is_none())?;
        let names = listed(&self.read, quoted);
        let message =
            format!("`{file}` does not name its collective, and the other times are of several: {names}");
        Some(Problem::new(Place::File, message).help(advice::COLLECTIVE_OF_PATH))
    }

    /// Returns a fault if files that do not name their collective are in the folders of several; `pattern` is that of the paths.
    pub(super) fn in_several_folders(&self, pattern: Option<&PathPattern>) -> Option<Problem> {
        let names: BTreeSet<String> = self.folders.keys().cloned().collect();
        if names.len() < 2 {
            return None;
        }
        let names =
            format!("{} collectives, which they do not name: {}", names.len(), listed(&names, quoted));
        let depth = *self.folders.values().next()?;
        let path = pattern_in("{collective}", depth, pattern);
        let help = advice::collectives_of_folders(path.as_deref().unwrap_or("{collective}/**"));
        Some(Problem::new(Place::File, format!("the files are in the folders of {names}")).help(help))
    }

    /// Returns a fault if there are only times of collectives that were not requested.
    pub(super) fn missing(&self) -> Option<Problem> {
        let requested = self.requested.filter(|_| self.read.is_empty() && !self.met.is_empty())?;
        let problem = Problem::new(Place::File, format!("no times are of the collective `{requested}`"));
        Some(problem.help(format!("the files have times of {}", listed(&self.met, quoted))))
    }

    /// Returns the collective of all times, if it is known.
    pub(super) fn finish(self, notes: &mut Notes) -> Option<String> {
        if let (Some(_), None, Some(read)) = (&self.unnamed, self.requested, self.read.first()) {
            notes.add(format!(
                "files that do not name their collective are assumed to be of `{read}`, as other files say"
            ));
        }
        self.requested.map(str::to_owned).or_else(|| self.read.into_iter().next())
    }
}

/// Returns the collective after which the innermost of a file's folders is called, unless this is the name of its method, and the
/// number of names after it.
pub(super) fn folder_of_collective(path: &str, method: Option<&str>) -> Option<(String, usize)> {
    let mut names = path.rsplit(['/', '\\']).enumerate().skip(1);
    names.find_map(|(depth, folder)| {
        let collective = collective_name(folder);
        let is_one = collective::is_known(&collective) && method.is_none_or(|method| method != folder);
        is_one.then_some((collective, depth))
    })
}

fn quoted(name: &String) -> String {
    format!("`{name}`")
}

/// Returns as many names as a message lists, each formatted.
fn listed(names: &BTreeSet<String>, form: impl Fn(&String) -> String) -> String {
    let mut listed: Vec<String> = names.iter().take(MAX_LISTED).map(form).collect();
    if names.len() > MAX_LISTED {
        listed.push(format!("{} more", names.len() - MAX_LISTED));
    }
    listed.join(", ")
}
